package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// A move to a name that no table knows ends a residence if the rest of the text, or another statement of the user, tells that the name is one of a
// place. It does not if one tells that it is used, or says nothing of it.
func TestWhatIsToldOfANameDecidesAMove(t *testing.T) {
	for _, x := range []struct {
		told, moved string
		ends        bool
	}{
		{"", "I moved to Kamoo.", false},
		{"", "I moved to Kamoo. The rent is lower here.", true},
		{"", "I moved to Kamoo and my commute is down to ten minutes.", true},
		{"", "I moved to Kagi. The results are better.", false},
		{"The flats in Kamoo are smaller than I thought.", "I moved to Kamoo.", true},
		{"My sister lives in Kamoo.", "I moved to Kamoo.", true},
		{"My Kamoo subscription costs 10 euros.", "I moved to Kamoo.", false},
		{"I keep my notes in Obsedia.", "I moved to Obsedia.", false},
		{"I use Torrevieja for my backups.", "I moved to Torrevieja.", false},
	} {
		for name, say := range map[string]said{"remember": remembered, "observe": observed} {
			w := enginetest.New(t)
			old := say(w, "ana", "a", "I live in Groningen.")
			if x.told != "" {
				w.Clock.Advance(time.Hour)
				say(w, "ana", "b", x.told)
			}
			w.Clock.Advance(12 * 24 * time.Hour)
			say(w, "ana", "c", x.moved)
			if ended := view(w, old).Status() == graph.Superseded; ended != x.ends {
				t.Errorf("%s: %q, %q: the residence ended: %v, want %v", name, x.told, x.moved, ended, x.ends)
			}
		}
	}
}
