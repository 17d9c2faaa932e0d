package pattern

import (
	"maps"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// statement is what a sentence says about a matter.
type statement struct {
	kind   graph.PatternKind
	source int // index of the source; -1-i: the i-th stored pattern
	from   *sentence

	stems  map[string]bool // content words of the matter
	when   map[string]bool // those of its conditions
	holder string          // of a preference: who; empty: the speaker or a group without a name
	plus   map[string]bool // of a preference: what is preferred
	minus  map[string]bool // of a preference: what is avoided
	object map[string]bool // of a preference: the words of plus that say what: "window seats" of "window seats on trains", see objectOf
	lack   map[string]bool // of what is liked: the words that it denies: "afternoons without meetings"
	choice bool            // of a preference: one thing is preferred to others

	ends map[string]string // the words, by stem, in whose place an opposite would contradict it, see endsOf

	turn map[string]bool // words of what may be done instead of what is forbidden, and whether it is to be done, see turn

	sign   int        // +1: do, prefers, fails; -1: the opposite
	bound  int        // +1: an upper bound, -1: a lower bound, 0: none
	order  int        // -1: it holds while its condition is not met, +1: once it is met, 0: neither
	values []value    // numbers with their units
	with   *statement // of a second: the statement that it seconds
	may    bool       // it permits: it speaks of the matter, and founds no pattern
	denied bool       // of a failure: something is denied
	weak   bool       // of a failure: no word says that it is one, and it founds no pattern without one of which a word does
	parts  []string   // conditions
	does   string     // the main clause
}

// value is a number and the stem of the word after it.
type value struct{ number, unit string }

// statementsOf reads the statements of a source.
func statementsOf(i int, s Source, all []*sentence) []*statement {
	var out []*statement
	for _, x := range all {
		if x.question || len(x.words) < 3 {
			continue
		}
		var st *statement
		for _, read := range []func(*sentence, string) *statement{readConstraint, readPreference, readFailure} {
			if st = read(x, s.Speaker); st != nil {
				break
			}
		}
		if st != nil && st.may && st.kind == graph.Constraint {
			if fails := readFailure(x, s.Speaker); fails != nil && fails.sign > 0 && !fails.weak && !x.personal() {
				st = fails // "the pump can fail when the tank is low" permits nothing
			}
		}
		if st == nil || len(st.stems) == 0 {
			continue
		}
		st.source, st.from = i, x
		st.parts, st.does = x.condTexts(), x.mainText()
		out = append(out, st)
	}
	return out
}

// personal reports a person as the subject of the main clause, by a pronoun: "you may break the seal".
func (s *sentence) personal() bool {
	base, _ := english.Contraction(s.low(0))
	_, pronoun := english.PronounOf(base)
	return generic[base] && base != "they" || pronoun && (base == "i" || base == "we" || base == "he" || base == "she" || base == "you")
}

// content sets the stems and the values of a statement from all words of the sentence but those
// that skip reports.
func (st *statement) content(s *sentence, skip func(i int) bool) {
	st.stems, st.when = map[string]bool{}, map[string]bool{}
	inside := make([]bool, len(s.words))
	link := make([]bool, len(s.words))
	for _, c := range s.conds {
		for i := c.start; i < c.to; i++ {
			inside[i], link[i] = i >= c.from, i < c.from
		}
	}
	for i, w := range s.words {
		if link[i] {
			continue
		}
		if w.Number != "" {
			st.values = append(st.values, value{w.Number, unitOf(s.words, i)})
			continue
		}
		stem := stemOf(w)
		if stem == "" || skip != nil && skip(i) {
			continue
		}
		st.stems[stem] = true
		if inside[i] {
			st.when[stem] = true
		}
	}
	st.ends = endsOf(s.words, s.main)
	for _, c := range s.conds {
		if lacking[c.link] {
			st.order = -1
			break
		}
		if c.link == "after" {
			st.order = 1
		}
	}
}

// sameCondition reports whether two statements hold under conditions of the same words, or of numbers only.
func (st *statement) sameCondition(o *statement) bool {
	return len(st.when)+len(o.when) == 0 || likeness(st.when, o.when) >= alikeFrom
}

// unitOf returns the stem of the content word after a number, or "#" and that of the one before it
// ("pier 5"); empty for none.
func unitOf(words []extract.Word, i int) string {
	before := ""
	if i > 0 && words[i-1].SignAfter == 0 {
		if stem := stemOf(words[i-1]); stem != "" {
			before = "#" + stem
		}
	}
	if words[i].SignAfter == '%' {
		return "%"
	}
	if i+1 >= len(words) || words[i].SignAfter != 0 {
		return before
	}
	next := words[i+1]
	if next.Number != "" || next.Low != "am" && next.Low != "pm" && (english.StopWord(next.Low) || plain[next.Low] || links[next.Low] != "") {
		return before
	}
	return english.Stem(english.Lemma(next.Low))
}

// names finds the units whose numbers name things and state no values: they differ from source to
// source ("pier 5", "ticket 812"), and none of three or more is that of half of the statements.
func names(all []*statement) map[string]bool {
	count := map[string]map[string]int{}
	sum := map[string]int{}
	for _, st := range all {
		for _, v := range st.values {
			if v.unit != "" && !strings.HasPrefix(v.unit, "#") {
				continue // a measure
			}
			if count[v.unit] == nil {
				count[v.unit] = map[string]int{}
			}
			count[v.unit][v.number]++
			sum[v.unit]++
		}
	}
	out := map[string]bool{}
	for unit, numbers := range count {
		most := 0
		for _, n := range numbers {
			most = max(most, n)
		}
		if len(numbers) > 2 && 2*most < sum[unit] {
			out[unit] = true
		}
	}
	return out
}

// otherValue reports whether two statements give one thing different values.
func otherValue(a, b []value) bool {
	for _, x := range a {
		for _, y := range b {
			if x.unit == y.unit && x.number != y.number && !slices.Contains(b, x) && !slices.Contains(a, y) {
				return true
			}
		}
	}
	return false
}

// likeness is the Dice coefficient of two sets, [0,1].
func likeness(a, b map[string]bool) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	return 2 * float64(shared(a, b)) / float64(len(a)+len(b))
}

func shared(a, b map[string]bool) int {
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}

func union(a, b map[string]bool) map[string]bool {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]bool{}
	}
	maps.Copy(out, b)
	return out
}
