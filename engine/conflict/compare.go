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
)

// link is how two subjects belong together.
type link int8

const (
	stranger link = iota
	vague         // the same pronoun: needs more in common
	same
)

// compareClauses compares one clause of each statement.
func compareClauses(a, b *clause, sa, sb Analysis) Result {
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
		return r
	}
	if r := prefers(a, b); r.Score > 0 {
		return r
	}
	return otherValues(a, b, subj, days)
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
	return x.proper && y.proper || sameKind(hx, hy) || !x.exact && x.proper == y.proper
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

// lone verbs say something without an object.
var lone = lemmas("smoke swim drive cook ski travel snore dance sing drink exist matter attend rain snow compile smile hurt fly retire graduate vote succeed fail pass arrive start die")

var lightVerbs = lemmas("be have do get go know think see make say feel want need take come give find tell let mean put")

// negation compares a clause that denies with one that affirms: what is denied must
// be the same or more general.
func negation(neg, pos *clause, subj link, days float64) Result {
	if neg.verb != pos.verb || neg.ing != pos.ing && (neg.verb == "go" || neg.verb == lemma("come") || pos.ing && neg.tense == present && !stative(pos)) {
		return Result{}
	}
	tense := together(neg, pos)
	if !tense && neg.never && neg.tense == perfect && pos.tense == present { // never did, does
		tense = true
	}
	if !tense || neg.ended && pos.tense == past {
		return Result{}
	}
	if pos.freq < 0 || !subset0(neg.quals, pos.quals) {
		return Result{}
	}
	if neg.freq > 0 && !neg.never { // "does not always"
		return Result{}
	}
	if neg.tense == past && pos.tense == past || neg.tense == past && pos.tense == perfect || pos.tense == past && neg.tense == perfect {
		if hasDate(neg) != hasDate(pos) && !neg.never && neg.tense != perfect || datesApart(neg, pos) {
			return Result{}
		}
		if days > 1.5 && !neg.never && !slices.ContainsFunc(neg.rest, func(x item) bool { return x.proper || x.det == "the" || x.det == "my" }) && !hasDate(neg) {
			return Result{}
		}
	} else if datesApart(neg, pos) {
		return Result{}
	}
	if neg.verb == "be" && days > 0.6 && mood4(neg, pos) {
		return Result{}
	}
	for _, v := range neg.vals {
		if !slices.ContainsFunc(pos.vals, func(w value) bool { return w.kind == v.kind && w.unit == v.unit && w.same(v) }) {
			return Result{}
		}
	}
	extra, shared, ok := covers(neg, pos)
	if !ok {
		return Result{}
	}
	shared += len(neg.quals)
	if shared == 0 {
		if subj == vague || !(lone[neg.verb] || extra == 0 && !lightVerbs[neg.verb] && len(neg.vals) == 0 && len(pos.vals) == 0) {
			if !(neg.verb == "be" && len(neg.vals) > 0) {
				return Result{}
			}
		}
	}
	limit := 4
	if lightVerbs[neg.verb] {
		limit = 3
	}
	if extra > limit || subj == vague && (shared < 2 || extra > 1) {
		return Result{}
	}
	kind, why := KindNegation, "one denies what the other says"
	if neg.ended {
		kind, why = KindChange, "one says that it has ended"
	}
	return Result{scoreNegation, kind, why}
}

func stative(c *clause) bool {
	return c.verb == "liv" || c.verb == "work" || c.verb == lemma("study") || c.verb == lemma("date") || c.verb == lemma("use") || c.verb == lemma("attend")
}

// passing feelings change within hours.
var passing = lemmas("happy sad tired hungry thirsty busy excited angry nervous bored sick ill sleepy stressed awake asleep upset worried cold hot home ready late free available sure glad okay fine")

func mood4(a, b *clause) bool {
	f := func(x item) bool { return passing[x.lem] }
	return slices.ContainsFunc(a.rest, f) || slices.ContainsFunc(b.rest, f)
}

func subset0(a, b []string) bool { return len(a) == 0 || subset(a, b) }

