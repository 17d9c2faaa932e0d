package index

import (
	"strings"
	"unicode"

	"github.com/somnograph/somnograph/graph"
)

// The words by which people speak of themselves, and by which an assistant speaks of them.
var (
	selfWords = set(`i me my mine myself we us our ours ourselves im ive i'm i've i'd i'll we're we've we'd we'll user user's`)
	yourWords = set(`you your yours yourself you're you've you'd you'll user user's`)
)

// ofSelf reports whether a memory speaks of the user: in the first person, or in the second
// where an assistant said it, as "the user" or by name.
func ofSelf(m *graph.Memory) bool {
	words := selfWords
	if m.SourceKind == graph.FromAssistant {
		words = yourWords
	}
	name, _, _ := strings.Cut(strings.ToLower(m.User), " ")
	for w := range strings.FieldsFuncSeq(apostrophes.Replace(m.Content), func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		w = strings.ToLower(w)
		if words[w] || name != "" && (w == name || w == name+"'s") {
			return true
		}
	}
	return false
}
