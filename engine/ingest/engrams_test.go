package ingest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// engram writes a memory that is engraved when the call returns, and returns it with its
// archive.
func engram(t *testing.T, content, question string, with ...func(*engine.RememberInput)) (*enginetest.World, *enginetest.FakeArchive, graph.ID) {
	t.Helper()
	shelf := enginetest.NewFakeArchive()
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

// No read returns a damaged engram, on any path, and the intact results next to it are
// still returned.
func TestDamagedEngramIsNotServed(t *testing.T) {
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
	related, err := w.Engine.Related(t.Context(), c, engine.RelatedInput{ID: beside, Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	check("related", related.Memories...)
	path, err := w.Engine.Path(t.Context(), c, engine.PathInput{From: beside, To: id, Depth: 2})
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
	check("events", fixture.NextEvent(t, events).Memory)
}

// An engram with a twin keeps the vector of its own text. The vector of the memory is the
// mean of both, and could not be removed from immutable storage.
func TestEngramExcludesMergedDuplicate(t *testing.T) {
	sure, strong, important := 1.0, 0.8, 0.9
	shelf := enginetest.NewFakeArchive()
	w := enginetest.With(t, enginetest.Options{Recess: shelf})
	insert := func(text string, confidence float64) graph.ID {
		return w.Remember(text, func(in *engine.RememberInput) {
			in.Authority, in.Confidence, in.Salience, in.Source, in.OnDuplicate = &sure, &confidence, &important, "gardener", engine.Insert
		}).Memory.ID
	}
	kept := insert("The main valve of the greenhouse is behind the fig tree.", strong)
	twin := insert("The main valve of the greenhouse is behind the fig tree, there.", 0.6)
	for range 5 {
		w.Search("Where is the main valve?", func(in *engine.SearchInput) { in.Track = true })
		w.Clock.Advance(24 * time.Hour)
		if _, err := w.Engine.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
			t.Fatal(err)
		}
	}
	var m, folded *graph.Memory
	var mean []float32
	err := w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) (err error) {
		if m, err = r.Memory(kept); err != nil {
			return err
		}
		if folded, err = r.Memory(twin); err != nil {
			return err
		}
		mean, err = r.Embedding(kept)
		return err
	})
	if err != nil || m.State().Tier != graph.L3 || folded.Consolidated != kept {
		t.Fatalf("%v: %+v, %+v", err, m, folded)
	}
	own, err := hashed.New().Embed(t.Context(), []string{m.Content}, models.Passage)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(mean, own[0]) {
		t.Fatal("the merge left the vector as it was: the test shows nothing")
	}
	if got := shelf.Vector(w.Caller.Tenant, kept); !slices.Equal(got, own[0]) {
		t.Error("the engram has another vector than that of its words")
	}
}

// An erased memory leaves nothing in the vector of the memory that it had been merged
// into.
func TestErasedDuplicateLeavesTheVector(t *testing.T) {
	w := enginetest.New(t)
	insert := func(text string, confidence float64) graph.ID {
		return w.Remember(text, func(in *engine.RememberInput) { in.Confidence, in.OnDuplicate = &confidence, engine.Insert }).Memory.ID
	}
	kept := insert("The main valve of the greenhouse is behind the fig tree.", 0.8)
	twin := insert("The main valve of the greenhouse is behind the fig tree, there.", 0.6)
	vector := func() []float32 {
		t.Helper()
		var v []float32
		err := w.Store.View(t.Context(), graph.Scope{Tenant: w.Caller.Tenant}, func(r graph.Reader) (err error) { v, err = r.Embedding(kept); return err })
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	own := vector()
	w.Clock.Advance(time.Hour)
	if r, err := w.Engine.Sleep(t.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil || r.Deduplicated != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if slices.Equal(vector(), own) {
		t.Fatal("the merge left the vector as it was: the test shows nothing")
	}
	events, err := w.Engine.Events(t.Context(), w.Caller, 0, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	fixture.Forget(t, w, engine.ForgetInput{IDs: []graph.ID{twin}})
	for ev := fixture.NextEvent(t, events); ev.ID != kept || ev.Kind != graph.EventUpdated || ev.Memory.EmbeddingModel == ""; ev = fixture.NextEvent(t, events) {
		if ev.ID == kept && ev.Kind == graph.EventForgotten {
			t.Fatal("the duplicate was erased too")
		}
	}
	if !slices.Equal(vector(), own) {
		t.Error("the vector is not that of the memory's own words")
	}
}
