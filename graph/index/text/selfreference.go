package text

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// SpeaksOfUser reports whether a text refers to the user: in the first person (in the second
// if an assistant wrote it), as "the user", or by the first word of the user's name.
func SpeaksOfUser(text, userName string, byAssistant bool) bool {
	person := int8(1)
	if byAssistant {
		person = 2
	}
	name, _, _ := strings.Cut(strings.ToLower(userName), " ")
	for t := range english.Tokens(apostrophes.Replace(text), english.Words) {
		word, _ := english.Contraction(t.Lower())
		pronoun, ok := english.PronounOf(word)
		switch {
		case ok && pronoun.Person == person, word == "user", name != "" && word == name:
			return true
		case !byAssistant && (word == "im" || word == "ive"):
			return true
		}
	}
	return false
}
