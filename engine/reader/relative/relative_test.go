package relative

import (
	"strings"
	"testing"
)

// clauseOf makes words: "/" marks a sign before the next word, and a suffix its kind.
func clauseOf(text string) (words []Word) {
	sign := false
	for w := range strings.FieldsSeq(text) {
		if w == "/" {
			sign = true
			continue
		}
		low, kind, _ := strings.Cut(w, ":")
		words = append(words, Word{
			Low: strings.ToLower(low), Sign: sign, Determiner: kind == "d", Preposition: kind == "p", Finite: kind == "f", Verb: kind == "v" || kind == "3" || kind == "f", Third: kind == "3", Name: kind == "n",
		})
		sign = false
	}
	return words
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"the:d book i am:f reading:v is:f emma:n":            "i am reading emma",
		"the:d book that i am:f reading:v is:f emma:n":       "i am reading emma",
		"the:d school my:d kids go:v to:p is:f larkfield:n":  "my kids go to larkfield",
		"the:d car i drive:v is:f a:d skoda:n":               "i drive a skoda",
		"the:d person who cuts:3 my:d hair is:f lena:n":      "lena cuts my hair",
		"the:d guy i am:f seeing:v is:f called:v tom:n":      "i am seeing tom",
		"the:d car i drive:v is:f red":                       "",
		"the:d woman who runs:3 the:d bakery is:f a:d nurse": "",
		"the:d reason i called:v is:f the:d leak":            "",
		"the:d wine they served:v was:f a:d rioja:n":         "",
		"the:d book i read:v is:f not / emma:n":              "",
		"the:d town / i live:v in:p is:f ghent:n":            "",
		"a:d book": "",
		"":         "",
	} {
		words := clauseOf(text)
		order, ok := Plain(words)
		var said []string
		for _, at := range order {
			said = append(said, words[at].Low)
		}
		if got := strings.Join(said, " "); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestMainVerb(t *testing.T) {
	for text, want := range map[string]string{
		"the:d train i take:v leaves:3 at:p nine:n":          "leaves",
		"the:d gym that i go:v to:p closes:3 at:p nine:n":    "closes",
		"the:d woman who runs:3 the:d bakery is:f a:d nurse": "is",
		"the:d train leaves:3 at:p nine:n":                   "",
		"this:d ensures that the:d page is:f fast":           "",
		"the:d train i take:v":                               "",
	} {
		words, got := clauseOf(text), ""
		if n := Main(words); n > 0 {
			got = words[n].Low
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
