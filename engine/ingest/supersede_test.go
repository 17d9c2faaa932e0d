package ingest_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

func TestSupersedeKeepsTheChain(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("The office is in Utrecht.", func(in *engine.RememberInput) { in.Tags = []string{"office"} }).Memory
	w.Clock.Advance(24 * time.Hour)
	b := fixture.Supersede(t, w, a.ID, "The office is in Leiden.")
	w.Clock.Advance(24 * time.Hour)
	c := fixture.Supersede(t, w, b.Memory.ID, "The office is in Delft.")

	if c.Memory.Version != 3 || c.Memory.Supersedes != b.Memory.ID || c.Memory.Chain != a.ID || c.Memory.Tags[0] != "office" {
		t.Errorf("third version: %+v", c.Memory.Memory)
	}
	if c.Previous.State.Status != graph.Superseded || c.Previous.SupersededBy != c.Memory.ID || !c.Previous.State.ValidTo.Equal(c.Memory.ValidFrom) {
		t.Errorf("second version: %+v", c.Previous.State)
	}
	for _, id := range []graph.ID{a.ID, b.Memory.ID, c.Memory.ID} {
		versions, err := w.Lineage(t.Context(), w.Caller, id, 0, 0)
		if err != nil || len(versions) != 3 {
			t.Fatalf("lineage of %s: %d versions, %v", id, len(versions), err)
		}
		for i, v := range versions {
			if v.Version != i+1 || v.Checksum == "" || (i < 2) == v.SupersededAt.IsZero() {
				t.Errorf("version %d: %+v", i+1, v)
			}
		}
		if versions[1].Reason != "a correction" {
			t.Errorf("reason %q", versions[1].Reason)
		}
	}
	hits := w.Search("Where is the office?").Hits
	if len(hits) != 1 || hits[0].Memory.ID != c.Memory.ID || hits[0].Label != engine.Current {
		t.Errorf("a search for the present finds %d hits", len(hits))
	}
	past := w.Search("Where is the office?", func(in *engine.SearchInput) { in.Statuses = []graph.Status{graph.Active, graph.Superseded} }).Hits
	if len(past) != 3 {
		t.Errorf("history asked for: %d hits", len(past))
	}
	part, err := w.Lineage(t.Context(), w.Caller, a.ID, 1, 1)
	if err != nil || len(part) != 1 || part[0].Version != 2 {
		t.Errorf("a page of the lineage: %+v, %v", part, err)
	}
}

// A chain that damaged data made a ring ends a correction with an error.
func TestSupersedeOnARing(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("The office is in Utrecht.").Memory
	w.Clock.Advance(24 * time.Hour)
	b := fixture.Supersede(t, w, a.ID, "The office is in Leiden.").Memory
	_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		last, err := tx.Memory(b.ID)
		if err != nil {
			return err
		}
		last.SupersededBy, last.Supersedes = a.ID, a.ID
		last.UpdatedAt = last.SetState(w.Now().Add(time.Second), func(s *graph.State) { s.Status = graph.Superseded })
		return tx.PutMemory(last, graph.EventUpdated)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
	for _, id := range []graph.ID{a.ID, b.ID} {
		_, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: id, Content: "The office is in Delft.", Reason: "moved"})
		if err == nil {
			t.Errorf("%s was superseded", id)
		}
	}
}

func TestSupersedeOnlyTheHead(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("The code word is heron.").Memory
	b := fixture.Supersede(t, w, a.ID, "The code word is plover.").Memory
	_, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: a.ID, Content: "The code word is curlew."})
	fixture.WantError(t, err, graph.CodeVersionConflict, "id")
	if !strings.Contains(err.Error(), string(b.ID)) {
		t.Errorf("the error does not name the current id: %v", err)
	}
	_, err = w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: "019c75e5-7095-7fff-bfff-ffffffffffff", Content: "x"})
	fixture.WantError(t, err, graph.CodeMemoryNotFound, "id")
	w.Caller.Grant = 0.5
	_, err = w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: b.ID, Content: "The code word is curlew."})
	fixture.WantError(t, err, graph.CodeForbidden, "id")
}

