package instance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
)

// The dates of the demo world depend on the day of its start, and with them its sleeps and clusters.
func TestClustersOfTheDemoHaveNamesOnEveryDayOfAWeek(t *testing.T) {
	days := 7
	if testing.Short() {
		days = 1
	}
	filler := []string{"per", "asked", "something", "things", "was", "is", "are"}
	ends := append([]string{"the", "a", "of", "for", "and"}, filler...)
	for day := range days {
		at := time.Date(2026, 11, 27+day, 0, 53, 0, 0, time.UTC)
		o := options(t.TempDir())
		o.Source = func() time.Time { return at }
		o.Demo = func(int, int) {}
		in := open(t, o)
		found, _, err := in.Engine.Clusters(t.Context(), engine.Loopback(), engine.ClusterListInput{First: 50})
		if err != nil || len(found) < 10 {
			t.Fatalf("%s: %d clusters, %v", at.Format(time.DateOnly), len(found), err)
		}
		for _, c := range found {
			words := strings.Fields(strings.ToLower(c.Label.Text))
			if len(words) == 0 || len(words) > 6 || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(filler, w) }) ||
				slices.Contains(ends, words[0]) || slices.Contains(ends, words[len(words)-1]) {
				t.Errorf("%s: %q names a cluster of %d", at.Format(time.DateOnly), c.Label.Text, c.Size)
			}
		}
		shut(t, in)
	}
}
