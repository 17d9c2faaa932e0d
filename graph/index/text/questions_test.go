package text

import (
	"testing"

	"pgregory.net/rapid"
)

func TestQuestionShare(t *testing.T) {
	for text, want := range map[string]float32{
		"":                      0,
		"?":                     0,
		"How are you?":          1,
		"I am fine.":            0,
		"Fine. And you?":        6.0 / 10,
		"No! Why?!":             3.0 / 5,
		"I moved, do you mind?": 9.0 / 15,
		"Really? Tell me more":  6.0 / 16,
		"何时出发？":                 1,
		"متى؟":                  1,
		"at 10:30?":             2.0 / 6, // the colon of a time ends the clause as well
		"a\nb?":                 0.5,
	} {
		if got := QuestionShare(text); got < want-1e-6 || got > want+1e-6 {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestQuestionShareGrowsWithAQuestion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		share := QuestionShare(text)
		if share < 0 || share > 1 {
			t.Fatalf("%v", share)
		}
		if more := QuestionShare(text + " And who is that?"); more < share {
			t.Fatalf("%v with another question, %v without", more, share)
		}
	})
}
