package reader

import (
	"slices"
	"testing"
)

// A higher age of the same one revises the earlier one, however it is said. Other numbers revise none.
func TestAgesAreRevised(t *testing.T) {
	for _, r := range readRows(t, "ages.txt") {
		x := Relate(Statement{Text: r.earlier, Speaker: "ana"}, Statement{Text: r.later, Speaker: "ana"})
		if (x.Certainty >= Revises) != (r.label == '+') {
			t.Errorf("%c %+v: %s => %s", r.label, x, r.earlier, r.later)
		}
	}
}

// What is said of the day on which somebody becomes older holds from then on.
func TestABirthdayIsAnEvent(t *testing.T) {
	for text, want := range map[string]Modality{
		"Today is Liv's eighth birthday.":           Event,
		"Liv's eighth birthday was on Sunday.":      Event,
		"Today is my birthday.":                     Bounded,
		"Liv's eighth birthday is on 4 June.":       Asserted,
		"It was Liv's eighth birthday party.":       Past,
		"I was at the lake for my eighth birthday.": Past,
	} {
		if got := Prepare(Statement{Text: text, Speaker: "ana"}).Modality(0); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// An earlier age is looked up by the name and the number of the year before.
func TestOutgrown(t *testing.T) {
	for text, want := range map[string][]string{
		"Liv turned eight last week.":          {"liv 7", "liv seven", "liv"},
		"I just had my forty-second birthday.": {"41", "forty-one"},
		"Liv is one of eight.":                 nil,
		"Liv turned the page.":                 nil,
	} {
		if got := Prepare(Statement{Text: text, Speaker: "ana"}).Outgrown(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
