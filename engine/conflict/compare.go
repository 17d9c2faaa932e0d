package conflict

import (
	"math"
	"slices"
	"strings"
	"time"
)

// Scores of the kinds: how sure the rule is.
const (
	scoreNegation = 0.9
	scoreAntonym  = 0.85
	scoreValue    = 0.85
	scoreObject   = 0.85
	scoreChange   = 0.88
	scoreTriple   = 0.8
	scoreTopic    = 0.8
)

// link is how two subjects belong together.
type link int8

const (
	stranger link = iota
	vague         // the same pronoun: needs more in common
	same
)

// compareClauses compares one clause of each statement.
func compareClauses(a, b *clause, sa, sb *Analysis) Result {
	days := apart(sa.statement.At, sb.statement.At)
	subj := sameSubject(a, b)
	for i := range a.facts {
		for j := range b.facts {
			if r := compareFacts(&a.facts[i], &b.facts[j], a, b, subj); r.Score > 0 {
				return r
			}
		}
	}
	if subj == stranger {
		if a.verb == b.verb && a.verb == "be" {
			if r := reversed(a, b); r.Score > 0 {
				return r
			}
		}
		if r := changes(a, b); r.Score > 0 {
			return r
		}
		return changes(b, a)
	}
	if r := changes(a, b); r.Score > 0 {
		return r
	}
	if r := changes(b, a); r.Score > 0 {
		return r
	}
	if r := notBeen(a, b, subj); r.Score > 0 {
		return r
	}
	if r := notBeen(b, a, subj); r.Score > 0 {
		return r
	}
	if r := unable(a, b, subj); r.Score > 0 {
		return r
	}
	if r := unable(b, a, subj); r.Score > 0 {
		return r
	}
	if a.mood != b.mood || a.cond != b.cond || a.weak || b.weak || a.hedged != b.hedged {
		return Result{}
	}
	if a.neg != b.neg {
		if a.neg {
			return negation(a, b, subj, days)
		}
		return negation(b, a, subj, days)
	}
	if a.neg {
		return Result{}
	}
	if r := antonyms(a, b, subj, days); r.Score > 0 {
		if disjoint(a.vals, b.vals) && len(a.rest) == len(b.rest) && slices.ContainsFunc(a.rest, func(x item) bool { return x.prep == "for" }) {
			return Result{} // 5 euros for children, 9 for adults
		}
		return r
	}
	if r := prefers(a, b); r.Score > 0 {
		return r
	}
	return otherValues(a, b, subj, days)
}

// notBeen reports that one has not been where the other goes.
func notBeen(a, b *clause, subj link) Result {
	if a.verb != visitKey || !a.neg || a.tense != perfect || b.verb != "go" || b.neg || b.tense != present || b.mood != fact || b.hedged || b.cond != "" || subj != same || b.freq < 0 || len(a.rest) == 0 {
		return Result{}
	}
	where := b.phrase("to")
	if len(where) == 0 || where[len(where)-1].lem != a.rest[0].lem || !a.rest[0].end {
		return Result{}
	}
	return Result{scoreNegation, KindNegation, "one has not been where the other goes"}
}

// unable reports that one is not able to do what the other says is done.
func unable(a, b *clause, subj link) Result {
	if !a.neg || a.mood != can || b.neg || b.mood != fact || subj != same || a.tense != present || b.tense != present || a.verb != b.verb || !lone[a.verb] && len(a.rest) == 0 ||
		a.cond != "" || b.cond != "" || a.weak || b.weak || a.hedged || b.hedged || len(a.vals)+len(a.quals) > 0 || b.ing || b.verb == "be" || b.verb == "have" {
		return Result{}
	}
	if extra, _, ok := covers(a, b); !ok || extra > 1 {
		return Result{}
	}
	return Result{scoreNegation, KindNegation, "one is not able to do what the other says"}
}

// apart is how many days lie between two statements, 0 where it is not known.
func apart(a, b time.Time) float64 {
	if a.IsZero() || b.IsZero() {
		return 0
	}
	return math.Abs(a.Sub(b).Hours()) / 24
}

// sameSubject reports whether two clauses speak of one thing. "My dog" and "the dog"
// may be one, and "Ann" and "Ann Lee".
func sameSubject(a, b *clause) link {
	x, y := a.subj, b.subj
	if slices.Equal(x, y) {
		if len(x) == 1 && (x[0] == "@it" || x[0] == "@they") {
			return vague
		}
		return same
	}
	if a.named && b.named && !a.plural && !b.plural && (subset(x, y) || subset(y, x)) {
		return same
	}
	if slices.Equal(unowned(x), unowned(y)) && len(unowned(x)) > 0 {
		return same
	}
	return stranger
}

func unowned(s []string) []string {
	i := 0
	for i < len(s) && (s[i] == "@i" || s[i] == "@we") {
		i++
	}
	return s[i:]
}

// owner is the person a subject begins with.
func owner(s []string) string {
	if len(s) > 0 && s[0][0] == '@' {
		return s[0]
	}
	return ""
}

