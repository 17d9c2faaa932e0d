package reader

import "testing"

// TestMovesToWhatIsNoPlace reads moves by the kind of what somebody moved to.
func TestMovesToWhatIsNoPlace(t *testing.T) {
	for text, want := range map[string]string{
		"I moved to Oslo.":                   "lives in",
		"I moved to Bryne last month.":       "lives in",
		"I moved to Bryne for a job.":        "lives in",
		"I moved to Bryne with my daughter.": "lives in",
		"I moved to Bryne, near Stavanger.":  "lives in",
		"I moved to the Algarve.":            "lives in",
		"I moved to Tromsø.":                 "lives in",
		"I relocated to Kalmar.":             "lives in",
		"My sister moved to Kalmar.":         "lives in",
		"I moved to a flat in Bryne.":        "lives in",
		"I moved to Kagi.":                   "moved to",
		"I moved to Kagi for search.":        "moved to",
		"We moved to Fastmail.":              "moved to",
		"I moved to decaf.":                  "moved to",
		"I moved to a standing desk.":        "moved to",
	} {
		c := Read(text, Hints{Speaker: "zo"})
		if len(c) == 0 || c[0].Predicate != want {
			t.Errorf("%q: %+v, want %q", text, c, want)
		}
	}
}

// TestAMoveToAnUnknownName revises a residence as far as the words show that the name is that of a place.
func TestAMoveToAnUnknownName(t *testing.T) {
	for later, want := range map[string]Kind{
		"I moved to Bryne last month.": Changed,
		"I moved to Tromsø.":           Changed,
		"I moved to Kagi for search.":  Compatible,
		"I moved to decaf.":            Compatible,
		"I moved to Kagi.":             Contradicting, // a rival
	} {
		r := Relate(Statement{Text: "I live in Oslo.", Speaker: "zo"}, Statement{Text: later, Speaker: "zo"})
		if ok := r.Certainty >= Revises; ok != (want == Changed) || r.Certainty < Rivals != (want == Compatible) {
			t.Errorf("%q: %s, %.2f", later, r.Kind, r.Certainty)
		}
	}
}

// TestThePredicateFollowsTheObject compares the slots of claims whose verb says little.
func TestThePredicateFollowsTheObject(t *testing.T) {
	lives := SlotPredicate("lives in")
	for object, want := range map[string]bool{"Oslo": true, "Haarlem": true, "decaf": false, "Linux": false, "": false} {
		if got := ClaimPredicate("moved to", object) == lives; got != want {
			t.Errorf("moved to %q is a residence: %v", object, got)
		}
	}
	if Predicate("moved to") == Predicate("lives in") || Predicate("joined") == Predicate("works at") {
		t.Error("a verb that says little has a predicate of the table by itself")
	}
}
