package conflict

import (
	"math"
	"slices"
	"strings"
	"time"
)

// Scores by rule: how certain the rule is.
const (
	scoreNegation = 0.9
	scoreAntonym  = 0.85
	scoreValue    = 0.85
	scoreObject   = 0.85
	scoreChange   = 0.88
	scoreTriple   = 0.8
	scoreSlot     = 0.8
)

// subjectMatch is how two subjects are related.
type subjectMatch int8

const (
	different   subjectMatch = iota
	samePronoun              // the same pronoun: more must be equal
	same
)

// compareClauses compares one clause of each statement.
func compareClauses(a, b *clause, sa, sb *Analysis) Result {
	days := daysBetween(sa.statement.At, sb.statement.At)
	subj := sameSubject(a, b)
	facts := firstPair(a.assertions, b.assertions, func(x, y *assertion) Result { return compareFacts(x, y, a, b, subj) })
	switch {
	case facts.Score > 0:
		return facts
	case subj == different && a.verb == "be" && areReversed(a, b):
		return Result{scoreAntonym, KindAntonym}
	}
	for _, rule := range oneWayRules {
		if rule.holds(a, b, subj) || rule.holds(b, a, subj) {
			return rule.result
		}
	}
	switch {
	case subj == different, a.modality != b.modality, a.condition != b.condition, a.weak, b.weak, a.hedged != b.hedged, a.negated && b.negated:
		return Result{}
	case a.negated:
		return compareNegation(a, b, subj, days)
	case b.negated:
		return compareNegation(b, a, subj, days)
	case haveAntonyms(a, b, subj, days):
		if disjoint(a.values, b.values) && len(a.items) == len(b.items) && slices.ContainsFunc(a.items, func(x item) bool { return x.prep == "for" }) {
			return Result{} // 5 euros for children, 9 for adults
		}
		return Result{scoreAntonym, KindAntonym}
	case preferOthers(a, b):
		return Result{scoreObject, KindObject}
	}
	return compareValues(a, b, subj, days)
}

// oneWayRules are the rules of which one clause denies or ends what the other says.
var oneWayRules = []struct {
	holds  func(a, b *clause, subj subjectMatch) bool
	result Result
}{
	{saysEnded, Result{scoreChange, KindChange}},
	{neverBeen, Result{scoreNegation, KindNegation}},
	{isUnable, Result{scoreNegation, KindNegation}},
}

// firstPair returns the first contradiction that a rule finds between two lists.
func firstPair[T any](as, bs []T, rule func(x, y *T) Result) Result {
	for i := range as {
		for j := range bs {
			if r := rule(&as[i], &bs[j]); r.Score > 0 {
				return r
			}
		}
	}
	return Result{}
}

// neverBeen reports that a has not been to the place where b goes.
func neverBeen(a, b *clause, subj subjectMatch) bool {
	if a.verb != "visit" || !a.negated || a.tense != perfect || b.verb != "go" || b.negated || b.tense != present || b.modality != asserted || b.hedged || b.condition != "" || subj != same || b.frequency < 0 || len(a.items) == 0 {
		return false
	}
	where := b.phrase("to")
	if len(where) == 0 || where[len(where)-1].lem != a.items[0].lem || !a.items[0].last {
		return false
	}
	return true
}

// isUnable reports that a is not able to do what b does.
func isUnable(a, b *clause, subj subjectMatch) bool {
	if !a.negated || a.modality != ability || b.negated || b.modality != asserted || subj != same || a.tense != present || b.tense != present || a.verb != b.verb || !intransitiveVerbs[a.verb] && len(a.items) == 0 ||
		a.condition != "" || b.condition != "" || a.weak || b.weak || a.hedged || b.hedged || len(a.values)+len(a.qualifiers) > 0 || b.progressive || b.verb == "be" || b.verb == "have" {
		return false
	}
	if extra, _, ok := coversDenial(a, b); !ok || extra > 1 {
		return false
	}
	return true
}

// daysBetween returns the days between two statements; 0 if unknown.
func daysBetween(a, b time.Time) float64 {
	if a.IsZero() || b.IsZero() {
		return 0
	}
	return math.Abs(a.Sub(b).Hours()) / 24
}

// sameSubject reports whether two clauses are about the same thing. "My dog" and "the dog" may be
// the same, and "Ann" and "Ann Lee".
func sameSubject(a, b *clause) subjectMatch {
	x, y := a.subject, b.subject
	if slices.Equal(x, y) {
		if len(x) == 1 && (x[0] == "@it" || x[0] == "@they") {
			return samePronoun
		}
		return same
	}
	if a.named && b.named && !a.plural && !b.plural && (isSubset(x, y) || isSubset(y, x)) {
		return same
	}
	if slices.Equal(withoutOwner(x), withoutOwner(y)) && len(withoutOwner(x)) > 0 {
		return same
	}
	return different
}

