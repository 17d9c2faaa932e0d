package recall_test

import (
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// What has faded answers also where the present hits only share a word or a topic with the question.
func TestWhatHasFadedIsFoundWhenTheHitsDoNotAnswer(t *testing.T) {
	for _, x := range []struct{ old, now, question string }{
		{"I paid 640 euros for the new bike", "The bike is locked in the cellar", "How much was my bike?"},
		{"Uncle Piet took me out to sail", "Emil is in third grade", "Who took me sailing?"},
	} {
		w := enginetest.New(t)
		old := said(w, x.old, 180*24*time.Hour)
		said(w, x.now, time.Hour)
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if placeOf(r, old) != 0 || r.Hits[0].Label != engine.Faded {
			t.Errorf("%q: at %d of %d, unsure %v", x.question, placeOf(r, old), len(r.Hits), r.Unsure)
		}
	}
}

// A question that the present hits answer is not looked up among what has faded.
func TestWhatHasFadedStaysAwayFromAnswers(t *testing.T) {
	w := enginetest.New(t)
	old := said(w, "I paid 640 euros for the new bike", 180*24*time.Hour)
	said(w, "The bike is locked in the cellar", time.Hour)
	r := w.Search("Where is the bike locked?", func(in *engine.SearchInput) { in.User = "ana" })
	if placeOf(r, old) >= 0 || slices.ContainsFunc(r.Hits, func(h engine.Hit) bool { return h.Label == engine.Faded }) {
		t.Errorf("%v", enginetest.IDs(r))
	}
}
