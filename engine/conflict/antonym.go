package conflict

import (
	"slices"
	"strings"
)

// haveAntonyms reports two affirmations with opposite words in the same place.
func haveAntonyms(a, b *clause, subj subjectMatch, days float64) bool {
	if !sameTime(a, b) || datesDiffer(a, b) {
		return false
	}
	if a.tense == past && days > 1.5 && !hasDate(a) {
		return false
	}
	if a.verb == b.verb && a.frequency*b.frequency < 0 && subj == same && (isEmptyOrSubset(a.qualifiers, b.qualifiers) || isEmptyOrSubset(b.qualifiers, a.qualifiers)) {
		if _, _, ok := coversDenial(a, b); ok && (len(a.items) > 0 || len(a.qualifiers)+len(b.qualifiers) > 0 || intransitiveVerbs[a.verb]) {
			return true
		}
	}
	if !slices.Equal(a.qualifiers, b.qualifiers) {
		return false
	}
	if a.tense == past && hasDate(a) != hasDate(b) {
		return false
	}
	if a.verb != b.verb {
		return haveAntonymVerbs(a, b, subj)
	}
	if areReversed(a, b) {
		return true
	}
	if a.verb == "be" && days > 0.6 && hasPassingFeeling(a, b) {
		return false
	}
	for _, x := range a.items {
		for _, y := range b.items {
			if x.lem == y.lem && x.degree != y.degree && x.degree != "" && y.degree != "" && x.last && y.last && comparedWith(a) == comparedWith(b) && subj == same {
				return true
			}
			if x.lem == y.lem && opposedPrepositions[x.prep] == y.prep && y.prep != "" && !multiObjectTransitives[a.verb] && subj == same {
				return true
			}
		}
	}
	onlyA, onlyB, both := wordDifference(a, b)
	switch {
	case len(onlyA) == 0 || len(onlyB) == 0,
		a.verb == "be" && both == 0 && hasPassingFeeling(a, b) && (personOf(a.subject) != "" && len(a.subject) == 1),
		subj == samePronoun && (both == 0 || len(onlyA) > 1 || len(onlyB) > 1):
		return false
	}
	for _, x := range onlyA {
		for _, y := range onlyB {
			if a.verb == "be" && x.prep == "" && y.prep == "" && x.last && y.last && (oneAtATime(x.lem, y.lem) || sameKind(x.lem, y.lem) && !a.named && !a.open && (len(a.subject) > 1 || a.subject[0][0] != '@')) && indexOfItem(a, x) == 0 && indexOfItem(b, y) == 0 && !a.plural && subj == same {
				return true
			}
			if _, ok := ordinalWord(x.low); ok && (a.verb == "be" || a.verb == "liv" || a.verb == "work") && x.prep != "" && x.prep == y.prep && sameHead(a, b, x, y) {
				if _, ok := ordinalWord(y.low); ok {
					return true
				}
			}
			if x.prep != y.prep && !(x.last && y.last && x.prep == "" == (y.prep == "")) || !areOpposed(x.lem, y.lem) {
				continue
			}
			// a modifier opposes another only before the same noun
			if !x.last || !y.last {
				if x.last != y.last || !sameHead(a, b, x, y) {
					continue
				}
				if multiObjectTransitives[a.verb] {
					continue
				}
			} else if resultVerbs[a.verb] && len(onlyA) == 1 && len(onlyB) == 1 && both > 0 && indexOfItem(a, x) > 0 && indexOfItem(b, y) > 0 && a.items[indexOfItem(a, x)-1].lem == b.items[indexOfItem(b, y)-1].lem {
				return true
			} else if multiObjectTransitives[a.verb] && x.prep == "" && !particles[x.low] && a.verb != "have" && !(a.verb == "go" || a.verb == "get") {
				continue
			} else if a.verb == "have" {
				continue
			}
			if x.prep != "" && len(onlyA) > 1 && len(onlyB) > 1 {
				continue
			}
			if a.verb == "be" {
				// the same place of the predicate: nothing else differs on both sides
				switch {
				case len(onlyA) > 3 || len(onlyB) > 3,
					x.prep == "" && (indexOfItem(a, x) > 0 && indexOfItem(b, y) > 0 && x.last && y.last && both == 0),
					len(onlyA) > 1 && len(onlyB) > 1 && hasOtherPhrase(onlyA, x) && hasOtherPhrase(onlyB, y):
					continue
				}
			} else if len(onlyA) > 1 && len(onlyB) > 1 || len(onlyA) > 2 || len(onlyB) > 2 {
				continue
			}
			return true
		}
	}
	return false
}

