package extract

import (
	"fmt"
	"math"
	"testing"
)

func TestTasks(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Task
	}{
		{"TODO: rotate the signing key", []Task{{"rotate the signing key", 0.90, true, ""}}},
		{"Don't forget to ask Ana.", []Task{{"ask Ana", 0.85, true, ""}}},
		{"Don’t forget to ask Ana.", []Task{{"ask Ana", 0.85, true, ""}}},
		{"Please do not forget to water the plants!", []Task{{"water the plants", 0.85, true, ""}}},
		{"I need to send the contract by Monday.", []Task{{"send the contract by Monday", 0.80, false, ""}}},
		{"Before we can ship, we need a new certificate.", []Task{{"a new certificate", 0.78, false, "ship"}}},
		{"Before we can sail north, we need to mend the keel.", []Task{{"mend the keel", 0.78, false, "sail north"}}},
		{"Then we need to paint it.", []Task{{"paint it", 0.75, false, ""}}},
		{"Let's follow up on the quote.", []Task{{"the quote", 0.72, false, ""}}},
		{"The next step is to find a gear.", []Task{{"find a gear", 0.70, false, ""}}},
		{"Next step is a test flight.", []Task{{"a test flight", 0.70, false, ""}}},
		{"I should call my mother.", []Task{{"call my mother", 0.65, false, ""}}},
		{"I need to eat. We need to talk.", []Task{{"eat", 0.80, false, ""}, {"talk", 0.75, false, ""}}},

		{"Do I need to send it?", nil}, {"I needed to rest.", nil}, {"The todo list is long.", nil}, {"You should rest.", nil},
		{"I need, to be honest, a rest.", nil}, {"TODO:", nil}, {"I need to", nil}, {"", nil}, {"We followed up on it.", nil},
		{"Before we can ship, Ana laughs.", nil},
	} {
		got := Tasks(c.text)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q: %+v, want %+v", c.text, got, c.want)
		}
	}
}

func TestTaskConfidence(t *testing.T) {
	for _, c := range []struct {
		strength    float64
		known, said bool
		want        float64
		candidate   bool
	}{
		{0.80, false, false, 0.48, false}, {0.80, true, false, 0.73, true}, {0.80, false, true, 0.63, false}, {0.80, true, true, 0.88, true},
		{0.72, true, false, 0.682, false}, {0.65, true, true, 0.79, true}, {1, true, true, 1, true},
	} {
		got := TaskConfidence(c.strength, c.known, c.said)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v", c, got)
		}
		if (Task{Strength: c.strength}).Candidate(got) != c.candidate {
			t.Errorf("%+v: candidate %v", c, !c.candidate)
		}
		if !(Task{Certain: true}).Candidate(got) {
			t.Errorf("%+v: a certain task is not a candidate", c)
		}
	}
	if TaskConfidence(0.80, true, true) <= TaskHighAt {
		t.Error("a repeated known task does not have high priority")
	}
}
