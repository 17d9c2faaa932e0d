package pattern

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A ban is read whatever its verb looks like: "feed" is no past, and "put" is a base form in a command.
func TestBansOfVerbsThatLookLikeAPast(t *testing.T) {
	for text, want := range map[string]bool{
		"Never feed the geese.": true, "Never exceed the dose.": true, "Never embed a password in a link.": true, "Never put bleach in the pond.": true,
		"Tom never fed the geese.": false, "Tom never bled the brakes.": false, "The ewes never bred in winter.": false, "Freed geese never came back.": false,
	} {
		found, _ := Find(sourcesOf(t, 0, repeated(8, text)...), nil)
		if got := len(found) > 0 && found[0].Kind == graph.Constraint; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