// covers reports whether each word that is denied stands in what is affirmed, or
// stands there as a thing of its kind. extra is how much more the affirmation says.
func covers(neg, pos *clause) (extra, shared int, ok bool) {
	for _, x := range neg.rest {
		hit := false
		for _, y := range pos.rest {
			if lightVerbs[neg.verb] && neg.verb != "be" && (x.prep == "") != (y.prep == "") {
				continue
			}
			if isA(y.lem, x.lem) && (!x.end || y.end || y.lem == x.lem && x.prep != "") {
				hit = true
				break
			}
		}
		if !hit {
			if light[x.lem] {
				continue
			}
			return 0, 0, false
		}
		shared++
	}
	for _, y := range pos.rest {
		if !slices.ContainsFunc(neg.rest, func(x item) bool { return isA(y.lem, x.lem) }) && !light[y.lem] {
			extra++
		}
	}
	return extra, shared, true
}

var light = lemmas("very really quite too so much many lot lots time always never often all any some kind anyone anything at more most thing just")

// antonyms compares two affirmations for opposite words in the same place.
func antonyms(a, b *clause, subj link, days float64) Result {
	if !together(a, b) || datesApart(a, b) {
		return Result{}
	}
	if a.tense == past && days > 1.5 && !hasDate(a) {
		return Result{}
	}
	if a.verb == b.verb && a.freq*b.freq < 0 && subj == same && (subset0(a.quals, b.quals) || subset0(b.quals, a.quals)) {
		if _, _, ok := covers(a, b); ok && (len(a.rest) > 0 || len(a.quals)+len(b.quals) > 0 || lone[a.verb]) {
			return Result{scoreAntonym, KindAntonym, "often and rarely"}
		}
	}
	if !slices.Equal(a.quals, b.quals) {
		return Result{}
	}
	if a.tense == past && hasDate(a) != hasDate(b) {
		return Result{}
	}
	if a.verb != b.verb {
		return antonymVerbs(a, b, subj)
	}
	if r := reversed(a, b); r.Score > 0 {
		return r
	}
	if a.verb == "be" && days > 0.6 && mood4(a, b) {
		return Result{}
	}
	for _, x := range a.rest {
		for _, y := range b.rest {
			if x.lem == y.lem && opposedPrep[x.prep] == y.prep && y.prep != "" && !collects[a.verb] && subj == same {
				return Result{scoreAntonym, KindAntonym, x.prep + " and " + y.prep}
			}
		}
	}
	onlyA, onlyB, both := apartWords(a, b)
	if len(onlyA) == 0 || len(onlyB) == 0 {
		return Result{}
	}
	if a.verb == "be" && both == 0 && mood4(a, b) && (owner(a.subj) != "" && len(a.subj) == 1) {
		return Result{}
	}
	if subj == vague && (both == 0 || len(onlyA) > 1 || len(onlyB) > 1) {
		return Result{}
	}
	for _, x := range onlyA {
		for _, y := range onlyB {
			if a.verb == "be" && x.prep == "" && y.prep == "" && x.end && y.end && (oneAtATime(x.lem, y.lem) || sameKind(x.lem, y.lem) && !a.named && !a.open && (len(a.subj) > 1 || a.subj[0][0] != '@')) && position(a, x) == 0 && position(b, y) == 0 && !a.plural && subj == same {
				return Result{scoreAntonym, KindAntonym, x.low + " and " + y.low}
			}
			if _, ok := ordinals[x.low]; ok && (a.verb == "be" || a.verb == "liv" || a.verb == "work") && x.prep != "" && x.prep == y.prep && sameHead(a, b, x, y) {
				if _, ok := ordinals[y.low]; ok {
					return Result{scoreAntonym, KindAntonym, x.low + " and " + y.low}
				}
			}
			if x.prep != y.prep && !(x.end && y.end && x.prep == "" == (y.prep == "")) || !opposed(x.lem, y.lem) {
				continue
			}
			// a modifier opposes only before the same thing
			if !x.end || !y.end {
				if x.end != y.end || !sameHead(a, b, x, y) {
					continue
				}
				if collects[a.verb] {
					continue
				}
			} else if makes[a.verb] && len(onlyA) == 1 && len(onlyB) == 1 && both > 0 && position(a, x) > 0 && position(b, y) > 0 && a.rest[position(a, x)-1].lem == b.rest[position(b, y)-1].lem {
				return Result{scoreAntonym, KindAntonym, x.low + " and " + y.low}
			} else if collects[a.verb] && x.prep == "" && !opposedParticle[x.low] && a.verb != "have" && !(a.verb == "go" || a.verb == "get") {
				continue
			} else if a.verb == "have" {
				continue
			}
			if x.prep != "" && len(onlyA) > 1 && len(onlyB) > 1 {
				continue
			}
			if a.verb == "be" {
				// the same predicate place: nothing else that differs on both sides
				if len(onlyA) > 3 || len(onlyB) > 3 {
					continue
				}
				if x.prep == "" && (position(a, x) > 0 && position(b, y) > 0 && x.end && y.end && both == 0) {
					continue
				}
				if len(onlyA) > 1 && len(onlyB) > 1 && otherThing(onlyA, x) && otherThing(onlyB, y) {
					continue
				}
			} else if len(onlyA) > 1 && len(onlyB) > 1 || len(onlyA) > 2 || len(onlyB) > 2 {
				continue
			}
			return Result{scoreAntonym, KindAntonym, x.low + " and " + y.low}
		}
	}
	return Result{}
}

