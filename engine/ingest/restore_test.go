package ingest_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// What a statement ended holds again when the statement is withdrawn, and not when it is replaced.
func TestAWithdrawnChangeGivesBackWhatItEnded(t *testing.T) {
	for _, x := range []struct {
		first, second, third string
		back                 bool
	}{
		{"I live in Oslo.", "I live in Bergen.", "I never lived in Bergen, that was a typo.", true},
		{"I work at Lidl.", "I work at Aldi.", "I never worked at Aldi.", true},
		{"I live in Oslo.", "I live in Bergen.", "No, I don't live in Bergen, I live in Ulm.", false},
		{"I live in Oslo and my dog is called Faro.", "I live in Bergen.", "I never lived in Bergen.", true},
	} {
		w := enginetest.New(t)
		var written []graph.ID
		for _, text := range []string{x.first, x.second, x.third} {
			written = append(written, w.Remember(text, func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID)
			w.Clock.Advance(72 * time.Hour)
		}
		first, second, third := view(w, written[0]).Memory, view(w, written[1]), view(w, written[2])
		if second.Status() != graph.Superseded || third.Status() != graph.Active {
			t.Errorf("%q: the second is %s, the third %s", x.third, second.Status(), third.Status())
		}
		now := w.Clock.Now()
		holds := first.Status() == graph.Active && first.SupersededBy == "" && (first.State().ValidTo.IsZero() || first.State().ValidTo.After(now))
		for _, c := range first.Claims {
			holds = holds && c.State().RevisedBy == "" && c.State().ValidTo.IsZero()
		}
		if holds != x.back {
			t.Errorf("%q: %q holds: %v, want %v", x.third, x.first, holds, x.back)
		}
	}
}
