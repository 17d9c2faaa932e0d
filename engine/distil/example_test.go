package distil_test

import (
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine/distil"
)

func ExampleDistil() {
	day := time.Date(2026, 3, 3, 18, 0, 0, 0, time.UTC)
	s := distil.Distil([]distil.Source{
		{ID: "a", At: day, Speaker: "Mara", Weight: 0.6, Text: "Hi! I signed up for the pottery class yesterday."},
		{ID: "b", At: day.AddDate(0, 0, 2), Speaker: "Mara", Weight: 0.7, Text: "My first bowl cracked in the kiln last night."},
		{ID: "c", At: day.AddDate(0, 0, 3), Speaker: "Mara", Weight: 0.4, Text: "The exhibition is on Friday."},
	})
	fmt.Println(s.Text)
	for _, c := range s.Sources {
		fmt.Println(c.ID, c.Covered)
	}
	// Which Friday is unknown, so that c must be kept.

	// Output:
	// Mara signed up for the pottery class on 2 March 2026. Mara's first bowl cracked in the kiln on the night of 4 March 2026.
	// a true
	// b true
	// c false
}
