package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// opposites are groups of words that exclude each other in the same place. "|" separates the
// sides; the words of one side mean the same. A word may be in several groups.
var opposites = wordLists.Lines("opposites")

// kindsOf are groups of names and words of one kind. A thing that can have only one of a kind has
// one of the group: the preferred one, the language of a page, the colour.
var kindsOf = wordLists.Lines("kinds")

// occupations, of which a person has one.
var occupations = lemmaSet("occupations")

// hyponyms maps words to their classes: a person who eats no meat eats no beef.
var hyponyms = func() map[string][]string {
	m := map[string][]string{}
	for class, w := range wordLists.Keyed("classes") {
		m[lemma(w)] = append(m[lemma(w)], lemma(class))
	}
	return m
}()

// oppositeSide is the place of a word in opposites.
type oppositeSide struct{ group, side int }

var oppositeSides = func() map[string][]oppositeSide {
	m := map[string][]oppositeSide{}
	for g, line := range opposites {
		for s, list := range strings.Split(line, "|") {
			for _, w := range strings.Fields(list) {
				for _, k := range []string{lemma(w), english.Lemma(w)} {
					if !slices.ContainsFunc(m[k], func(have oppositeSide) bool { return have.group == g }) {
						m[k] = append(m[k], oppositeSide{g, s})
					}
				}
			}
		}
	}
	return m
}()

var kinds = func() map[string][]int {
	m := map[string][]int{}
	for g, line := range kindsOf {
		for _, w := range strings.Fields(line) {
			m[lemma(w)] = append(m[lemma(w)], g)
		}
	}
	return m
}()

// areOpposed reports whether two words exclude each other.
func areOpposed(a, b string) bool {
	if a == b {
		return false
	}
	for _, x := range oppositesOf(a) {
		for _, y := range oppositesOf(b) {
			if x.group == y.group && x.side != y.side {
				return true
			}
		}
	}
	return hasNegatingPrefix(a, b) || hasNegatingPrefix(b, a)
}

// Opposed reports whether two words in small letters exclude each other in one place: "open" and "closed".
func Opposed(a, b string) bool { return areOpposed(lemma(a), lemma(b)) }

// oppositesOf returns the places of a word in opposites, also of a comparative: "slower" as
// "slow".
func oppositesOf(w string) []oppositeSide {
	if s, ok := oppositeSides[w]; ok {
		return s
	}
	for _, end := range []string{"er", "est", "ier"} {
		if base, ok := strings.CutSuffix(w, end); ok && len(base) > 2 {
			for _, w := range []string{lemma(base), lemma(base + "y"), lemma(base + "e"), english.Undouble(base)} {
				if s, ok := oppositeSides[w]; ok {
					return s
				}
			}
		}
	}
	return nil
}

// hasNegatingPrefix reports whether a is b with a negating prefix: unhappy, dislike.
func hasNegatingPrefix(a, b string) bool {
	if len(b) < 4 {
		return false
	}
	for _, p := range []string{"un", "in", "im", "ir", "il", "dis", "non", "non-"} {
		if len(a) == len(p)+len(b) && strings.HasPrefix(a, p) && strings.HasSuffix(a, b) {
			return !(p == "in" && (b == "form" || b == "vest" || b == "tend" || b == "sist")) && !(p == "un" && b == "iversity") && !(p == "dis" && (b == "play" || b == "cover" || b == "count"))
		}
	}
	return false
}

// sameKind reports whether two different words are of one kind.
func sameKind(a, b string) bool {
	return a != b && slices.ContainsFunc(kinds[a], func(kind int) bool { return slices.Contains(kinds[b], kind) })
}

// oneAtATime reports whether two words are of kinds that exclude each other: colours and
// religions.
func oneAtATime(a, b string) bool {
	return sameKind(a, b) && (sameKind(a, "red") || a == "red" || sameKind(a, "muslim") || a == "muslim")
}

// isA reports whether a is b or a member of class b.
func isA(a, b string) bool {
	return a == b || slices.Contains(hyponyms[a], b)
}
