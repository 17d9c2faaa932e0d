package ingest_test

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
)

// triple makes a text the statement that a caller gives.
func triple(subject, predicate, object string) func(*engine.RememberInput) {
	return func(in *engine.RememberInput) { in.Subject, in.Predicate, in.Object = subject, predicate, object }
}

// sponsors states who sponsors a project.
func sponsors(w *enginetest.World, project, who string, with ...func(*engine.RememberInput)) *engine.RememberResult {
	return says(w, "The sponsor of "+project+": "+who, append([]func(*engine.RememberInput){by("ana", "s"+who), triple(project, "gets_money_from", who)}, with...)...)
}

// corrects supersedes a memory by another value.
func corrects(t *testing.T, w *enginetest.World, id graph.ID, text string) {
	t.Helper()
	if _, err := w.Supersede(t.Context(), w.Caller, engine.SupersedeInput{ID: id, Content: text}); err != nil {
		t.Fatal(err)
	}
}

func declares(t *testing.T, w *enginetest.World, predicates ...string) {
	t.Helper()
	if _, err := w.SetNamespacePolicy(t.Context(), w.Caller, engine.PolicyInput{Namespace: "default", Update: policy.Update{SingleValued: predicates}}); err != nil {
		t.Fatal(err)
	}
}

// A predicate that a caller gives has many values until the policy of its namespace declares it.
func TestADeclaredPredicateHasOneValue(t *testing.T) {
	w := enginetest.New(t)
	first := sponsors(w, "Kite", "Acme").Memory.ID
	second := sponsors(w, "Kite", "Globex")
	if len(second.Revised) != 0 || view(w, first).Status() != graph.Active {
		t.Fatalf("not declared: revised %v", second.Revised)
	}
	declares(t, w, "gets money from")
	third := sponsors(w, "Kite", "Initech")
	if !slices.Contains(third.Revised, first) || !slices.Contains(third.Revised, second.Memory.ID) {
		t.Errorf("declared: revised %v", third.Revised)
	}
	for name, r := range map[string]*engine.RememberResult{
		"another subject":   sponsors(w, "Heron", "Umbrella"),
		"another namespace": sponsors(w, "Kite", "Umbrella", func(in *engine.RememberInput) { in.Namespace = "other" }),
		"another user":      sponsors(w, "Kite", "Umbrella", func(in *engine.RememberInput) { in.User = "ben" }),
		"an assistant":      sponsors(w, "Kite", "Umbrella", func(in *engine.RememberInput) { in.SourceKind, in.Agent = graph.FromAssistant, "bot" }),
	} {
		if len(r.Revised) != 0 {
			t.Errorf("%s: revised %v", name, r.Revised)
		}
	}
	declares(t, w)
	w2 := sponsors(w, "Kite", "Hooli")
	if !slices.Contains(w2.Revised, third.Memory.ID) {
		t.Errorf("nil changed the policy: revised %v", w2.Revised)
	}
	if _, err := w.SetNamespacePolicy(t.Context(), w.Caller, engine.PolicyInput{Namespace: "default", Update: policy.Update{SingleValued: []string{}}}); err != nil {
		t.Fatal(err)
	}
	if r := sponsors(w, "Kite", "Vehement"); len(r.Revised) != 0 {
		t.Errorf("after the declaration was removed: revised %v", r.Revised)
	}
}

// Two corrections in a namespace teach that a predicate has one value.
func TestACorrectedPredicateIsLearned(t *testing.T) {
	w := enginetest.New(t)
	for i, project := range []string{"Heron", "Teal"} {
		corrects(t, w, sponsors(w, project, "Acme").Memory.ID, "The sponsor of "+project+": Globex")
		if r := sponsors(w, "Kite"+project, "Acme"); r.Memory == nil {
			t.Fatal(r)
		}
		if r := sponsors(w, "Kite"+project, "Globex"); (len(r.Revised) > 0) != (i == 1) {
			t.Errorf("after %d corrections: revised %v", i+1, r.Revised)
		}
	}
	if r := sponsors(w, "Kite", "Acme", func(in *engine.RememberInput) { in.Namespace = "other" }); len(r.Revised) != 0 {
		t.Fatal(r.Revised)
	}
	if r := sponsors(w, "Kite", "Globex", func(in *engine.RememberInput) { in.Namespace = "other" }); len(r.Revised) != 0 {
		t.Errorf("in another namespace: revised %v", r.Revised)
	}
	if err := w.Restart(); err != nil {
		t.Fatal(err)
	}
	first := sponsors(w, "Dove", "Acme").Memory.ID
	r := sponsors(w, "Dove", "Globex")
	if !slices.Equal(r.Revised, []graph.ID{first}) {
		t.Fatalf("after a restart: revised %v", r.Revised)
	}

	// A revision that is taken back shows that the predicate has several values.
	if _, err := w.UndoRevision(t.Context(), w.Caller, r.Memory.ID); err != nil {
		t.Fatal(err)
	}
	sponsors(w, "Crow", "Acme")
	if r := sponsors(w, "Crow", "Globex"); len(r.Revised) != 0 {
		t.Errorf("after a revision was taken back: revised %v", r.Revised)
	}
}

// What the table declares to have many values is learned from no correction, but may be declared.
func TestManyValuesStayMany(t *testing.T) {
	w := enginetest.New(t)
	likes := func(who, what string) *engine.RememberResult {
		return says(w, who+" and "+what, by("ana", "s"+what), triple(who, "likes", what))
	}
	for _, who := range []string{"Heron", "Teal", "Dove"} {
		corrects(t, w, likes(who, "tea").Memory.ID, who+" and coffee")
	}
	likes("Kite", "tea")
	if r := likes("Kite", "coffee"); len(r.Revised) != 0 {
		t.Errorf("revised %v", r.Revised)
	}
}