func TestSupersedeTwiceInOneMillisecond(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("Draft one.").Memory
	b := fixture.Supersede(t, w, a.ID, "Draft two.").Memory
	c := fixture.Supersede(t, w, b.ID, "Draft three.").Memory
	if !b.RecordedAt.After(a.RecordedAt) || !c.RecordedAt.After(b.RecordedAt) {
		t.Errorf("recorded at %v, %v, %v", a.RecordedAt, b.RecordedAt, c.RecordedAt)
	}
	for _, m := range []*engine.View{a, b, c} {
		got := enginetest.IDs(w.Search("draft", func(in *engine.SearchInput) { in.Access.AsOf.Recorded = m.RecordedAt }))
		if len(got) != 1 || got[0] != m.ID {
			t.Errorf("as of version %d: %v", m.Version, got)
		}
	}
}

func TestSupersedeIsIdempotent(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("Tea at four.").Memory
	in := engine.SupersedeInput{ID: a.ID, Content: "Tea at five.", IdempotencyKey: "tea"}
	first, err := w.Supersede(t.Context(), w.Caller, in)
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.Supersede(t.Context(), w.Caller, in)
	if err != nil || !again.Replayed || again.Memory.ID != first.Memory.ID || again.Previous.ID != a.ID {
		t.Errorf("replay: %+v, %v", again, err)
	}
	in.Content = "Tea at six."
	_, err = w.Supersede(t.Context(), w.Caller, in)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "idempotencyKey")
}

func TestConcurrentSupersedesAreLinear(t *testing.T) {
	w := enginetest.New(t)
	a := w.Remember("The tide table is pinned to the door.").Memory
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			_, err := w.Supersede(context.Background(), w.Caller, engine.SupersedeInput{ID: a.ID, Content: "The tide table hangs in the hall."})
			switch graph.CodeOf(err) {
			case graph.CodeVersionConflict:
			default:
				if err != nil {
					t.Error(err)
					return
				}
				won.Add(1)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 8 replaced the same version", won.Load())
	}
	versions, err := w.Lineage(t.Context(), w.Caller, a.ID, 0, 0)
	if err != nil || len(versions) != 2 {
		t.Errorf("%d versions, %v", len(versions), err)
	}
}

func TestLineageOfUnknownID(t *testing.T) {
	w := enginetest.New(t)
	versions, err := w.Lineage(t.Context(), w.Caller, "019c75e5-7095-7fff-bfff-ffffffffffff", 0, 0)
	if err != nil || len(versions) != 0 {
		t.Errorf("%v, %v", versions, err)
	}
	one, err := w.Lineage(t.Context(), w.Caller, w.Remember("Alone.").Memory.ID, 0, 0)
	if err != nil || len(one) != 1 || one[0].Version != 1 {
		t.Errorf("%v, %v", one, err)
	}
	_, err = w.Lineage(t.Context(), w.Caller, "nonsense", 0, 0)
	fixture.WantError(t, err, graph.CodeInvalidRequest, "id")
}

func TestValidTimeIsDividedBetweenVersions(t *testing.T) {
	w := enginetest.New(t)
	jan, mar, feb := fixture.Day(2026, 1, 1), fixture.Day(2026, 3, 1), fixture.Day(2026, 2, 1)
	a := w.Remember("Ilse leads the workshop.", func(in *engine.RememberInput) { in.ValidFrom = jan }).Memory
	w.Clock.Advance(time.Hour)
	r, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: a.ID, Content: "Joost leads the workshop.", ValidFrom: mar})
	if err != nil {
		t.Fatal(err)
	}
	asOf := func(recorded, valid time.Time) []graph.ID {
		return enginetest.IDs(w.Search("Who leads the workshop?", func(in *engine.SearchInput) { in.Access.AsOf = graph.AsOf{Recorded: recorded, Valid: valid} }))
	}
	for _, c := range []struct {
		name            string
		recorded, valid time.Time
		want            []graph.ID
	}{
		{"before it was true", time.Time{}, fixture.Day(2025, 12, 31), nil},
		{"in February, as we know today", time.Time{}, feb, []graph.ID{a.ID}},
		{"today", time.Time{}, w.Clock.Now(), []graph.ID{r.Memory.ID}},
		{"today, as we knew before the correction", enginetest.Start, w.Clock.Now(), []graph.ID{a.ID}},
		{"before anything was known", enginetest.Start.Add(-time.Millisecond), feb, nil},
		{"what we knew before the correction", enginetest.Start, time.Time{}, []graph.ID{a.ID}},
	} {
		got := asOf(c.recorded, c.valid)
		if len(got) != len(c.want) || (len(got) == 1 && got[0] != c.want[0]) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
