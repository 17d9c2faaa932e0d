package reader

import "testing"

// Notes of one form about several things don't revise each other; another value of one thing does.
func TestNotesOfOneForm(t *testing.T) {
	for _, r := range []row{
		{'-', "Flight 3 landed at 10:04.", "Flight 6 landed at 11:20."},
		{'-', "Rain closed the field on day 5.", "Rain closed the field on day 8."},
		{'-', "The canteen served lentil soup to guest 41.", "The canteen served lentil soup to guest 44."},
		{'-', "The pump at station 4 was serviced.", "The pump at station 9 was serviced."},
		{'-', "Never run the winch on pier 2 above 12 knots of wind.", "Never run the winch on pier 5 above 12 knots of wind."},
		{'-', "The store closes at eight.", "The store at the airport closes at eleven."},
		{'+', "Our room is 3.", "Our room is 6."},
		{'+', "We meet in room 3.", "We meet in room 5."},
		{'+', "The ticket OPS-311 is assigned to Leif.", "OPS-311 has been reassigned to Marta."},
	} {
		c := certaintyOf(r)
		if r.label == '-' && c >= Revises || r.label == '+' && c < Rivals {
			t.Errorf("%.2f %s => %s", c, r.earlier, r.later)
		}
	}
}

// An unknown word with the ending of the third person is a verb after a noun in the singular.
func TestUnknownVerbAfterANoun(t *testing.T) {
	for text, want := range map[string]int{
		"The choir rehearses in the church hall.": 1,
		"My desk faces the wall.":                 1,
		"The train times on the site are wrong.":  1,
		"The glass on the table":                  0,
	} {
		if n := Prepare(Statement{Text: text}).Facts(); n != want {
			t.Errorf("%d facts in %q, want %d", n, text, want)
		}
	}
}

func TestOneForm(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want bool
	}{
		{"The sensor in hall 2 reads 21 degrees.", "The sensor in hall 5 reads 21 degrees.", true},
		{"We stock blue paint.", "We stock dark green paint.", true},
		{"We stock blue paint.", "We stock blue paint.", false},
		{"Log level: info", "Log level: debug", false}, // too short to be a form
		{"The sensor in hall 2 reads 21 degrees.", "Hall 5 has a sensor that reads 18 degrees.", false},
	} {
		if got := OneForm(Prepare(Statement{Text: x.a}), Prepare(Statement{Text: x.b})); got != x.want {
			t.Errorf("%v: %q, %q", got, x.a, x.b)
		}
	}
}
