package conflict

import "testing"

func TestStates(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"The proposal was approved", "The council rejected the proposal", true},
		{"The lift is out of order", "The lift is operational again", true},
		{"Ola is on sabbatical", "Ola is back at work", true},
		{"The invoice has not been paid", "The invoice is settled", true},
		{"Ticket 12 was closed", "Ticket 12 is open", true},
		{"Ticket 12 was closed", "Ticket 13 is open", false},
		{"The shop was closed", "The shop is open", false},
		{"The shop is open on Saturday", "The shop is closed on Sunday", false},
		{"The flag is on in staging", "The flag is off in production", false},
		{"The invoice is paid", "The invoice has been settled", false},
		{"The invoice might be paid", "The invoice is outstanding", false},
		{"I'm done", "I'm still running", false},
	} {
		if r := score(c.a, c.b); (r.Score >= 0.7) != c.want || (r.Score < 0.2) == c.want {
			t.Errorf("%s | %s: %+v", c.a, c.b, r)
		}
	}
}

// An attribute in two different wordings: equal values agree, different ones do not.
func TestAttributeWordings(t *testing.T) {
	for _, c := range []struct{ a, same, other string }{
		{"Mia's favourite fruit is mango", "The fruit Mia likes best is mango", "The fruit Mia likes best is papaya"},
		{"Jo is my husband", "I'm married to Jo", "I'm married to Kai"},
		{"Oren is in charge of catering", "Catering is handled by Oren", "Catering is handled by Pia"},
		{"The crane is 40 metres tall", "The height of the crane is 40 m", "The height of the crane is 55 m"},
		{"The relay runs on Erlang 25", "The relay's Erlang version is 25", "The relay's Erlang version is 27"},
		{"The depot stays open until 18:00", "The depot closes at 6 pm", "The depot closes at 8 pm"},
		{"Rent of the barn: 400", "The rent of the barn is 400", "The rent of the barn was raised to 450"},
		{"We live at 7 Elm Street", "Our address is 7 Elm Street", "Our address is 19 Oak Road"},
		{"Uma turned 9 last week", "Uma is nine years old", "Uma is eleven years old"},
	} {
		a, same, other := Analyse(Statement{Text: c.a}), Analyse(Statement{Text: c.same}), Analyse(Statement{Text: c.other})
		if !Agree(a, same) || Compare(a, same).Score != 0 {
			t.Errorf("%s | %s: agree %v, %+v", c.a, c.same, Agree(a, same), Compare(a, same))
		}
		if Agree(a, other) || Compare(a, other).Score < 0.7 {
			t.Errorf("%s | %s: agree %v, %+v", c.a, c.other, Agree(a, other), Compare(a, other))
		}
	}
}

// Words that identify the thing distinguish it from another.
func TestQualifiedSubjects(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"The code of bay 2 is 4411", "The code of bay 5 is 9034"},
		{"Hall A seats 80 people", "Hall B seats 120 people"},
		{"Tom's locker code is 1290", "Kim's locker code is 7734"},
		{"On staging we use Node 18", "In production we use Node 20"},
		{"The winter fee is 30 euros", "The summer fee is 45 euros"},
		{"The seminar starts at 9", "The seminar ends at 12"},
	} {
		if r := score(c.a, c.b); r.Score != 0 {
			t.Errorf("%s | %s: %+v", c.a, c.b, r)
		}
	}
}
