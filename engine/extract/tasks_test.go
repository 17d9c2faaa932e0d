package extract

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestTasks(t *testing.T) {
	for _, c := range []struct {
		text string
		want []Task
	}{
		{"TODO: rotate the signing key", []Task{{Text: "rotate the signing key", Strength: 0.90, Certain: true, Blocks: ""}}},
		{"Don't forget to ask Ana.", []Task{{Text: "ask Ana", Strength: 0.85, Certain: true, Blocks: ""}}},
		{"Don’t forget to ask Ana.", []Task{{Text: "ask Ana", Strength: 0.85, Certain: true, Blocks: ""}}},
		{"Please do not forget to water the plants!", []Task{{Text: "water the plants", Strength: 0.85, Certain: true, Blocks: ""}}},
		{"I need to send the contract by Monday.", []Task{{Text: "send the contract by Monday", Strength: 0.80, Certain: false, Blocks: ""}}},
		{"Before we can ship, we need a new certificate.", []Task{{Text: "a new certificate", Strength: 0.78, Certain: true, Blocks: "ship"}}},
		{"Before we can sail north, we need to mend the keel.", []Task{{Text: "mend the keel", Strength: 0.78, Certain: true, Blocks: "sail north"}}},
		{"Then we need to paint it.", []Task{{Text: "paint it", Strength: 0.75, Certain: false, Blocks: ""}}},
		{"Let's follow up on the quote.", []Task{{Text: "the quote", Strength: 0.72, Certain: false, Blocks: ""}}},
		{"The next step is to find a gear.", []Task{{Text: "find a gear", Strength: 0.70, Certain: false, Blocks: ""}}},
		{"Next step is a test flight.", []Task{{Text: "a test flight", Strength: 0.70, Certain: false, Blocks: ""}}},
		{"I should call my mother.", []Task{{Text: "call my mother", Strength: 0.65, Certain: false, Blocks: ""}}},
		{"I need to eat. We need to talk.", []Task{{Text: "eat", Strength: 0.80, Certain: false, Blocks: ""}, {Text: "talk", Strength: 0.75, Certain: false, Blocks: ""}}},

		{"Do I need to send it?", nil}, {"I needed to rest.", nil}, {"The todo list is long.", nil}, {"You should rest.", nil},
		{"I need, to be honest, a rest.", nil}, {"TODO:", nil}, {"I need to", nil}, {"", nil}, {"We followed up on it.", nil},
		{"Before we can ship, Ana laughs.", nil},
	} {
		got := Tasks(c.text)
		for i := range got {
			if got[i].Sentence == "" || !strings.Contains(c.text, got[i].Sentence) {
				t.Errorf("%q: sentence %q", c.text, got[i].Sentence)
			}
			got[i].Sentence = ""
		}
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

func TestWaits(t *testing.T) {
	for _, c := range []struct {
		task, blocked string
		want          bool
	}{
		{"ship the release on Friday", "ship the release", true}, {"ship the release", "ship", true},
		{"Release shipped", "ship releases", true}, {"ship the release", "ship the boat", false}, {"mend the keel", "sail north", false},
		{"mend the keel", "", false}, {"mend it", "do it", false}, {"", "ship", false},
	} {
		if Waits(c.task, c.blocked) != c.want {
			t.Errorf("%q waits for %q: %v", c.task, c.blocked, !c.want)
		}
	}
}
