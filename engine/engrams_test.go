package engine_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// engram writes a memory that is engraved when it answers, and the shelf it stands on.
func engram(t *testing.T, content, question string, with ...func(*engine.RememberInput)) (*enginetest.World, *enginetest.Shelf, graph.ID) {
	t.Helper()
	shelf := enginetest.NewShelf()
	w := enginetest.With(t, enginetest.Options{Recess: shelf})
	sure, strong, important := 1.0, 0.8, 0.9
	id := w.Remember(content, append(with, func(in *engine.RememberInput) {
		in.Authority, in.Confidence, in.Salience, in.Source = &sure, &strong, &important, "gardener"
	})...).Memory.ID
	for range 5 {
		w.Search(question, func(in *engine.SearchInput) { in.Track = true })
		w.Clock.Advance(24 * time.Hour)
		if _, err := w.Engine.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := w.Engine.Memory(t.Context(), w.Caller, id, engine.Access{}); err != nil || v.Memory.State().Tier != graph.L3 {
		t.Fatalf("not engraved: %+v, %v", v, err)
	}
	return w, shelf, id
}

// A damaged engram is served by no read, whichever way leads to it, and what stands
// beside it is served.
func TestADamagedEngramIsServedNowhere(t *testing.T) {
	w, shelf, id := engram(t, "The main valve of Willow Greenhouse is behind the fig tree.", "Where is the main valve?",
		func(in *engine.RememberInput) { in.Session = "tour" })
	c := w.Caller
	w.Clock.Advance(time.Minute)
	beside := w.Remember("The main valve of Willow Greenhouse is not behind the fig tree.", func(in *engine.RememberInput) { in.Session = "tour" }).Memory.ID
	shelf.Damage(id)

	check := func(way string, views ...*engine.View) {
		t.Helper()
		found := false
		for _, v := range views {
			switch {
			case v == nil:
			case v.ID == id:
				found = true
				if v.Content != "" || v.Unavailable == nil || v.Unavailable.Code != graph.CodeIntegrityFailure {
					t.Errorf("%s: the damaged engram is served: %q, %v", way, v.Content, v.Unavailable)
				}
			case v.Content == "" || v.Unavailable != nil:
				t.Errorf("%s: %s is not served: %v", way, v.ID, v.Unavailable)
			}
		}
		if !found {
			t.Errorf("%s: does not lead to the engram", way)
		}
	}
	v, err := w.Engine.Memory(t.Context(), c, id, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	check("by id", v)
	related, err := w.Engine.Related(t.Context(), c, beside, 1, 0, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	check("related", related.Memories...)
	path, err := w.Engine.Path(t.Context(), c, beside, id, 2, engine.Access{})
	if err != nil {
		t.Fatal(err)
	}
	check("path", path.Memories...)
	conflicts, err := w.Engine.Conflicts(t.Context(), c, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var both []*engine.View
	for _, x := range conflicts {
		both = append(both, x.Later, x.Earlier)
	}
	check("conflicts", both...)
	events, err := w.Engine.Events(t.Context(), c, 0, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	check("events", next(t, events).Memory)
}
