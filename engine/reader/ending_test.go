package reader

import (
	"slices"
	"testing"
	"time"
)

// An end without a successor ends what it names, and nothing else.
func TestEndsByForms(t *testing.T) {
	for _, x := range []struct {
		earlier, later string
		ends           bool
	}{
		{"I have a Netflix subscription.", "I unsubscribed from Netflix.", true},
		{"I have a Netflix subscription.", "I unsubscribed from the Netflix newsletter.", false},
		{"Anna is my girlfriend.", "Anna and I broke up.", true},
		{"Anna is my girlfriend.", "Anna broke up the fight at the bar.", false},
		{"I work at Acme.", "I resigned from Acme.", true},
		{"I work at Acme.", "I resigned from Acme but they talked me into staying.", false},
		{"I work at Acme.", "I sold my Acme.", false},
		{"I take statins.", "I stopped taking statins on my doctor's advice.", true},
		{"I take statins.", "I stopped taking statins with grapefruit juice.", false},
		{"I take statins.", "I stopped taking statins before meals.", false},
		{"I take statins before meals.", "I stopped taking statins before meals.", true},
		{"I use the gym.", "I stopped using the gym between classes.", false},
		{"I work at Acme.", "I stopped working at Acme before Christmas.", true},
		{"I have a contract with Acme.", "My contract with Acme is over.", true},
		{"I have a contract with Acme.", "My meeting with Acme is over.", false},
		{"I own a boat.", "I'm selling the boat for 9,000 euros.", false},
		{"The alarm is on.", "The alarm is switched off now.", true},
		{"I love Lisbon.", "I moved out of Lisbon.", false},
	} {
		r := Relate(Statement{Text: x.earlier, Speaker: "ana"}, Statement{Text: x.later, Speaker: "ana"})
		if (r.Certainty >= Revises) != x.ends {
			t.Errorf("%s => %s: %+v", x.earlier, x.later, r)
		}
	}
}

// The dates of ends, stays and plans are those of the text.
func TestDatesOfClaims(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC) // a Monday
	for _, x := range []struct{ text, from, to string }{
		{"I resigned from Acme last Friday.", "2026-02-27", ""},
		{"I'm in Lisbon until Friday.", "", "2026-03-07"},
		{"I'm staying with my sister for two weeks.", "", "2026-03-17"},
		{"I will start at Siemens on 1 December.", "2026-12-01", ""},
		{"I start at Siemens on Monday.", "2026-03-09", ""},
		{"We will move to Bergen in May.", "2026-05-01", ""},
		{"The warranty is valid for two years.", "", ""},
		{"I train for two hours every day.", "", ""},
	} {
		c := Read(x.text, Hints{Speaker: "ana", At: at})[0]
		day := func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.Format(time.DateOnly)
		}
		if day(c.ValidFrom) != x.from || day(c.ValidTo) != x.to {
			t.Errorf("%s: from %s to %s", x.text, c.ValidFrom, c.ValidTo)
		}
	}
}

// What a statement may end is found by the words that it names, or by the states that an event ends.
func TestEndedNamesWhatToLookFor(t *testing.T) {
	for text, want := range map[string][]string{
		"I sold the Civic.":              {"Civic"},
		"I no longer smoke.":             {"smoke"},
		"I stopped keeping kosher.":      {"kosher"},
		"Carla gave birth to a girl.":    {"birth", "pregnant", "expecting"},
		"I'm selling the Civic.":         nil,
		"If I sold the Civic, I'd walk.": nil,
		"I like the Civic.":              nil,
	} {
		if got := Prepare(Statement{Text: text, Speaker: "ana"}).Ended(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