var opposedPrep = map[string]string{"before": "after", "after": "before", "above": "below", "below": "above", "inside": "outside", "outside": "inside",
	"behind": "ahead", "ahead": "behind", "under": "over", "over": "under", "against": "for", "for": "against"}

// makes are verbs with an object and what it is made or found to be.
var makes = lemmas("make find keep consider leave get render call")

// collects are verbs of which one can do both: who likes hot tea may like cold tea.
var collects = lemmas("like hate eat buy see visit have read watch try make meet play get take want know write find give offer sell use include support speak learn study love enjoy drink cook need bring carry own wear serve travel cover provide contain")

func position(c *clause, x item) int {
	for i, y := range c.rest {
		if y.lem == x.lem {
			return i
		}
	}
	return -1
}

// otherThing reports whether words besides x hang on a preposition: about, for, at.
func otherThing(list []item, x item) bool {
	return slices.ContainsFunc(list, func(y item) bool { return y.lem != x.lem && y.prep != "" })
}

// sameHead reports whether the words behind x and y are the same.
func sameHead(a, b *clause, x, y item) bool {
	i, j := position(a, x)+1, position(b, y)+1
	return i < len(a.rest) && j < len(b.rest) && a.rest[i].lem == b.rest[j].lem
}

// apartWords are the words that only one clause has, and how many they share.
func apartWords(a, b *clause) (onlyA, onlyB []item, both int) {
	has := func(c *clause, lem string) bool {
		return slices.ContainsFunc(c.rest, func(x item) bool { return x.lem == lem })
	}
	for _, x := range a.rest {
		if has(b, x.lem) {
			both++
		} else if !light[x.lem] {
			onlyA = append(onlyA, x)
		}
	}
	for _, y := range b.rest {
		if !has(a, y.lem) && !light[y.lem] {
			onlyB = append(onlyB, y)
		}
	}
	return onlyA, onlyB, both
}

// antonymVerbs compares clauses whose verbs may be opposite.
func antonymVerbs(a, b *clause, subj link) Result {
	if a.ing != b.ing || !opposed(a.verb, b.verb) {
		return Result{}
	}
	onlyA, onlyB, both := apartWords(a, b)
	if len(a.rest) == 0 && len(b.rest) == 0 {
		if subj != same || a.subj[0][0] == '@' && len(a.subj) == 1 || a.tense != b.tense {
			return Result{}
		}
		return Result{scoreAntonym, KindAntonym, "opposite verbs"}
	}
	if both == 0 {
		// "fell by 10 %" and "rose by 5 %"
		if subj == same && direction[a.verb] && direction[b.verb] && len(onlyA) <= 1 && len(onlyB) <= 1 && a.subj[0][0] != '@' {
			return Result{scoreAntonym, KindAntonym, "opposite directions"}
		}
		return Result{}
	}
	if a.tense != b.tense || subj == vague && both < 2 {
		return Result{}
	}
	if a.verb == "hat" && len(onlyA) > 0 || b.verb == "hat" && len(onlyB) > 0 {
		return Result{} // only a part is hated
	}
	if len(onlyA) > 0 && len(onlyB) > 0 || len(onlyA)+len(onlyB) > 3 {
		return Result{}
	}
	// the object must be the same thing, not its modifier
	for _, x := range a.rest {
		for _, y := range b.rest {
			if x.lem == y.lem && x.end && y.end {
				return Result{scoreAntonym, KindAntonym, "opposite verbs"}
			}
		}
	}
	return Result{}
}

