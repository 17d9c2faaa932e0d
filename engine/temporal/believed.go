package temporal

import (
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

// Believed reads a question about what was believed at a time: "What did we believe in February?", "Who was known to own the
// boat last week?". It returns the last instant of that time, and false for other questions, for a time that is not over
// at an instant at, and without one. "What did Ana think in March?" is about Ana, and "What did we say in March?" about what happened.
func Believed(question string, at time.Time) (last time.Time, ok bool) {
	if !asksForBelief(question) {
		return time.Time{}, false
	}
	for _, s := range Read(question, at).Spans {
		if s.To.IsZero() || s.To.After(at) || !held(question, s) {
			continue
		}
		if ok {
			return time.Time{}, false // two times: which one is not certain
		}
		last, ok = s.To.Add(-time.Millisecond), true
	}
	return last, ok
}

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

func asksForBelief(question string) bool {
	words := strings.FieldsFunc(english.Lower(question), func(r rune) bool { return strings.ContainsRune(" \t\n,;:?!.\"()", r) })
	for i, w := range words {
		next := func(n int) string { // the nth word after w, without adverbs
			for _, x := range words[i+1:] {
				if mindsToo[x] {
					continue
				}
				if n--; n == 0 {
					return x
				}
			}
			return ""
		}
		switch {
		case w == "did" && beliefSubjects[next(1)] && beliefVerbs[next(2)],
			beliefSubjects[w] && beliefPasts[next(1)] && next(1) != "known",
			beVerbs[w] && beliefPasts[next(1)] && next(1) != "knew":
			return true
		case beVerbs[w]: // "Who was the boat thought to belong to?"
			for n := 2; n <= 4; n++ {
				if beliefPasts[next(n)] && next(n+1) == "to" {
					return true
				}
			}
		}
	}
	return false
}
