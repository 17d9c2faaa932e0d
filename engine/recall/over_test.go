package recall_test

import (
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/recall"
)

// After its end a bounded stay is HISTORICAL, comes after what holds, and is no longer known.
func TestABoundedStayIsOverAfterItsEnd(t *testing.T) {
	for _, x := range []struct{ holds, stay, question string }{
		{"My office is in room 210.", "This week my office is in room 305.", "Where is my office?"},
		{"The stall is on the market square.", "This week the stall is on the quay.", "Where is the stall?"},
	} {
		w := enginetest.New(t)
		base := said(w, x.holds, 3*24*time.Hour)
		stay := said(w, x.stay, 20*24*time.Hour)
		r := w.Search(x.question, func(in *engine.SearchInput) { in.User = "ana" })
		if placeOf(r, base) != 0 {
			t.Errorf("%q: what holds is at %d", x.stay, placeOf(r, base))
		}
		if at := placeOf(r, stay); at >= 0 && r.Hits[at].Label != recall.Historical {
			t.Errorf("%q: label %v", x.stay, r.Hits[at].Label)
		}
		page, err := w.Known(t.Context(), w.Caller, recall.KnownInput{User: "ana"})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Lines) != 1 || page.Lines[0].Memory.ID != base {
			t.Errorf("%q: known %+v", x.stay, page.Lines)
		}
	}
}

// A change or an event of "today" is not over on the next day.
func TestAChangeOfTodayIsNotOverTomorrow(t *testing.T) {
	for _, x := range [][3]string{
		{"I live in Utrecht.", "I moved to Ghent today.", "Where do I live?"},
		{"The wifi password is tulip42.", "The wifi password was changed to rose17 today.", "What is the wifi password?"},
		{"I have a dog called Rex.", "Rex died today.", "Is Rex alive?"},
		{"I like walking.", "I was diagnosed with diabetes today.", "Was I diagnosed with diabetes?"},
	} {
		w := enginetest.New(t)
		said(w, x[0], 12*24*time.Hour)
		later := said(w, x[1], 3*24*time.Hour)
		r := w.Search(x[2], func(in *engine.SearchInput) { in.User = "ana" })
		if len(r.Hits) == 0 || r.Hits[0].Memory.ID != later || r.Hits[0].Label == engine.Historical {
			t.Errorf("%q: %+v", x[2], labels(r))
		}
	}
}

func labels(r *engine.SearchResult) (out []string) {
	for _, h := range r.Hits {
		out = append(out, string(h.Label)+": "+h.Memory.Content)
	}
	return out
}