func subset(a, b []string) bool {
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return len(a) > 0
}

// together reports whether two clauses speak of the same time.
func together(a, b *clause) bool {
	pa, pb := a.tense, b.tense
	if pa == pb {
		return true
	}
	back := func(t tense) bool { return t == past || t == perfect }
	if back(pa) && back(pb) {
		return true
	}
	if (pa == perfect && a.verb == "be" || pb == perfect && b.verb == "be") && pa != past && pb != past {
		return true
	}
	return false
}

// compareFacts compares two functional assertions.
func compareFacts(x, y *assertion, a, b *clause, subj link) Result {
	if x.pred != y.pred {
		return Result{}
	}
	sx, sy := x.subj, y.subj
	if sx != nil || sy != nil {
		if sx == nil {
			sx = a.subj
		}
		if sy == nil {
			sy = b.subj
		}
		if !slices.Equal(sx, sy) && !(slices.Equal(unowned(sx), unowned(sy)) && len(unowned(sx)) > 1) {
			return Result{}
		}
	} else if subj == stranger || subj == vague && a.subj[0] != "@they" {
		return Result{}
	}
	if x.past || y.past {
		if !(x.past && y.past && x.pred == "is" && len(a.vals) == 0 && len(b.vals) == 0) || x.ended || y.ended {
			return Result{}
		}
	}
	if x.ended && y.ended {
		return Result{}
	}
	if len(a.quals) != len(b.quals) && !(x.ended || y.ended) {
		return Result{}
	}
	if x.ended != y.ended {
		if agreeing(x, y) {
			return Result{scoreChange, KindChange, x.pred + " has ended"}
		}
		return Result{}
	}
	if datesApart(a, b) {
		return Result{}
	}
	if !differ(x, y) {
		return Result{}
	}
	return Result{scoreObject, KindObject, "another object of " + x.pred}
}

// agreeing reports whether the objects of two assertions are one.
func agreeing(x, y *assertion) bool {
	return slices.Equal(x.val, y.val) || subset(x.val, y.val) || subset(y.val, x.val) || place(x.name) == place(y.name)
}

var generic = lemmas("thing something someone place time way one company start-up startup lot kind part reason fact problem question idea people person good nice great bad new important same different")

// differ reports whether two objects exclude each other: no refinement, no other
// name of the same, and of one sort.
func differ(x, y *assertion) bool {
	if agreeing(x, y) || samePlace(x.name, y.name) || acronym(x.name, y.name) || acronym(y.name, x.name) {
		return false
	}
	if generic[x.val[len(x.val)-1]] || generic[y.val[len(y.val)-1]] {
		return false
	}
	hx, hy := x.val[len(x.val)-1], y.val[len(y.val)-1]
	switch x.pred {
	case "place", "held":
		if sameKind(hx, hy) {
			return true
		}
		if region(x.name) != region(y.name) && !(isPlace(x.name) && isPlace(y.name)) {
			return false // Uppsala may lie in Sweden
		}
		return x.proper && y.proper && len(kinds[hx]) == 0 && len(kinds[hy]) == 0
	case "employer", "school", "alma":
		return x.proper == y.proper
	case "role", "spot":
		return true
	case "is":
		if x.proper && y.proper {
			return true
		}
		if len(x.val) != len(y.val) && (slices.Contains(x.val, hy) || slices.Contains(y.val, hx)) {
			return false
		}
		return x.proper == y.proper || sameKind(hx, hy)
	}
	if isA(hx, hy) || isA(hy, hx) {
		return false
	}
	return x.proper && y.proper || sameKind(hx, hy) || opposed(hx, hy) || !x.exact && x.proper == y.proper
}

// acronym reports whether a is made of the first letters of b.
func acronym(a, b string) bool {
	f := strings.Fields(b)
	if len(f) < 2 || len(a) != len(f) {
		return false
	}
	for i := range f {
		if a[i] != f[i][0] {
			return false
		}
	}
	return true
}

// datesApart reports that both clauses name dates, and different ones.
func datesApart(a, b *clause) bool {
	found := false
	for _, x := range a.vals {
		for _, y := range b.vals {
			if x.kind == y.kind && x.kind >= valueWeekday && x.kind <= valueYear || dated(x) && dated(y) && (x.kind == valueYear || y.kind == valueYear) {
				if yearOf(x) != 0 && yearOf(y) != 0 && yearOf(x) != yearOf(y) {
					return true
				}
				if x.kind == y.kind {
					if x.same(y) {
						return false
					}
					found = true
				}
			}
		}
	}
	return found
}

func dated(v value) bool { return v.kind >= valueDate && v.kind <= valueYear }

func yearOf(v value) int {
	if v.kind == valueYear {
		return int(v.num)
	}
	return v.year
}

func hasDate(c *clause) bool {
	return slices.ContainsFunc(c.vals, func(v value) bool { return v.kind >= valueWeekday && v.kind <= valueYear })
}
