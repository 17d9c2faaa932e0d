package conflict

import (
	"slices"
	"testing"
	"time"
)

// TestValuePairs runs pairs that give a thing a value, in the same or in different words. The
// rules for measurements were written with them in view.
func TestValuePairs(t *testing.T) { confusion(t, "testdata/values.json", 45, bars{0.95, 1}) }

func topicsOf(text string) []measurement {
	return Analyse(Statement{Text: text, At: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)}).measurements
}

// Words that introduce a value are not part of what is measured.
func TestMeasurementWithoutIntroducingWords(t *testing.T) {
	for text, want := range map[string][]string{
		"The database runs PostgreSQL 14":             {"database", "postgresql"},
		"We upgraded the database to PostgreSQL 16":   {"database", "postgresql"},
		"The mill was founded in 1921":                {"!found", "mill"},
		"The meeting room is on the third floor":      {"floor", "meeting", "room"},
		"The door code of studio 3 is 4412":           {"#3", "cod", "door", "studio"},
		"The new total of the invoice is 40 euros":    {"invoic"},
		"The backup starts at 4 in the morning":       {"backup"},
		"The quota is 40 GB per user":                 {"quota"},
		"The ferry to Bari leaves at 9:30":            {"bari", "ferry"},
		"The brand-new price of the kayak is 40 euro": {"brand-new", "kayak"},
	} {
		got := topicsOf(text)
		if len(got) != 1 {
			t.Errorf("%q: %d topics", text, len(got))
			continue
		}
		for i, w := range want {
			if w[0] != '!' && w[0] != '#' {
				want[i] = lemma(w)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got[0].words, want) {
			t.Errorf("%q is about %q, want %q", text, got[0].words, want)
		}
	}
}

// Events, habits and sentences that state nothing are not measurements.
func TestNoMeasurement(t *testing.T) {
	for _, text := range []string{
		"I ran 5 km", "We met at 5pm", "I swim at 7 every morning", "I have a meeting at 3pm", "It is 3pm",
		"Maybe the price is 40 euros", "Is the price 40 euros?", "Room 12 is dusty", "The price is high", "Note: 40 euros",
	} {
		if got := topicsOf(text); len(got) != 0 {
			t.Errorf("%q is about %+v", text, got)
		}
	}
}

// Another owner, another end of a span or another rate is another measurement.
func TestOtherMeasurements(t *testing.T) {
	for _, p := range [][2]string{
		{"My rent is 900 euros", "Her rent is 950 euros"},
		{"The market is open until 18:00", "The market opens at 7:00"},
		{"The fee is 10 euros per month", "The fee is 100 euros per year"},
		{"The studio has 12 seats", "The studio has 3 doors"},
		{"The depot moved to 12 boxes in 2019", "The depot moved to 15 boxes in 2021"},
	} {
		if r := Score(Statement{Text: p[0]}, Statement{Text: p[1]}); r.Score >= 0.2 {
			t.Errorf("%q and %q: %.2f, %s", p[0], p[1], r.Score, r.Kind)
		}
	}
	a, b := Analyse(Statement{Text: "My rent is 900 euros", Subject: "Ada"}), Analyse(Statement{Text: "My rent went up to 950 euros", Subject: "Bo"})
	if r := Compare(a, b); r.Score != 0 {
		t.Errorf("two speakers: %+v", r)
	}
}
