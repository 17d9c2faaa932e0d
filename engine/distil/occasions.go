package distil

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/internal/english"
)

// commonHeading returns the heading of steps that were done on several occasions: the last one with the word that most of the headings
// have, if that are two at least. A single heading counts if it names nobody: "For Ben" is the heading of one of them.
func commonHeading(named []string) string {
	count, named := map[string]int{}, slices.DeleteFunc(slices.Clone(named), func(h string) bool { return h == "" })
	for _, h := range named {
		for w := range headingWords(h) {
			count[w]++
		}
	}
	best, most := "", 0
	for _, h := range named {
		n := 0
		for w := range headingWords(h) {
			n = max(n, count[w])
		}
		if n >= most && (n > 1 || len(named) == 1 && !namesSomebody(h)) {
			best, most = h, n
		}
	}
	return best
}

// headingWords returns the content words of a heading in their base form.
func headingWords(heading string) map[string]bool {
	out := map[string]bool{}
	for _, w := range wordsOf(heading) {
		if !english.StopWord(w.Low) && w.Number == "" {
			out[english.Lemma(w.Low)] = true
		}
	}
	return out
}

// namesSomebody reports a heading with a possessive, or a capital after its first word.
func namesSomebody(heading string) bool {
	for i, w := range wordsOf(heading) {
		r, _ := utf8.DecodeRuneInString(w.Text)
		if w.Possessive || i > 0 && unicode.IsUpper(r) {
			return true
		}
	}
	return false
}

// stepBefore returns the step that stands before a run of steps on each of its occasions in other words. Some could not be read as steps
// ("the starter got its feed"). At least Repeats of them, and four fifths, are about one thing. What was said after a step that was read does not count.
// at says where the run begins on each occasion. The step is worded as the last of them that commands, or else the last.
func stepBefore(at map[string]int, done map[string][]step) (first step, ok bool) {
	count := map[string]int{}
	before := map[string]step{}
	for _, o := range sortedKeys(at) {
		i, said := at[o], done[o][at[o]].before
		if i > 0 && done[o][i-1].source == done[o][i].source {
			before[o] = done[o][i-1]
			said = before[o].text // what was said after a step is none
		}
		for w := range headingWords(said) {
			count[w]++
		}
	}
	thing := ""
	for _, w := range sortedKeys(count) {
		if n := count[w]; n >= Repeats && 5*n >= 4*len(at) && n > count[thing] {
			thing = w
		}
	}
	if thing == "" {
		return step{}, false
	}
	for _, o := range sortedKeys(before) {
		if x := before[o]; headingWords(x.text)[thing] && (!ok || x.command || !first.command) {
			first, ok = x, true
		}
	}
	return first, ok
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
