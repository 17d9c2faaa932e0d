package modality

import (
	"testing"

	"github.com/somnograph/somnograph/engine/reader/cueset"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/verbgroup"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
)

// clause reads a clause whose subject is its first word.
func clause(text string) *Clause {
	var words []syntax.Word
	var low []string
	for _, t := range wordclass.Scan(text) {
		words = append(words, syntax.Word{Text: t.Text, Low: t.Low, Lem: t.Lem, Quoted: t.Quoted, Form: tables.Tokens.Verbs.FormOf(t.Low)})
		low = append(low, t.Low)
	}
	g := verbgroup.Read(words, 1, false)
	return &Clause{
		Words: words, Cues: cueset.Find(low, func(int) bool { return false }), Verb: g.Verb, Aux: 1, Lemma: g.Lemma, Pronoun: "@",
		Past: g.Past, Perfect: g.Perfect, Passive: g.Passive, Negated: g.Negated, Changes: g.Changes,
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]Modality{
		"I live in Oslo":              Asserted,
		"I moved to Oslo":             Asserted, // a change
		"I ran ten kilometres":        Event,
		"I used to live in Oslo":      Past,
		"I lived in Oslo":             Past,
		"I will move to Oslo":         Plan,
		"I can swim":                  Asserted,
		"I am in Oslo this week":      Bounded,
		"I almost moved to Oslo":      Attempt,
		"I am nearly blind":           Asserted,
		`I "live in Oslo for a year"`: Quoted,
	} {
		if got := clause(text).Read(); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	c := clause("I live in Oslo")
	if c.Question = true; c.Read() != Question {
		t.Error("a question mark makes no question")
	}
	c = clause("Ana says she lives in Oslo")
	if c.Pronoun = ""; c.Read() != Reported {
		t.Errorf("what Ana says is %v", c.Read())
	}
	if got := (&Clause{}).Read(); got != Asserted {
		t.Errorf("no words: %v", got)
	}
}
