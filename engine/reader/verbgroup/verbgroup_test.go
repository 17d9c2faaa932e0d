package verbgroup

import (
	"reflect"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/engine/reader/syntax"
	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/internal/english"
)

// words returns the words of a text with what this package looks at.
func words(text string) (out []syntax.Word) {
	for _, t := range tables.Tokens.Scan(text) {
		w := syntax.Word{Text: t.Text, Low: t.Low, Lem: t.Lem, Start: t.Start, End: t.End, Sign: t.Sign, Form: tables.Tokens.Verbs.FormOf(t.Low)}
		if !t.Value {
			w.Lem = lexicon.Lemma(t.Low)
		}
		out = append(out, w)
	}
	return out
}

func TestRead(t *testing.T) {
	for text, want := range map[string]Group{
		"I live in Oslo":              {Verb: 1, Lemma: "live"},
		"I have moved to Bergen":      {Verb: 2, Lemma: "move", Perfect: true, Changes: true},
		"I was promoted":              {Verb: 2, Lemma: "promote", Past: true, Passive: true, Changes: true},
		"I will not move":             {Verb: 3, Lemma: "move", Modal: true, Negated: true, Changes: true},
		"I quit smoking":              {Verb: 2, Lemma: "smoking", Stopped: true, Negated: true, Changes: true},
		"I'm back to drinking tea":    {Verb: 4, Lemma: "drinking", Ing: true, Now: true},
		"I ended up getting a Pixel":  {Verb: 3, Lemma: "getting", Past: true, Changed: true},
		"I took over the garden club": {Verb: 1, Lemma: "took", Past: true, Changes: true},
	} {
		got := Read(words(text), 1, false)
		got.words, got.aux, want.Lemma = nil, 0, lexicon.Lemma(want.Lemma)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestThird(t *testing.T) {
	for _, x := range []struct {
		text, prep, want string
		s                Saying
	}{
		{"I do not live", "in", "lives in", Saying{}},
		{"I used to work", "at", "work at", Saying{Past: true}},
		{"I have moved", "to", "has moved to", Saying{}},
		{"I became", "", "is", Saying{Past: true, Becomes: true}},
	} {
		if got := Third(words(x.text), 1, x.s, x.prep); got != x.want {
			t.Errorf("%q: %q, want %q", x.text, got, x.want)
		}
	}
}

func TestPresent(t *testing.T) {
	for _, x := range []struct {
		text, be, want string
		aux, at        int
	}{
		{"I will start at Lumen", "am", "I start at Lumen", 1, 2},
		{"She will start at Lumen", "is", "She starts at Lumen", 1, 2},
		{"They will be starting there", "are", "They are starting there", 1, 3},
	} {
		edited, ok := english.Apply(x.text, Present(words(x.text), x.aux, x.at, x.be))
		if got := fields(edited); !ok || got != x.want {
			t.Errorf("%q: %q, want %q", x.text, got, x.want)
		}
	}
}

// fields returns a text with single spaces.
func fields(text string) string { return strings.Join(strings.Fields(text), " ") }
