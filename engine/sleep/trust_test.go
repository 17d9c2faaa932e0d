package sleep_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

const sluice = "The sluice at the Orsini weir may be opened by two people only."

// TestTwinsOfLessTrustDoNotLowerABelief attacks a belief for 30 nights with the same sentence,
// written with less authority, weaker consent or higher sensitivity.
func TestTwinsOfLessTrustDoNotLowerABelief(t *testing.T) {
	w := enginetest.New(t)
	belief := rememberOne(w, engine.RememberInput{Content: sluice, User: "ana", Type: graph.Semantic, Authority: fixture.Ptr(.95), Confidence: fixture.Ptr(.9), Consent: graph.ConsentExplicit, Source: "ana"})
	want := belief.Trust()
	anchor := belief.AnchorAt
	merged := 0
	for night := range 30 {
		w.Clock.Advance(12 * time.Hour)
		weak := engine.RememberInput{Content: strings.ToLower(sluice[:1]) + sluice[1:], User: "ana", Type: graph.Semantic, OnDuplicate: engine.Insert, Source: fmt.Sprint("mallory", night), Confidence: fixture.Ptr(1.0), Authority: fixture.Ptr(.95), Consent: graph.ConsentExplicit}
		switch night % 3 {
		case 0:
			weak.Authority = fixture.Ptr(.05)
		case 1:
			weak.Consent = graph.ConsentImplicit
		case 2:
			weak.Sensitivity = graph.Restricted
		}
		twin := rememberOne(w, weak)
		w.Clock.Advance(12 * time.Hour)
		fixture.MustDeepSleep(w)
		m := fixture.MustView(w, belief.ID)
		if m.Trust() != want || m.Content != sluice || !m.AnchorAt.Equal(anchor) || m.State.Status != graph.Active || m.Confidence > 1 {
			t.Fatalf("after night %d the belief has %+v, anchor %v, status %s, %q", night+1, m.Trust(), m.AnchorAt, m.State.Status, m.Content)
		}
		if x := fixture.MustView(w, twin.ID); x.State.Status == graph.Consolidated && x.Consolidated == belief.ID {
			merged++
		}
	}
	if merged != 30 {
		t.Errorf("%d of 30 twins became evidence of the belief", merged)
	}

	// The belief weighs what it did: a contradiction of little authority does not contest it.
	rememberOne(w, engine.RememberInput{Content: "The sluice at the Orsini weir may be opened by three people only.", User: "ana", Type: graph.Semantic, Authority: fixture.Ptr(.05), Consent: graph.ConsentExplicit})
	if m := fixture.MustView(w, belief.ID); m.Conflict > .1 {
		t.Errorf("a contradiction of authority .05 gives the belief a conflict of %.3f", m.Conflict)
	}
	mallory := engine.Caller{Tenant: w.Caller.Tenant, Name: "mallory", Grant: .3, Scopes: []access.Scope{access.MemoryShare}}
	if _, err := w.Supersede(t.Context(), mallory, engine.SupersedeInput{ID: belief.ID, Content: "Anyone may open the sluice.", Reason: "trust me"}); graph.CodeOf(err) != graph.CodeForbidden {
		t.Errorf("a correction with a grant of .3: %v", err)
	}
	r, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: "who may open the sluice at the Orsini weir", User: "ana", MinAuthority: .5, Access: engine.Access{RequireConsent: true}})
	if err != nil || len(r.Hits) == 0 || r.Hits[0].Memory.ID != belief.ID {
		t.Errorf("a reader who asks for consent and authority finds %d hits, %v", len(r.Hits), err)
	}
}

// A belief takes nothing from a twin of less trust, not its vector either. A twin of equal trust
// is part of its vector.
func TestEvidenceDoesNotMoveTheVector(t *testing.T) {
	for _, c := range []struct {
		authority float64
		moves     bool
		kind      graph.EdgeKind
	}{{.3, false, graph.EvidenceFor}, {.8, true, ""}} {
		w := enginetest.New(t)
		belief := rememberOne(w, engine.RememberInput{Content: "The gate of the yard is locked at night", User: "ana", Consent: graph.ConsentExplicit, Confidence: fixture.Ptr(.8), Authority: fixture.Ptr(.8)})
		before := vectorOf(t, w, belief.ID)
		twin := rememberOne(w, engine.RememberInput{Content: "The gate of the yard is always locked at night", User: "ana", Consent: graph.ConsentExplicit, Authority: &c.authority, OnDuplicate: engine.Insert, Confidence: fixture.Ptr(.5)})
		w.Clock.Advance(24 * time.Hour)
		fixture.MustDeepSleep(w)
		if x := fixture.MustView(w, twin.ID); x.Consolidated != belief.ID {
			t.Fatalf("authority %v: the twin is %s", c.authority, x.State.Status)
		}
		if moved := fmt.Sprint(vectorOf(t, w, belief.ID)) != fmt.Sprint(before); moved != c.moves {
			t.Errorf("authority %v: the vector moved: %v", c.authority, moved)
		}
		_ = w.Store.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) error {
			_, err := r.Edge(twin.ID, graph.EvidenceFor, belief.ID)
			if found, _ := graph.Found(err); found != (c.kind != "") {
				t.Errorf("authority %v: evidence %v", c.authority, found)
			}
			return nil
		})
	}
}

func rememberOne(w *enginetest.World, in engine.RememberInput) *engine.View {
	return fixture.MustRemember(w, in)[0].Memory
}

func vectorOf(t *testing.T, w *enginetest.World, id graph.ID) (v []float32) {
	t.Helper()
	if err := w.Store.View(t.Context(), w.Caller.Scope(), func(r graph.Reader) (err error) { v, err = r.Embedding(id); return err }); err != nil {
		t.Fatal(err)
	}
	return v
}
