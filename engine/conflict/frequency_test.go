package conflict

import "testing"

func TestFrequencyOfTexts(t *testing.T) {
	for _, c := range []struct {
		a, b            string
		agree, conflict bool
	}{
		{"The archive is saved every six hours", "The archive is saved twice a week", false, true},
		{"The archive is saved nightly", "The archive is saved every day", true, false},
		{"I water the fern twice a week", "I water the fern every other day", false, true},
		{"I water the fern twice a week", "I water the palm every day", false, false},
		{"Omar takes the drops three times a day", "Omar takes the drops once a day", false, true},
		{"Omar takes the drops twice a day", "Omar takes the drops every 12 hours", true, false},
		{"We used to meet every week", "We meet every month", false, false},
		{"I met Ann once a week", "I met Ann twice a week", false, false},
	} {
		a, b := Analyse(Statement{Text: c.a}), Analyse(Statement{Text: c.b})
		if Agree(a, b) != c.agree || (Compare(a, b).Score >= 0.7) != c.conflict {
			t.Errorf("%s | %s: agree %v, %+v", c.a, c.b, Agree(a, b), Compare(a, b))
		}
	}
}
