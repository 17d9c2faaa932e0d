package phrase

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/internal/english"
)

// SplitNames returns the names of a question, which are its capitalised words except the first, and
// its other words with content. The first word is neither if it may be a name.
func SplitNames(question string) (names, others []string) {
	for i, w := range Parts(question) {
		low := strings.ToLower(w)
		first, _ := utf8.DecodeRuneInString(w)
		_, pronoun := english.PronounOf(low)
		switch {
		case english.StopWord(low), pronoun, slices.Contains(names, w):
		case !unicode.IsUpper(first):
			others = append(others, w)
		case i > 0:
			names = append(names, w)
		}
	}
	return names, others
}

// Somebody reports a subject that surely is one: the speaker, somebody of theirs, or a name. What a question in another order
// of words asks about may be read wrongly ("What language is the service written in?").
func Somebody(subject string) bool {
	first, _, _ := strings.Cut(strings.ToLower(subject), " ")
	r, _ := utf8.DecodeRuneInString(subject)
	return first == "my" || first == "our" || reader.FirstPerson(first) || unicode.IsUpper(r)
}