var direction = lemmas("increase rise grow fall drop decrease shrink decline improve worsen succeed fail pass win lose open close expand contract")

// reversed compares "A is faster than B" with "B is faster than A".
func reversed(a, b *clause) Result {
	if a.neg || b.neg || a.tense != b.tense || a.verb != b.verb {
		return Result{}
	}
	ta, tb := than(a), than(b)
	if ta == "" || tb == "" || len(a.rest) < 2 || len(b.rest) < 2 {
		return Result{}
	}
	x, y := a.rest[0].lem, b.rest[0].lem
	if a.verb == preferKey || !comparative(a.rest[0].low) && a.rest[0].low != "more" {
		return Result{}
	}
	swapped := slices.Contains(a.subj, tb) && slices.Contains(b.subj, ta)
	straight := ta == tb && slices.Equal(a.subj, b.subj)
	if swapped && x == y && !slices.Equal(a.subj, b.subj) || straight && opposed(x, y) {
		return Result{scoreAntonym, KindAntonym, "compared the other way round"}
	}
	return Result{}
}

func comparative(low string) bool {
	return strings.HasSuffix(low, "er") || low == "better" || low == "worse" || low == "more" || low == "less"
}

// than is the last word that a comparison is made with.
func than(c *clause) string {
	for i := len(c.rest) - 1; i >= 0; i-- {
		if c.rest[i].than {
			return c.rest[i].lem
		}
	}
	return ""
}

// prefers compares two preferences: one can prefer one of a kind.
func prefers(a, b *clause) Result {
	if a.verb != preferKey || b.verb != preferKey || !together(a, b) || !slices.Equal(a.quals, b.quals) {
		return Result{}
	}
	hit := Result{scoreObject, KindObject, "another preference"}
	oa, ob := preferred(a), preferred(b)
	if len(oa) == 0 || len(ob) == 0 {
		return Result{}
	}
	ha, hb := oa[len(oa)-1], ob[len(ob)-1]
	if ta := than(a); ta != "" && ta == hb.lem && ha.lem != hb.lem {
		return hit
	}
	if tb := than(b); tb != "" && tb == ha.lem && ha.lem != hb.lem {
		return hit
	}
	if than(a) != "" && than(b) != "" {
		return Result{}
	}
	if forWhat(a) != forWhat(b) {
		return Result{}
	}
	if ha.lem == hb.lem && len(oa) > 1 && len(ob) > 1 && oa[0].lem != ob[0].lem && (opposed(oa[0].lem, ob[0].lem) || sameKind(oa[0].lem, ob[0].lem)) {
		return hit
	}
	if len(oa) == 1 && len(ob) == 1 && (sameKind(ha.lem, hb.lem) || opposed(ha.lem, hb.lem)) {
		return hit
	}
	if len(oa) == 1 && len(ob) == 1 && sameKind(ha.lem, hb.lem) {
		return hit
	}
	return Result{}
}

func forWhat(c *clause) string {
	var out []string
	for _, x := range c.rest {
		if x.prep != "" && !x.than {
			out = append(out, x.lem)
		}
	}
	return strings.Join(out, " ")
}

func preferred(c *clause) []item {
	var out []item
	for _, x := range c.rest {
		if x.than || x.prep != "" {
			break
		}
		out = append(out, x)
		if x.end {
			break
		}
	}
	return out
}
