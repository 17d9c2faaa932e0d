package grouping_test

import (
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// A few memories that share a noun are a cluster of that name. If they share only a person, who takes part in many
// matters, or a unit, they are none.
func TestASmallGroupNeedsAName(t *testing.T) {
	for _, c := range []struct {
		label string // "": they are no cluster
		texts []string
	}{
		{"Kiln", []string{"The kiln cracked at noon.", "Nobody forgot the kiln.", "The kiln whistles loudly.", "He overslept beside the kiln."}},
		{"", []string{"Eva cracked up at noon.", "Nobody forgot Eva.", "Eva whistles loudly.", "He overslept, and so did Eva."}},
		{"", []string{"It was 40 crowns at noon.", "Nobody forgot the 7 crowns.", "She lost 90 crowns.", "He overslept for 3 crowns."}},
	} {
		w := village(t)
		for _, text := range c.texts {
			in := engine.RememberInput{Content: text, Tags: []string{"odd"}, Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
			if _, err := w.Engine.Remember(t.Context(), w.Caller, in); err != nil {
				t.Fatal(err)
			}
		}
		night(w)
		var small []string
		for _, x := range clusters(w, w.Caller) {
			if x.Size < 10 {
				small = append(small, x.Label.Text)
			}
		}
		if c.label == "" && len(small) > 0 || c.label != "" && (len(small) != 1 || small[0] != c.label) {
			t.Errorf("%q: small clusters %q, want %q", c.texts[1], small, c.label)
		}
	}
}
