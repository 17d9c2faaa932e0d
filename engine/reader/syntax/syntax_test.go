package syntax

import (
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/verb"
)

// words returns the words of a text. A comma before a word is its sign, and a word of the list of verbs has that form.
func words(text string) (out []Word) {
	forms := map[string]verb.Form{"live": verb.Base, "run": verb.Base, "leaves": verb.Third, "arrives": verb.Third, "moved": verb.Past, "is": verb.Third}
	sign := byte(0)
	for _, w := range strings.Fields(text) {
		low := strings.ToLower(strings.TrimSuffix(w, ","))
		f := forms[low]
		little := slices.Contains(strings.Fields("i she the my in at and to"), low)
		out = append(out, Word{
			Text: strings.TrimSuffix(w, ","), Low: low, Sign: sign, Form: f, Function: little || low == "is", Little: little || low == "is", Finite: low == "is",
			Determiner: low == "the" || low == "my", Preposition: low == "in" || low == "at" || low == "to",
			Noun: f == verb.None && !little && low == w, Verb: f != verb.None && low != "is", Name: low != w && !little, Named: low != w && !little, Value: low != w && !little,
		})
		if sign = 0; strings.HasSuffix(w, ",") {
			sign = ','
		}
	}
	return out
}

func TestVerbAt(t *testing.T) {
	for text, want := range map[string]int{
		"I live in Oslo":             1,
		"The train leaves at noon":   2,
		"My desk is in the hall":     2,
		"the old desk":               -1,
		"The landlord upped my rent": 2, // a verb that no table has
		"Ana and Tom run the shop":   3,
		"forget what I moved to":     0,
	} {
		if got := VerbAt(words(text)); got != want {
			t.Errorf("%q: the verb is at %d, want %d", text, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][][2]int{
		"I live in Oslo":                             {{0, 4}},
		"I live in Oslo and she moved to Bergen":     {{0, 4}, {5, 9}},
		"The train leaves at noon, she moved":        {{0, 5}, {5, 7}},
		"I moved the lamp, the desk and the drawers": {{0, 9}},
	} {
		if got := Split(words(text)); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	conjoined := words("She leaves at noon and arrives in Oslo")
	conjoined[3].Number = true
	if spans := Split(conjoined); len(spans) != 2 || !conjoined[5].AfterAmount {
		t.Errorf("%v, after an amount: %v", spans, conjoined[5].AfterAmount)
	}
}
