package sleep_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// A memory that a sleep archived or merged can be corrected only with the authority that it
// required before.
func TestArchivedMemoryKeepsItsAuthority(t *testing.T) {
	l := fixture.NewLife(t)
	if _, err := l.Sleep(l.Store); err != nil {
		t.Fatal(err)
	}
	l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
		weak := engine.Loopback()
		weak.Grant = 0.3
		for _, text := range []string{"kettle whistled", "repaired by Tomas for 240 euros", "allergic to walnuts"} {
			id := l.Find(text)
			if _, err := e.Supersede(ctx, weak, engine.SupersedeInput{ID: id, Content: "It is not so."}); graph.CodeOf(err) != graph.CodeForbidden {
				t.Errorf("%q, which is %s: %v", text, statusOf(l, id), err)
			}
			if _, err := e.Supersede(ctx, engine.Loopback(), engine.SupersedeInput{ID: id, Content: fmt.Sprintf("It is not so that %s.", text)}); err != nil {
				t.Errorf("%q, which is %s: %v", text, statusOf(l, id), err)
			}
		}
	})
	fixture.WantSound(t, "corrected", l.Store)
}

// The successor of an engram is engraved with the correction, or by the next sleep if the
// recess was unavailable. Every L3 memory is in the recess.
func TestSuccessorOfEngramIsEngraved(t *testing.T) {
	for _, away := range []bool{false, true} {
		l := fixture.NewLife(t)
		if r, err := l.Sleep(l.Store); err != nil || r.Engraved != 1 {
			t.Fatal(r, err)
		}
		l.Clock.Advance(time.Hour)
		var recess engine.Recess = l.Shelf
		if away {
			recess = fixture.RefusingArchive{FakeArchive: l.Shelf}
		}
		var next graph.ID
		l.WithEngineOver(l.Store, hashed.New(), recess, func(ctx context.Context, e *engine.Engine) {
			a, err := e.Adjudicate(ctx, engine.Loopback(), engine.AdjudicateInput{
				Fact: "Mira is not allergic to walnuts.", Subject: "Mira", Consent: graph.ConsentExplicit, Evidence: []engine.Evidence{fixture.Evidence("clinic", 0.9), fixture.Evidence("mira", 0.9)},
			})
			if err != nil || a.Previous == nil {
				t.Fatalf("%+v, %v", a, err)
			}
			want := graph.L3
			if away {
				want = graph.L2
			}
			if next = a.Current.ID; a.Current.State.Tier != want || a.Previous.State.Tier != graph.L3 {
				t.Errorf("the successor is in %s", a.Current.State.Tier)
			}
		})
		l.Clock.Advance(24 * time.Hour)
		if r, err := l.Sleep(l.Store); err != nil || (r.Engraved == 1) != away {
			t.Errorf("recess away %v: %+v, %v", away, r, err)
		}
		l.WithEngine(l.Store, func(ctx context.Context, e *engine.Engine) {
			v, err := e.Memory(ctx, engine.Loopback(), next, engine.Access{})
			if err != nil || v.Unavailable != nil || v.State.Tier != graph.L3 {
				t.Errorf("recess away %v: %+v, %v", away, v, err)
			}
		})
		fixture.WantSound(t, "engraved", l.Store)
	}
}
