package conflict

import (
	"slices"

	"github.com/somnograph/somnograph/internal/english"
)

// intransitiveVerbs are verbs that need no object.
var intransitiveVerbs = lemmas("smoke swim drive cook ski travel snore dance sing drink exist matter attend rain snow compile smile hurt fly retire graduate vote succeed fail pass arrive start die")

var lightVerbs = lemmas("be have do get go know think see make say feel want need take come give find tell let mean put")

// compareNegation compares a clause that denies with one that affirms. What is denied must be the
// same or more general.
func compareNegation(neg, pos *clause, subj subjectMatch, days float64) Result {
	if neg.verb != pos.verb || neg.progressive != pos.progressive && (neg.verb == "go" || neg.verb == comeKey || pos.progressive && neg.tense == present && !isStative(pos)) {
		return Result{}
	}
	told := neg.tense == past && (pos.tense == past || pos.tense == perfect) || pos.tense == past && neg.tense == perfect
	switch {
	case !sameTime(neg, pos) && !(neg.never && neg.tense == perfect && pos.tense == present), // never did, does
		neg.ended && pos.tense == past,
		pos.frequency < 0, !isEmptyOrSubset(neg.qualifiers, pos.qualifiers),
		neg.frequency > 0 && !neg.never, // "does not always"
		told && hasDate(neg) != hasDate(pos) && !neg.never && neg.tense != perfect,
		datesDiffer(neg, pos),
		told && days > 1.5 && !neg.never && !slices.ContainsFunc(neg.items, func(x item) bool { return x.proper || x.det == "my" }) && !hasDate(neg),
		neg.verb == "be" && days > 0.6 && hasPassingFeeling(neg, pos),
		slices.ContainsFunc(neg.values, func(v value) bool { return !hasSameValue(pos, v) }):
		return Result{}
	}
	extra, shared, ok := coversDenial(neg, pos)
	if !ok {
		return Result{}
	}
	shared += len(neg.qualifiers)
	if shared == 0 {
		if subj == samePronoun || !(intransitiveVerbs[neg.verb] || extra == 0 && !lightVerbs[neg.verb] && len(neg.values) == len(pos.values)) {
			if !(neg.verb == "be" && len(neg.values) > 0) {
				return Result{}
			}
		}
	}
	limit := 4
	if lightVerbs[neg.verb] {
		limit = 3
	}
	if extra > limit || subj == samePronoun && (shared < 2 || extra > 1) {
		return Result{}
	}
	if neg.ended {
		return Result{scoreNegation, KindChange}
	}
	return Result{scoreNegation, KindNegation}
}

func isStative(c *clause) bool {
	return c.verb == "liv" || c.verb == "work" || c.verb == "study" || c.verb == dateKey || c.verb == "use" || c.verb == "attend"
}

// passingFeelings change within hours.
var passingFeelings = lemmas("happy sad tired hungry thirsty busy excited angry nervous bored sick ill sleepy stressed awake asleep upset worried cold hot home ready late free available sure glad okay fine")

func hasPassingFeeling(a, b *clause) bool {
	f := func(x item) bool { return passingFeelings[x.lem] }
	return slices.ContainsFunc(a.items, f) || slices.ContainsFunc(b.items, f)
}

func isEmptyOrSubset(a, b []string) bool { return len(a) == 0 || isSubset(a, b) }

// namingWords come before a name: a dog named Rufus.
var namingWords = english.WordSet("called named")

// coversDenial reports whether each word that is denied is affirmed, or a thing of its class is.
// extra is how many more words the affirmation has.
func coversDenial(neg, pos *clause) (extra, shared int, ok bool) {
	for _, x := range neg.items {
		hit := false
		for i, y := range pos.items {
			if lightVerbs[neg.verb] && neg.verb != "be" && (x.prep == "") != (y.prep == "") {
				continue
			}
			if i > 0 && isA(y.lem, x.lem) && isSubstitute(pos.items[i-1]) && !slices.ContainsFunc(neg.items, func(z item) bool { return z.lem == pos.items[i-1].lem }) {
				continue // oat milk is no milk
			}
			if isA(y.lem, x.lem) && (!x.last || y.last || i+1 < len(pos.items) && namingWords[pos.items[i+1].low] || y.lem == x.lem && x.prep != "") {
				hit = true
				break
			}
		}
		if !hit {
			if lightWords[x.lem] {
				continue
			}
			return 0, 0, false
		}
		shared++
	}
	for _, y := range pos.items {
		if !slices.ContainsFunc(neg.items, func(x item) bool { return isA(y.lem, x.lem) }) && !lightWords[y.lem] {
			extra++
		}
	}
	return extra, shared, true
}

var lightWords = lemmas("very really quite too so much many lot lots time always never often all any some kind anyone anything at more most thing just")
