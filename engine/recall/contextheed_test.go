package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What harm follows from is in every prompt, as a rule is: of the user and the family, while it is so, and with consent.
func TestWhatHasToBeHeededIsInEveryContext(t *testing.T) {
	const query = "Plan my train journey to the museum."
	for _, x := range []struct {
		text string
		why  string // empty: it is not there whatever the query is
		with func(*engine.RememberInput)
	}{
		{"I'm allergic to peanuts.", "true: harm follows", nil},
		{"My daughter has asthma.", "true: harm follows", nil},
		{"Nuts could kill me.", "true: harm follows", nil},
		{"I go into shock if I eat shrimp.", "true: harm follows", nil},
		{"Our son can't have dairy.", "true: harm follows", nil},
		{"I must never take ibuprofen.", "true: harm follows", nil},
		{"That joke could kill me.", "", nil},
		{"Nuts could kill my neighbour.", "", nil},
		{"Acetone eats through polystyrene cups.", "true: safety-critical", func(in *engine.RememberInput) { in.SafetyCritical = true }},
		{"Acetone eats through polystyrene cups.", "", nil},
		{"My colleague's cat is allergic to dust.", "", nil},
		{"Peanuts are a common allergy.", "", nil},
		{"I'm allergic to peanuts.", "", func(in *engine.RememberInput) { in.User = "ben" }},
		{"I'm allergic to peanuts.", "", func(in *engine.RememberInput) { in.Consent = graph.ConsentNone }},
		{"I'm allergic to peanuts.", "", func(in *engine.RememberInput) { in.SourceKind, in.Agent = graph.FromTool, "crawler" }},
		{"I'm allergic to peanuts.", "", func(in *engine.RememberInput) { in.Project = "atlas" }},
		{"Acetone eats through polystyrene cups.", "", func(in *engine.RememberInput) { in.SafetyCritical, in.Consent = true, graph.ConsentNone }},
	} {
		w := enginetest.New(t)
		with := []func(*engine.RememberInput){by("ana")}
		if x.with != nil {
			with = append(with, x.with)
		}
		id := w.Remember(x.text, with...).Memory.ID
		w.Remember("The train to the museum leaves at nine.", by("ana"))
		r := contextOf(w, query)
		why := reasonOf(r, id)
		if bound := strings.HasPrefix(why, "true: harm") || strings.HasPrefix(why, "true: safety"); bound != (x.why != "") || !strings.HasPrefix(why, x.why) {
			t.Errorf("%q: %q, want %q\n%s", x.text, why, x.why, r.Text)
		}
	}
}

// What harms is no plan and no event: it does not fade.
func TestWhatHarmsLasts(t *testing.T) {
	w := enginetest.New(t)
	m := w.Remember("Nuts could kill me.", by("ana")).Memory
	if m.Type != graph.Semantic || len(m.Memory.Claims) != 1 || m.Memory.Claims[0].State().Predicate != "is harmed by" {
		t.Errorf("%s with the claims %+v", m.Type, m.Memory.Claims)
	}
	w.Clock.Advance(200 * 24 * time.Hour)
	if r := contextOf(w, "Plan my train journey to the museum."); !strings.Contains(r.Text, "Nuts could kill me") {
		t.Errorf("after 200 days: %s", r.Text)
	}
}

func TestWhatNoLongerHasToBeHeededLeavesTheContext(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("I'm allergic to kiwi.", by("ana"))
	if r := contextOf(w, "Cook dinner for me tonight."); !strings.Contains(r.Text, "allergic to kiwi") {
		t.Fatalf("%s", r.Text)
	}
	w.Clock.Advance(24 * time.Hour)
	w.Remember("I'm no longer allergic to kiwi.", by("ana"))
	if r := contextOf(w, "Plan my train journey to the museum."); strings.Contains(r.Text, "kiwi") {
		t.Errorf("%s", r.Text)
	}
}

// A caller with a narrower sight does not see it, nor does a read that requires consent where it was only implied.
func TestWhatHasToBeHeededIsWithinTheSight(t *testing.T) {
	w := enginetest.New(t)
	w.Remember("I'm allergic to peanuts.", by("ana"), func(in *engine.RememberInput) {
		in.Sensitivity, in.Consent = graph.Restricted, graph.ConsentImplicit
	})
	narrow := w.Caller
	narrow.Sensitivity = graph.Internal
	for name, x := range map[string]struct {
		caller engine.Caller
		access engine.Access
		seen   bool
	}{
		"any":                 {w.Caller, engine.Access{}, true},
		"a narrow sight":      {narrow, engine.Access{}, false},
		"consent is required": {w.Caller, engine.Access{RequireConsent: true}, false},
	} {
		r, err := w.Engine.Context(t.Context(), x.caller, engine.ContextInput{Session: "now", User: "ana", Query: "Plan my train journey.", Access: x.access})
		if err != nil {
			t.Fatal(err)
		}
		if seen := strings.Contains(r.Text, "peanuts"); seen != x.seen {
			t.Errorf("%s: %v", name, seen)
		}
	}
}
