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
