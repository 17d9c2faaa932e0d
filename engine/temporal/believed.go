package temporal

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/internal/english"
)

var (
	// beliefVerbs are the forms after "did we": "What did we think in March?".
	beliefVerbs = english.WordSet("believe think know assume suppose expect understand reckon")
	// beliefPasts are those after "we" and after "was": "what we knew in March", "What was known in March?".
	beliefPasts    = english.WordSet("believed thought knew known assumed supposed expected understood reckoned")
	beliefSubjects = english.WordSet("we i you")
	beVerbs        = english.WordSet("was were been")
	// mindsToo may stand between subject and verb.
	mindsToo = english.WordSet("all both ever really already still then actually")
	// themes begin phrases of time that say what a belief was about, not when it was held.
	themes = english.WordSet("about of for with from since until till to after between the a this that our my your next")
)

// Belief is what a question asks about what was believed at a time.
type Belief struct {
	Last    time.Time // the last instant of the time
	Subject string    // the question without the time and without the words of believing: "Where Ana lived?"
}

// Believed reads a question about what was believed at a time: "What did we believe in February?", "Who was known to own the
// boat last week?". It returns false for other questions, for a time that is not over
// at an instant at, and without one. "What did Ana think in March?" is about Ana, and "What did we say in March?" about what happened.
func Believed(question string, at time.Time) (b Belief, ok bool) {
	cut := wordsOfBelief(question)
	if cut == nil {
		return Belief{}, false
	}
	for _, s := range Read(question, at).Spans {
		if s.To.IsZero() || s.To.After(at) || !held(question, s) {
			continue
		}
		if ok {
			return Belief{}, false // two times: which one is not certain
		}
		b.Last, ok = s.To.Add(-time.Millisecond), true
		cut = append(cut, part{s.Start, s.End})
	}
	b.Subject = without(question, cut)
	return b, ok
}

// without returns a text without some parts.
func without(text string, cut []part) string {
	slices.SortFunc(cut, func(a, b part) int { return cmp.Compare(a.start, b.start) })
	var rest strings.Builder
	end := 0
	for _, c := range cut {
		rest.WriteString(text[end:max(end, c.start)])
		end = max(end, c.end)
	}
	rest.WriteString(text[end:])
	return strings.Join(strings.Fields(rest.String()), " ")
}

// part is a part of a text, by byte offsets.
type part struct{ start, end int }

// held reports whether an expression says when a belief was held, and not what it was about: "in February", "last week", "as
// of 3 March", but not "about the February release".
func held(question string, s Span) bool {
	first, _, _ := strings.Cut(english.Lower(question[s.Start:s.End]), " ")
	if first == "of" {
		before := strings.Fields(english.Lower(question[:s.Start]))
		return len(before) > 0 && before[len(before)-1] == "as"
	}
	return !themes[first]
}

// wordsOfBelief returns the words by which a question asks what was believed, "did we think"; nil if it does not.
func wordsOfBelief(question string) []part {
	type token struct {
		part
		low string
	}
	var words []token
	for _, at := range beliefWord.FindAllStringIndex(question, -1) {
		if low := english.Lower(question[at[0]:at[1]]); !mindsToo[low] {
			words = append(words, token{part{at[0], at[1]}, low})
		}
	}
	low := func(i int) string {
		if i < len(words) {
			return words[i].low
		}
		return ""
	}
	for i, w := range words {
		one := func(i int) part { return words[i].part }
		switch {
		case w.low == "did" && beliefSubjects[low(i+1)] && beliefVerbs[low(i+2)]:
			return []part{one(i), one(i + 1), one(i + 2)}
		case beliefSubjects[w.low] && beliefPasts[low(i+1)] && low(i+1) != "known", beVerbs[w.low] && beliefPasts[low(i+1)] && low(i+1) != "knew":
			return []part{one(i), one(i + 1)}
		case beVerbs[w.low]: // "Who was the boat thought to belong to?"
			for n := i + 2; n <= i+4; n++ {
				if beliefPasts[low(n)] && low(n+1) == "to" {
					return []part{one(i), one(n), one(n + 1)}
				}
			}
		}
	}
	return nil
}

var beliefWord = regexp.MustCompile(`[^\s,;:?!."()]+`)
