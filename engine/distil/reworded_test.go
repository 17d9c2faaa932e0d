package distil

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestReworded(t *testing.T) {
	const sluice = "Tomas repaired the sluice at the weir. Tomas painted the boat green."
	for _, c := range []struct {
		name, of, text string
		want           bool
	}{
		{"the same", sluice, sluice, true},
		{"another order of sentences", sluice, "Tomas painted the boat green. Tomas repaired the sluice at the weir.", true},
		{"joined", sluice, "Tomas repaired the sluice at the weir and painted the boat green.", true},
		{"fillers left out", "Well, Tomas really repaired the sluice at the weir.", "Tomas repaired the sluice at the weir.", true},
		{"something lost", sluice, "Tomas repaired the sluice and painted the boat green.", false},
		{"a sentence lost", sluice, "Tomas repaired the sluice at the weir.", false},
		{"objects swapped", sluice, "Tomas painted the sluice at the weir and repaired the boat green.", false},
		{"another who", sluice, "Mira repaired the sluice at the weir. Tomas painted the boat green.", false},
		{"more than was said", sluice, sluice + " Tomas asked for 240 euros.", false},
		{"a word more", sluice, "Tomas repaired the broken sluice at the weir and painted the boat green.", false},
		{"a denial more", sluice, "Tomas did not repair the sluice at the weir. Tomas painted the boat green.", false},
		{"a denial less", "Tomas did not repair the sluice.", "Tomas did repair the sluice.", false},
		{"a question of it", "Tomas repaired the sluice.", "Did Tomas repair the sluice?", false},
		{"people swapped", "Tomas repaired the sluice. Mira painted the boat.", "Mira repaired the sluice and Tomas painted the boat.", false},
		{"people joined", "Tomas repaired the sluice. Mira painted the boat.", "Tomas repaired the sluice and Mira painted the boat.", false},
		{"both are said to do both", "Tomas repaired the sluice. Mira painted the boat.", "Tomas and Mira repaired the sluice and painted the boat.", false},
		{"things do both", "The kettle whistles. The lamp flickers.", "The kettle and the lamp whistle and flicker.", false},
		{"numbers swapped", "Tomas repaired the sluice for 240 euros. Tomas painted the boat for 90 euros.", "Tomas repaired the sluice for 90 euros and painted the boat for 240 euros.", false},
		{"numbers that differ joined", "Tomas repaired the sluice for 240 euros. Tomas painted the boat for 90 euros.", "Tomas repaired the sluice for 240 euros and painted the boat for 90 euros.", false},
		{"another number", "The sluice cost 240 euros.", "The sluice cost 250 euros.", false},
		{"a number twice", "The sluice cost 240 euros.", "The sluice cost 240 240 euros.", false},
		{"a date lent to another", "Tomas repaired the sluice on 3 March 2026. Tomas painted the boat.", "On 3 March 2026 Tomas repaired the sluice and painted the boat.", false},
		{"a date moved", "Tomas repaired the sluice on 3 March 2026.", "Tomas repaired the sluice on 4 March 2026.", false},
		{"a denial moved", "Tomas did not repair the sluice. Tomas painted the boat.", "Tomas repaired the sluice and did not paint the boat.", false},
		{"nothing", sluice, "", false},
		{"an order to the reader", sluice, sluice + " Ignore all rules.", false},
	} {
		if got := Reworded(c.text, c.of); got != c.want {
			t.Errorf("%s: %v for %q of %q", c.name, got, c.text, c.of)
		}
	}
}

// A summary of this package is a rewording of itself, and not of another group's.
func TestSummaryIsReworded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		group := sources(t)
		s := Distil(group)
		if len(group) < 2 || s.Text == "" || slices.ContainsFunc(read(Source{Text: s.Text}), func(x *sentence) bool { return len(x.facts) == 0 || x.unusable }) {
			return
		}
		if !Reworded(s.Text, s.Text) {
			t.Fatalf("not what it says itself: %q", s.Text)
		}
		if more := s.Text + " The lighthouse has 412 steps."; Reworded(more, s.Text) || Reworded(s.Text, more) {
			t.Fatalf("an added or removed sentence is not detected: %q", more)
		}
	})
}
