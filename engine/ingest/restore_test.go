package ingest_test

import (
	"strings"
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
		{"I live in Oslo.", "No, I never lived in Oslo, I live in Bergen.", "I never lived in Bergen.", false},
		{"I work at Lidl.", "I work at Aldi.", "I no longer work at Lidl. | I never worked at Aldi.", false},
	} {
		w := enginetest.New(t)
		var written []graph.ID
		for text := range strings.SplitSeq(x.first+" | "+x.second+" | "+x.third, " | ") {
			written = append(written, w.Remember(text, func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID)
			w.Clock.Advance(72 * time.Hour)
		}
		first, last := view(w, written[0]).Memory, view(w, written[len(written)-1])
		if last.Status() != graph.Active {
			t.Errorf("%q is %s", x.third, last.Status())
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

// A withdrawal that is taken back leaves what it withdrew and what it gave back in conflict.
func TestAWithdrawalTakenBackContests(t *testing.T) {
	w := enginetest.New(t)
	var ids []graph.ID
	for _, text := range []string{"I live in Oslo.", "I live in Bergen.", "I never lived in Bergen, that was a typo."} {
		ids = append(ids, w.Remember(text, func(in *engine.RememberInput) { in.User = "ana" }).Memory.ID)
		w.Clock.Advance(72 * time.Hour)
	}
	if _, err := w.UndoRevision(t.Context(), w.Caller, ids[2]); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids[:2] {
		if v := view(w, id); v.Status() != graph.Active || v.Conflict == 0 {
			t.Errorf("%q is %s with the conflict %.2f", v.Content, v.Status(), v.Conflict)
		}
	}
}
