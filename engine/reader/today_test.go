package reader

import (
	"testing"
	"time"
)

// TestADayOfAChangeIsNoEnd checks that the day on which something changed or happened does not end what is so since then.
func TestADayOfAChangeIsNoEnd(t *testing.T) {
	at := time.Date(2027, 3, 10, 15, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"I moved to Ghent today.", "As of today I work at ASML.", "The wifi password was changed to rose17 today.", "I turned 42 today.",
		"I quit smoking today.", "Priya became my manager today.", "We switched to Linear this week.", "Rex died today.", "I was diagnosed with diabetes today.",
		"I found out today that I'm allergic to latex.", "My son Bas turned seven yesterday.", "Our daughter Lea was born last night.", "We've adopted a cat this month.",
	} {
		for _, c := range Read(text, Hints{Speaker: "ana", At: at}) {
			if !c.ValidTo.IsZero() || c.Modality == Bounded || c.Modality == Past {
				t.Errorf("%q: %s %q %q, %s from %s to %s", text, c.Subject, c.Predicate, c.Object, c.Modality, c.ValidFrom, c.ValidTo)
			}
		}
	}
	for _, text := range []string{"I'm working from home today.", "Dana runs the team this week.", "I am in Oslo this month."} {
		if c := Read(text, Hints{Speaker: "ana", At: at}); len(c) != 1 || c[0].Modality != Bounded || c[0].ValidTo.IsZero() {
			t.Errorf("%q: %+v", text, c)
		}
	}
	for _, p := range [][2]string{{"I live in Utrecht.", "I moved to Ghent today."}, {"The wifi password is tulip42.", "The wifi password was changed to rose17 today."}} {
		if r := Relate(Statement{Text: p[0], Speaker: "ana", At: at.AddDate(0, -1, 0)}, Statement{Text: p[1], Speaker: "ana", At: at}); r.Certainty < Revises {
			t.Errorf("%q and %q: %.2f, %s", p[0], p[1], r.Certainty, r.Veto)
		}
	}
}

// TestAStayEnds checks stays in ordinary words.
func TestAStayEnds(t *testing.T) {
	at := time.Date(2027, 3, 10, 15, 0, 0, 0, time.UTC) // a Wednesday
	for text, want := range map[string]string{
		"Lars is in Spain until the 12th.":          "2027-03-13",
		"I'm in Lisbon until the end of the month.": "2027-04-01",
		"I'm in Lisbon for 3 nights.":               "2027-03-14",
		"I'm in Lisbon from Monday to Friday.":      "2027-03-20",
		"I'm in Lisbon all week.":                   "2027-03-15",
		"I'm staying in Lisbon for two more weeks.": "2027-03-25",
		"I'm in Lisbon for half a year.":            "2027-09-11",
		"I'm in Lisbon until the weekend.":          "2027-03-13",
	} {
		c := Read(text, Hints{Speaker: "ana", At: at})
		if len(c) != 1 || c[0].Modality != Bounded || c[0].ValidTo.Format(time.DateOnly) != want {
			t.Errorf("%q: %+v, want until %s", text, c, want)
		}
	}
	for _, text := range []string{"The shop is open from Monday to Friday.", "I work from Monday to Friday.", "The pool is open all year."} {
		if c := Read(text, Hints{Speaker: "ana", At: at}); len(c) != 1 || !c[0].ValidTo.IsZero() {
			t.Errorf("%q: %+v", text, c)
		}
	}
}
