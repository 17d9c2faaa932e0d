package pattern

import (
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// SameRule reports whether two texts of one sentence each demand the same, in the same words apart from the condition and
// from who says it: "Always lock the door after sailing", "Please always lock the door when you leave, said Tomas". Two
// conditions with other values or times, with a word of change, or of opposite order may be a change of one rule.
func SameRule(earlier, later string) bool {
	a, b := ruleIn(earlier), ruleIn(later)
	if a == nil || b == nil || a.sign != b.sign || a.bound != b.bound || !slices.Equal(a.from.demand(), b.from.demand()) || b.from.changes() {
		return false
	}
	if slices.ContainsFunc(a.values, func(v value) bool { return !slices.Contains(b.values, v) }) && slices.ContainsFunc(b.values, func(v value) bool { return !slices.Contains(a.values, v) }) {
		return false
	}
	x, y := a.times(), b.times()
	return (len(x) == 0 || len(y) == 0 || maps.Equal(x, y)) && !opposes(a, b)
}

// ruleIn reads the demand of a text of one sentence; nil for any other.
func ruleIn(text string) *statement {
	all := sentencesOf(text)
	if len(all) != 1 {
		return nil
	}
	read := statementsOf(0, Source{Text: text}, all)
	if len(read) != 1 || read[0].may || read[0].kind != graph.Constraint {
		return nil
	}
	return read[0]
}

// unsaid are words of a demand that do not change it.
var unsaid = english.WordSet("the a an always please kindly")

// demand returns the words outside of conditions, in their base form.
func (s *sentence) demand() []string {
	var out []string
	for _, i := range s.main {
		if w := s.words[i]; !unsaid[w.Low] {
			out = append(out, english.Lemma(w.Low))
		}
	}
	return out
}

// changing are words with which a condition says that it is another one from now on.
var changing = english.WordSet("now instead longer anymore henceforth")

// changes reports a condition that replaces another one.
func (s *sentence) changes() bool {
	for _, c := range s.conds {
		for _, w := range s.words[c.from:c.to] {
			if changing[w.Low] {
				return true
			}
		}
	}
	return false
}

// times returns the words of a statement's conditions that say a time.
func (st *statement) times() map[string]bool {
	out := maps.Clone(st.when)
	maps.DeleteFunc(out, func(w string, _ bool) bool { return !isTime(w) && !dayStems[w] })
	return out
}

// dayStems are the stems of dayTimes.
var dayStems = func() map[string]bool {
	out := map[string]bool{}
	for w := range dayTimes {
		out[english.Stem(english.Lemma(w))] = true
	}
	return out
}()
