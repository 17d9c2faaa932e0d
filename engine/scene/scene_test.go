package scene_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// kindsOf counts the edges of a scene by kind.
func kindsOf(s *engine.Scene) map[string]int {
	n := map[string]int{}
	for _, x := range s.Edges {
		n[x.Kind]++
	}
	return n
}

func scene(t *testing.T, w *enginetest.World, before *engine.Scene) *engine.Scene {
	t.Helper()
	s, err := w.SceneAfter(t.Context(), w.Caller, nil, before)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sceneLife runs verbs that write each kind of edge, and calls look after each of them.
func sceneLife(t *testing.T, w *enginetest.World, look func(what string)) {
	t.Helper()
	fixture.WithoutRevision(t, w, "default")
	say := func(text, subject, session string) graph.ID {
		w.Clock.Advance(time.Minute)
		return w.Remember(text, func(in *engine.RememberInput) {
			in.Subject, in.Session, in.Type = subject, session, graph.Semantic
			in.Entities, in.OnDuplicate = []string{"The Mill", subject}, engine.Insert
		}).Memory.ID
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	gate := say("The gate opens at seven.", "gate", "monday")
	look("a first memory")
	for i := range 4 {
		say(fmt.Sprintf("Sack %d of barley went to the miller.", i), "barley", "monday")
	}
	look("a session")
	fixture.Supersede(t, w, gate, "The gate opens at eight.")
	look("a correction")
	fixture.Adjudicate(t, w, "The gate opens at nine.", "gate", fixture.Evidence("ana", 1), fixture.Evidence("bo", 1), fixture.Evidence("cy", 1))
	look("an adjudication")
	fixture.Adjudicate(t, w, "The gate opens at nine.", "gate", fixture.Evidence("dee", 1), fixture.Evidence("eli", 1))
	look("more evidence for a belief")
	blue, red := say("The door of the mill is blue.", "door", ""), say("The door of the mill is red.", "door", "")
	look("a conflict")
	_, err := w.Engine.ResolveConflict(t.Context(), w.Caller, blue, red, "", "")
	must(err)
	look("a conflict that was let stand")
	for range 6 {
		say("The barley is kept in the dry loft above the stones.", "barley", "tuesday")
	}
	w.Clock.Advance(40 * 24 * time.Hour)
	_, err = w.Sleep(t.Context(), w.Caller, fixture.DeepSleep)
	must(err)
	look("a sleep")
	_, err = w.Forget(t.Context(), w.Caller, engine.ForgetInput{IDs: []graph.ID{blue}})
	must(err)
	look("an erasure")
}

func TestSceneHasEveryKindOfEdge(t *testing.T) {
	w := enginetest.New(t)
	seen := map[string]int{}
	stood := 0
	sceneLife(t, w, func(what string) {
		n := kindsOf(scene(t, w, nil))
		maps.Copy(seen, n)
		if what == "a conflict" {
			stood = n["CONTRADICTS"]
		}
		if what == "a conflict that was let stand" && n["CONTRADICTS"] >= stood {
			t.Errorf("%d of %d conflicts are drawn after one was dismissed", n["CONTRADICTS"], stood)
		}
	})
	for _, kind := range []string{"SUPERSEDES", "SAME_SESSION", "TEMPORAL_SEQ", "ENTITY_OVERLAP", "CONTRADICTS", "DERIVED_FROM", "CONSOLIDATED_INTO", "EVIDENCE_FOR"} {
		if _, ok := seen[kind]; !ok {
			t.Errorf("no %s was ever drawn: %v", kind, seen)
		}
	}
}

func TestSceneAfterEqualsScene(t *testing.T) {
	w := enginetest.New(t)
	var before *engine.Scene
	sceneLife(t, w, func(what string) {
		whole, after := scene(t, w, nil), scene(t, w, before)
		if !slices.Equal(whole.Texts, after.Texts) {
			t.Errorf("%s: texts %q, want %q", what, after.Texts, whole.Texts)
		}
		if !slices.Equal(whole.Edges, after.Edges) {
			t.Errorf("%s: edges %v, want %v", what, kindsOf(after), kindsOf(whole))
		}
		if again := scene(t, w, after); !slices.Equal(again.Edges, after.Edges) || !slices.Equal(again.Texts, after.Texts) {
			t.Errorf("%s: it differs from itself", what)
		}
		before = after
	})
}