func withoutOwner(s []string) []string {
	for len(s) > 0 && (s[0] == "@i" || s[0] == "@we") {
		s = s[1:]
	}
	return s
}

// personOf returns the key of the person with which a subject begins; empty if none.
func personOf(s []string) string {
	if len(s) > 0 && s[0][0] == '@' {
		return s[0]
	}
	return ""
}

func isSubset(a, b []string) bool {
	return len(a) > 0 && !slices.ContainsFunc(a, func(x string) bool { return !slices.Contains(b, x) })
}

// sameTime reports whether two clauses hold for the same time.
func sameTime(a, b *clause) bool {
	pa, pb := a.tense, b.tense
	back := func(t tense) bool { return t == past || t == perfect }
	return pa == pb || back(pa) && back(pb) || (pa == perfect && a.verb == "be" || pb == perfect && b.verb == "be") && pa != past && pb != past
}

// compareFacts compares two assertions.
func compareFacts(x, y *assertion, a, b *clause, subj subjectMatch) Result {
	if x.predicate != y.predicate {
		return Result{}
	}
	sx, sy := x.subject, y.subject
	if sx != nil || sy != nil {
		if sx == nil {
			sx = a.subject
		}
		if sy == nil {
			sy = b.subject
		}
		if !slices.Equal(sx, sy) && !(slices.Equal(withoutOwner(sx), withoutOwner(sy)) && len(withoutOwner(sx)) > 1) {
			return Result{}
		}
	} else if subj == different || subj == samePronoun && a.subject[0] != "@they" {
		return Result{}
	}
	lasting := x.past && y.past && x.predicate == "is" && len(a.values) == 0 && len(b.values) == 0 && !x.ended && !y.ended
	switch {
	case (x.past || y.past) && !lasting, x.ended && y.ended, len(a.qualifiers) != len(b.qualifiers) && !x.ended && !y.ended:
		return Result{}
	case x.ended != y.ended:
		if sameObject(x, y) {
			return Result{scoreChange, KindChange}
		}
		return Result{}
	case datesDiffer(a, b), !objectsDiffer(x, y):
		return Result{}
	}
	return Result{scoreObject, KindObject}
}

// sameObject reports whether two assertions have the same object.
func sameObject(x, y *assertion) bool {
	return slices.Equal(x.object, y.object) || isSubset(x.object, y.object) || isSubset(y.object, x.object) || canonicalPlace(x.name) == canonicalPlace(y.name)
}

var generic = lemmas("thing something someone place time way one company start-up startup lot kind part reason fact problem question idea people person good nice great bad new important same different")

// objectsDiffer reports whether two objects exclude each other: they are of the same kind, and
// neither refines or renames the other.
func objectsDiffer(x, y *assertion) bool {
	if sameObject(x, y) || samePlace(x.name, y.name) || isAcronym(x.name, y.name) || isAcronym(y.name, x.name) {
		return false
	}
	if generic[x.object[len(x.object)-1]] || generic[y.object[len(y.object)-1]] {
		return false
	}
	hx, hy := x.object[len(x.object)-1], y.object[len(y.object)-1]
	switch x.predicate {
	case "place", "held":
		if sameKind(hx, hy) {
			return true
		}
		if isRegion(x.name) != isRegion(y.name) && !(isPlace(x.name) && isPlace(y.name)) {
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
		if len(x.object) != len(y.object) && (slices.Contains(x.object, hy) || slices.Contains(y.object, hx)) {
			return false
		}
		return x.proper == y.proper || sameKind(hx, hy)
	}
	if isA(hx, hy) || isA(hy, hx) {
		return false
	}
	return x.proper && y.proper || sameKind(hx, hy) || areOpposed(hx, hy) || !x.nameOnly && x.proper == y.proper
}

// isAcronym reports whether a consists of the initials of b.
func isAcronym(a, b string) bool {
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

// datesDiffer reports that both clauses have dates, and different ones.
func datesDiffer(a, b *clause) bool {
	found := false
	for _, x := range a.values {
		for _, y := range b.values {
			if x.kind == y.kind && x.kind >= valueWeekday && x.kind <= valueYear || isDate(x) && isDate(y) && (x.kind == valueYear || y.kind == valueYear) {
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

func isDate(v value) bool { return v.kind >= valueDate && v.kind <= valueYear }

func yearOf(v value) int {
	if v.kind == valueYear {
		return int(v.num)
	}
	return v.year
}

func hasDate(c *clause) bool {
	return slices.ContainsFunc(c.values, func(v value) bool { return v.kind >= valueWeekday && v.kind <= valueYear })
}
