package distil

import (
	"fmt"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// The title of a procedure is what its sources call it, and no step.
func TestTheTitleOfAProcedureIsNoStep(t *testing.T) {
	for _, c := range []struct{ said, trigger, text string }{
		{"Ran the tests. Tagged the release. Pushed the tag.", "", "1. Ran the tests. 2. Tagged the release. 3. Pushed the tag."},
		{"Once more I exported the time sheet, then filled in the invoice template, and finally mailed the invoice.", "", "1. Exported the time sheet. 2. Filled in the invoice template. 3. Mailed the invoice."},
		{"Release: build the image -> run the tests -> tag the commit -> deploy to production", "", "Release: 1. Build the image. 2. Run the tests. 3. Tag the commit. 4. Deploy to production."},
		{"To release the shop, run the tests, build the image and push it.", "", "To release the shop: 1. Run the tests. 2. Build the image. 3. Push it."},
	} {
		var sources []Source
		for day := range 3 {
			at := time.Date(2026, 3, 1+day, 9, 0, 0, 0, time.UTC)
			id, err := graph.DerivedID(at, "title", c.said)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, Source{ID: id, Text: c.said, At: at, Session: fmt.Sprint(day)})
		}
		got := Procedures(sources)
		if len(got) != 1 || got[0].Text != c.text || got[0].Trigger != c.trigger {
			t.Errorf("%q: %+v", c.said, got)
		}
	}
}
