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
		{"Remind me to call Ana.", []Task{{Text: "call Ana", Strength: 0.90, Certain: true, Own: true}}},
		{"Could you remind me on Friday to call Ana?", []Task{{Text: "call Ana", Strength: 0.90, Certain: true, Own: true}}},
		{"Remind me about the rent on Friday.", []Task{{Text: "the rent on Friday", Strength: 0.72, Own: true}}},
		{"Don't let me forget to call Ana.", []Task{{Text: "call Ana", Strength: 0.85, Certain: true, Own: true}}},
		{"By Friday we have to call Ana.", []Task{{Text: "call Ana", Strength: 0.75, Own: true}}},
		{"I've got to call Ana today.", []Task{{Text: "call Ana today", Strength: 0.75, Own: true}}},
		{"I need to eat. We need to talk.", []Task{{Text: "eat", Strength: 0.80, Certain: false, Blocks: ""}, {Text: "talk", Strength: 0.75, Certain: false, Blocks: ""}}},

		{"Do I need to send it?", nil}, {"I needed to rest.", nil}, {"The todo list is long.", nil}, {"You should rest.", nil},
		{"I need, to be honest, a rest.", nil}, {"TODO:", nil}, {"I need to", nil}, {"", nil}, {"We followed up on it.", nil},
		{"Before we can ship, Ana laughs.", nil},
		{"Remind me", nil}, {"Remind me to", nil}, {"Remind me of", nil}, {"Don't let me forget", nil}, {"I must", nil}, {"We have to", nil},
		{"Remind me what Ana said.", nil}, {"Always remind me to smile.", nil}, {"I must have lost it today.", nil}, {"I had to call Ana.", nil},
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

// A need is a task if its sentence says when, and if it is none of always or of a state.
func TestOnce(t *testing.T) {
	for text, want := range map[string]bool{
		"I need to call Ana tomorrow.": true, "I need to mend the keel.": true, "We must leave by Friday.": true, "Remind me about the rent.": true,
		"I need to rest every day.": false, "I need to be quiet.": false, "We have to work on Mondays.": false, "TODO: call Ana": false,
		"Next week I have to call Ana.": true, "\"I need to leave tomorrow\" is a song.": false, "Ana said: I need to leave tomorrow.": false,
		"I have to wait until Friday.": false, "I must say it is late.": false, "The form I need to sign by Friday is blue.": false,
	} {
		if got := (Task{Sentence: text}).Once(); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestAnnouncesTask(t *testing.T) {
	for text, want := range map[string]bool{
		"TODO: send the contract": true, "Don't forget to lock up.": true, "Remind me to lock up.": true, "Don't let me forget to lock up!": true,
		"Ana is here. Remind me to lock up.": false, "I need to lock up tomorrow.": false, "Ana reminds me to lock up.": false,
	} {
		if AnnouncesTask(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
