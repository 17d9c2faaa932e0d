package phrase

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
)

// words returns the words of a text with what this package looks at.
func words(text string) (out []syntax.Word) {
	for _, t := range wordclass.Scan(text) {
		out = append(out, syntax.Word{Text: t.Text, Low: t.Low, Sign: t.Sign, Class: wordclass.Class(t.Class), Form: tables.Tokens.Verbs.FormOf(t.Low)})
	}
	return out
}

// shown returns phrases as text, each with its preposition before a colon.
func shown(of []syntax.Word, all []Phrase) string {
	var out []string
	for _, p := range all {
		out = append(out, p.Prep+":"+text(of[p.From:p.To]))
	}
	return strings.Join(out, "|")
}

func text(of []syntax.Word) string {
	var out []string
	for _, w := range of {
		out = append(out, w.Low)
	}
	return strings.Join(out, " ")
}

func TestCut(t *testing.T) {
	for in, want := range map[string]string{
		"in Oslo with Ana":         "in:oslo|with:ana",
		"at the end of the street": "at:the end of the street",
		"to Bergen last month":     "to:bergen|every:last month",
		"from nine to five":        "from:nine|to:five",
		"on":                       "on:",
		"":                         "",
	} {
		of := words(in)
		found, now := Cut(of)
		if got := shown(of, found); got != want || now {
			t.Errorf("%q: %s, now %v, want %s", in, got, now, want)
		}
	}
	if _, now := Cut(words("since")); !now {
		t.Error("since says nothing about now")
	}
}

func TestBefore(t *testing.T) {
	for in, want := range map[string]int{"the red lamp in the hall": 3, "in the hall": 0, "nine to five": 3, "the lamp": 2, "": 0} {
		if got := Before(words(in)); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
}

func TestBeforeVerb(t *testing.T) {
	for _, x := range []struct{ in, subject, phrases, particle string }{
		{"my brother", "my brother", "", ""},
		{"in Oslo my brother", "my brother", "in:oslo", ""},
		{"on Friday we", "we", "on:friday", ""},
		{"last Monday the choir", "the choir", "on:last monday", ""},
		{"the lamp in the hall", "the lamp", "in:the hall", ""},
		{"my flight back", "my flight", "", "back"},
		{"that", "that", "", ""},
		{"whoever is on call", "whoever is on call", "", ""},
		{"Jonas, who", "jonas", "", ""},
		{"both of my cats", "my cats", "", ""},
		{"", "", "", ""},
	} {
		of, first := words(x.in), ""
		if len(of) > 0 {
			first = of[0].Low
		}
		s := BeforeVerb(of, first)
		if got := text(of[s.From:s.To]); got != x.subject || shown(of, s.Phrases) != x.phrases || s.Particle != x.particle || s.Denied {
			t.Errorf("%q: subject %q, phrases %q, particle %q, denied %v", x.in, got, shown(of, s.Phrases), s.Particle, s.Denied)
		}
	}
	if s := BeforeVerb(words("neither of my cats"), "neither"); !s.Denied || s.From != 2 {
		t.Errorf("neither of my cats: denied %v, from %d", s.Denied, s.From)
	}
}
