package reader

import (
	"maps"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/frames"
)

// TestFormsTakeKindsOfValues reads forms that differ in the kind of their value.
func TestFormsTakeKindsOfValues(t *testing.T) {
	for _, tt := range []struct {
		text, frame string
		want        bool
	}{
		{"I go to Riverside School.", "school", true},
		{"I go to the dentist.", "school", false},
		{"You can go to the university.", "school", false},
		{"I switched to a college in Bath.", "school", true},
		{"I switched to Helix.", "school", false},
		{"I adopted Helix.", "tool", true},
		{"I adopted a puppy.", "tool", false},
		{"I moved to flat 5.", "residence", true},
		{"I moved to Linear.", "residence", false},
		{"I moved the sofa to flat 5.", "residence", false},
		{"Ana runs the shop.", "lead", true},
		{"The script runs the tests.", "lead", false},
	} {
		cs := clauses(tt.text, scan(tt.text), "@ana")
		got := slices.ContainsFunc(cs[0].slots, func(s slot) bool { return frames.All[s.frame].Name == tt.frame })
		if got != tt.want {
			t.Errorf("%q is read as %s: %v, want %v", tt.text, tt.frame, got, tt.want)
		}
	}
}

// TestFormsNameKnownKinds finds a kind that no form could meet, or that none asks for.
func TestFormsNameKnownKinds(t *testing.T) {
	known := map[string]bool{"alone": false, "definite": false, "some": false, "person": false, "offer": false, "none": false, "name": false, "town": false, "firm": false, "family": false, "own": false, "passive": false, "time": false}
	for kind, nouns := range frames.Kinds {
		known[kind] = false
		if len(nouns) == 0 {
			t.Errorf("kind %s has no noun", kind)
		}
	}
	for verb, forms := range frames.Verbs {
		for _, s := range forms {
			for _, x := range s.Takes {
				for _, kind := range x.Kinds {
					if _, ok := known[kind]; !ok {
						t.Errorf("a form of %s names an unknown kind, %s", verb, kind)
					}
					known[kind] = true
				}
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(known)) {
		if !known[kind] {
			t.Errorf("no form asks for %s", kind)
		}
	}
}
