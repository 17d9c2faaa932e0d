package harm

import (
	"strings"
	"testing"
)

// words makes words of a text in lower case, of which a name has a capital.
func words(text string) []Word {
	var all []Word
	for w := range strings.FieldsSeq(text) {
		low, possessive := strings.CutSuffix(strings.ToLower(w), "'s")
		all = append(all, Word{Low: low, Possessive: possessive, Capital: low != strings.TrimSuffix(w, "'s"), Determiner: low == "a" || low == "the" || low == "any"})
	}
	return all
}

// The words of who is harmed and of what harms are found wherever they stand.
func TestWhomAndCause(t *testing.T) {
	for text, want := range map[string]string{
		"nuts could kill me": "me | nuts | harms",
		"even a trace of peanut would put my son Leo in hospital": "my son leo | a trace of peanut | harms",
		"i can not breathe if there are cats around":              "i | cats | harms",
		"if my son eats kiwi his mouth itches":                    "my son | kiwi | harms",
		"i must never take aspirin or ibuprofen":                  "i | aspirin or ibuprofen | forbidden",
		"never give my daughter honey":                            "my daughter | honey | forbidden",
		"my daughter's throat swells up from wasp stings":         "my daughter | wasp stings | harms",
		"mondays kill me":                                         "",
		"no nuts make me sick":                                    "",
		"coffee is hardly dangerous for me":                       "",
		"i should not have eaten cheese":                          "",
		"i can not get fresh milk at the corner shop":             "",
		"i can not drink coffee as fast as Tom":                   "",
		"we could not eat fish":                                   "",
		"i can not eat dairy at all":                              "i | dairy | forbidden",
		"nuts could kill Tom":                                     "",
		"i can not have coffee with Tom":                          "",
		"i must not be late":                                      "",
		"":                                                        "",
		"my":                                                      "",
		"i can not":                                               "",
	} {
		w := words(text)
		part := func(at [2]int) string {
			var low []string
			for _, x := range w[at[0]:at[1]] {
				low = append(low, x.Low)
			}
			return strings.Join(low, " ")
		}
		got := ""
		if r, ok := Of(w); ok {
			if got = part(r.Whom) + " | " + part(r.Cause) + " | harms"; r.Forbidden {
				got = strings.TrimSuffix(got, "harms") + "forbidden"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Words in any order are read without a panic.
func FuzzOf(f *testing.F) {
	f.Add("if i eat nuts my throat swells up")
	f.Add("my daughter's can not never give me from of")
	f.Fuzz(func(t *testing.T, text string) {
		w := words(text)
		if r, ok := Of(w); ok && (r.Whom[0] >= r.Whom[1] || r.Whom[1] > len(w) || r.Cause[0] >= r.Cause[1] || r.Cause[1] > len(w)) {
			t.Errorf("%q: %+v", text, r)
		}
	})
}
