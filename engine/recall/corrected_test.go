package recall_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// correct corrects the first claim of a memory.
func correct(w *enginetest.World, id graph.ID, in engine.CorrectClaimInput) {
	w.T.Helper()
	w.Clock.Advance(time.Hour)
	in.ID = graph.ClaimID(id, 1)
	if _, err := w.CorrectClaim(w.T.Context(), w.Caller, in); err != nil {
		w.T.Fatal(err)
	}
	w.Clock.Advance(time.Hour)
}

// A hit of a memory whose claim a person corrected is historical and says what is true, and a prompt prints that.
func TestACorrectedClaimIsPrintedAsCorrected(t *testing.T) {
	for _, x := range []struct{ said, object, question, old, now string }{
		{"My sister lives in Ghent.", "Antwerp", "Where does my sister live?", "Ghent", "My sister lives in Antwerp."},
		{"My brother works at the harbour office.", "the ferry office", "Where does my brother work?", "harbour", "My brother works at the ferry office."},
	} {
		w := enginetest.New(t)
		id := w.Remember(x.said, by("ana")).Memory.ID
		object := x.object
		correct(w, id, engine.CorrectClaimInput{Object: &object})
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if len(r.Hits) != 1 || r.Hits[0].Label != engine.Historical {
			t.Fatalf("%q: %d hits, %+v", x.said, len(r.Hits), r.Hits)
		}
		told := ""
		for _, c := range r.Hits[0].Explain().Children {
			told += c.Message + "\n"
		}
		if !strings.Contains(told, x.now) {
			t.Errorf("%q: the explanation says\n%s", x.said, told)
		}
		text := contextOf(w, x.question).Text
		if !strings.Contains(text, x.now) || strings.Contains(text, x.old) || !strings.Contains(text, "(corrected ") {
			t.Errorf("%q: prompt\n%s", x.said, text)
		}
		if m := r.Hits[0].Memory.Content; m != x.said || r.Hits[0].Corrected != x.now {
			t.Errorf("the text is now %q, corrected %q", m, r.Hits[0].Corrected)
		}
	}
}

// Of a claim that a person found to be wrong nothing is printed, and its memory comes after the others.
func TestAWrongClaimDoesNotLead(t *testing.T) {
	w := enginetest.New(t)
	wrong := said(w, "The spare key of the boat is kept under the third flowerpot.", time.Hour)
	right := said(w, "The spare key of the shed hangs behind the door.", time.Hour)
	correct(w, wrong, engine.CorrectClaimInput{Wrong: true})
	r := w.Search("Where is the spare key?", func(in *engine.SearchInput) { in.User = "ana" })
	if p := placeOf(r, wrong); placeOf(r, right) != 0 || p >= 0 && r.Hits[p].Label != engine.Historical {
		t.Errorf("the wrong one is at %d, the right one at %d", p, placeOf(r, right))
	}
	if text := contextOf(w, "Where is the spare key?").Text; strings.Contains(text, "flowerpot") {
		t.Errorf("%s", text)
	}
}
