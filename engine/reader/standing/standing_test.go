package standing

import (
	"testing"

	"github.com/somnograph/somnograph/engine/reader/rule"
)

func TestRuleIn(t *testing.T) {
	for text, want := range map[string]rule.Rule{
		"Always answer in Dutch.":                    rule.Standing,
		"I like jazz. Never push to main.":           rule.Standing, // the strongest of its sentences
		"By the way, don't use emojis.":              rule.Standing, // after an opener
		"Use `just test` instead of `make test`.":    rule.Standing, // a name of a program
		"Please send me the report.":                 rule.Request,
		"Imagine you must always answer in Dutch.":   rule.None,
		"Please don't call me tomorrow.":             rule.None,
		"She always takes the tram.":                 rule.None,
		"Never mind. I live in Oslo. It rains here.": rule.None,
		"": rule.None,
	} {
		if got := RuleIn(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestLift(t *testing.T) {
	for text, want := range map[string]bool{
		"You can stop answering in Dutch.":  true,
		"Feel free to use emojis.":          true,
		"Always answer in Dutch.":           false,
		"Feel free to use emojis. It helps": false, // two sentences
		"Stop":                              false,
	} {
		if got := Lift(text) != nil; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