var opposedPrepositions = map[string]string{"before": "after", "after": "before", "above": "below", "below": "above", "inside": "outside", "outside": "inside",
	"behind": "ahead", "ahead": "behind", "under": "over", "over": "under", "against": "for", "for": "against"}

// resultVerbs are verbs with an object and a result: make the room warm.
var resultVerbs = lemmas("make find keep consider leave get render call")

// multiObjectTransitives are verbs that allow opposite objects: a person who likes hot tea may
// like cold tea too.
var multiObjectTransitives = lemmaSet("multiObjectTransitives")

func indexOfItem(c *clause, x item) int {
	return slices.IndexFunc(c.items, func(y item) bool { return y.lem == x.lem })
}

// hasOtherPhrase reports whether words other than x belong to a prepositional phrase.
func hasOtherPhrase(list []item, x item) bool {
	return slices.ContainsFunc(list, func(y item) bool { return y.lem != x.lem && y.prep != "" })
}

// sameHead reports whether the words after x and y are the same.
func sameHead(a, b *clause, x, y item) bool {
	i, j := indexOfItem(a, x)+1, indexOfItem(b, y)+1
	return i < len(a.items) && j < len(b.items) && a.items[i].lem == b.items[j].lem
}

// wordDifference returns the words that only one clause has, and how many both have.
func wordDifference(a, b *clause) (onlyA, onlyB []item, both int) {
	has := func(c *clause, lem string) bool {
		return slices.ContainsFunc(c.items, func(x item) bool { return x.lem == lem })
	}
	for _, x := range a.items {
		if has(b, x.lem) {
			both++
		} else if !lightWords[x.lem] {
			onlyA = append(onlyA, x)
		}
	}
	for _, y := range b.items {
		if !has(a, y.lem) && !lightWords[y.lem] {
			onlyB = append(onlyB, y)
		}
	}
	return onlyA, onlyB, both
}

// haveAntonymVerbs reports two clauses that differ in opposite verbs.
func haveAntonymVerbs(a, b *clause, subj subjectMatch) bool {
	if a.progressive != b.progressive || !areOpposed(a.verb, b.verb) {
		return false
	}
	onlyA, onlyB, both := wordDifference(a, b)
	if len(a.items) == 0 && len(b.items) == 0 {
		if subj != same || a.subject[0][0] == '@' && len(a.subject) == 1 || a.tense != b.tense {
			return false
		}
		if scheduleVerbs[a.verb] && scheduleVerbs[b.verb] && len(a.values)+len(b.values) > 0 {
			return false // it starts at one time and ends at another
		}
		return true
	}
	if both == 0 {
		// "fell by 10 %" and "rose by 5 %"
		if subj == same && directionVerbs[a.verb] && directionVerbs[b.verb] && len(onlyA) <= 1 && len(onlyB) <= 1 && a.subject[0][0] != '@' {
			return true
		}
		return false
	}
	if a.tense != b.tense || subj == samePronoun && both < 2 {
		return false
	}
	if a.verb == "hat" && len(onlyA) > 0 || b.verb == "hat" && len(onlyB) > 0 {
		return false // only a part is hated
	}
	if len(onlyA) > 0 && len(onlyB) > 0 || len(onlyA)+len(onlyB) > 3 {
		return false
	}
	// the object must be the same noun, not a modifier
	for _, x := range a.items {
		for _, y := range b.items {
			if x.lem == y.lem && x.last && y.last {
				return true
			}
		}
	}
	return false
}

var directionVerbs = lemmas("increase rise grow fall drop decrease shrink decline improve worsen succeed fail pass win lose open close expand contract")

// areReversed reports "A is faster than B" and "B is faster than A".
func areReversed(a, b *clause) bool {
	if a.negated || b.negated || a.tense != b.tense || a.verb != b.verb {
		return false
	}
	ta, tb := comparedWith(a), comparedWith(b)
	if ta == "" || tb == "" || len(a.items) < 2 || len(b.items) < 2 {
		return false
	}
	x, y := a.items[0].lem, b.items[0].lem
	if a.verb == "prefer" || !isComparative(a.items[0].low) && a.items[0].low != "more" {
		return false
	}
	swapped := slices.Contains(a.subject, tb) && slices.Contains(b.subject, ta)
	straight := ta == tb && slices.Equal(a.subject, b.subject)
	return swapped && x == y && !slices.Equal(a.subject, b.subject) || straight && areOpposed(x, y)
}

func isComparative(low string) bool {
	return strings.HasSuffix(low, "er") || low == "better" || low == "worse" || low == "more" || low == "less"
}

// comparedWith returns the last word of the object of a comparison.
func comparedWith(c *clause) string {
	for i := len(c.items) - 1; i >= 0; i-- {
		if c.items[i].compared {
			return c.items[i].lem
		}
	}
	return ""
}
