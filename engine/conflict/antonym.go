package conflict

import (
	"slices"
	"strings"
)

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
			if x.lem == y.lem && x.degree != y.degree && x.degree != "" && y.degree != "" && x.end && y.end && than(a) == than(b) && subj == same {
				return Result{scoreAntonym, KindAntonym, "more and less"}
			}
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
			if _, ok := ordinalWord(x.low); ok && (a.verb == "be" || a.verb == "liv" || a.verb == "work") && x.prep != "" && x.prep == y.prep && sameHead(a, b, x, y) {
				if _, ok := ordinalWord(y.low); ok {
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
		if timedVerbs[a.verb] && timedVerbs[b.verb] && len(a.vals)+len(b.vals) > 0 {
			return Result{} // it starts at one time and ends at another
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
