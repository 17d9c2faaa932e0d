package text

import (
	"strings"
	"unicode"
)

// The words by which users refer to themselves, and by which an assistant refers to them.
var (
	firstPersonWords = set(`i me my mine myself we us our ours ourselves im ive i'm i've i'd i'll we're we've we'd we'll user user's`)
	userWords        = set(`you your yours yourself you're you've you'd you'll user user's`)
)

// SpeaksOfUser reports whether a text refers to the user: in the first person (in the second
// if an assistant wrote it), as "the user", or by the first word of the user's name.
func SpeaksOfUser(text, userName string, byAssistant bool) bool {
	words := firstPersonWords
	if byAssistant {
		words = userWords
	}
	name, _, _ := strings.Cut(strings.ToLower(userName), " ")
	for w := range strings.FieldsFuncSeq(apostrophes.Replace(text), func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		w = strings.ToLower(w)
		if words[w] || name != "" && (w == name || w == name+"'s") {
			return true
		}
	}
	return false
}
