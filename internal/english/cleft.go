package english

import "strings"

var (
	cleftAsks     = WordSet("what which who whom whose where when why how")
	cleftSubjects = WordSet("i you we they he she")
	cleftAdverbs  = WordSet("again now then")
	cleftForms    = WordSet("is was")
)

// maxCleftAside is the number of words between a question word and "is it": "which kind of work".
const maxCleftAside = 3

// Cleft finds what makes a question a cleft one, given its words in lower case: "is it that" in "what
// is it that I do", "it is" in "where it is we live". Without the words from i up to j, the question
// asks the same, in the order of a statement. A contracted "is" may be missing. Zero j: it is none.
func Cleft(words []string) (i, j int) {
	for at, w := range words {
		if !cleftAsks[w] {
			continue
		}
		for i = at + 1; i < len(words) && i <= at+1+maxCleftAside; i++ {
			if j = cleftEnd(words, i); j > 0 {
				return i, j
			}
		}
	}
	return 0, 0
}

// cleftEnd returns the end of "is it that" at i; 0: it is not there.
func cleftEnd(words []string, i int) int {
	is := i < len(words) && cleftForms[words[i]]
	if is {
		i++
	}
	if i >= len(words) || words[i] != "it" {
		return 0
	}
	i++
	if !is && i < len(words) && cleftForms[words[i]] {
		is, i = true, i+1
	}
	if i < len(words) && (strings.HasSuffix(words[i], "ly") || cleftAdverbs[words[i]]) {
		i++
	}
	switch {
	case i+1 >= len(words): // without a clause
		return 0
	case words[i] == "that" || words[i] == "who":
		return i + 1
	case cleftSubjects[words[i]] && is:
		return i
	}
	return 0
}
