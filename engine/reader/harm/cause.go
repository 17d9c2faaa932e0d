package harm

import (
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// maxCause is the most words of a cause.
const maxCause = 9

// nounEnd returns the end of the noun phrases from a word on: it goes over "and", "or", commas and "of".
func (s *scan) nounEnd(from int) int {
	i := from
	for ; i < len(s.w); i++ {
		low := s.low(i)
		switch {
		case joins[low]:
			if i+1 == len(s.w) || !consumed(s.w[i+1:min(i+4, len(s.w))]) {
				return i
			}
		case i > from && (within[low] && low != "of" && !general[s.low(i-1)] && !portions[s.lem(i-1)]):
			return i // "coffee with Tom"
		case i > from && (links[low] && !within[low] || stops[low] || english.StopWord(low) && !inCause[low]):
			return i
		case i > from && s.w[i].Sign == ',' && !substance(s.w[i]) && !(i+1 < len(s.w) && substance(s.w[i+1])):
			return i
		}
	}
	return i
}

// cause reads words as what harms: a thing of a kind that harms people, and no certain one ("this joke", "your dog").
func (s *scan) cause(from, to int) (words [2]int, ok bool) {
	if from >= to || to > len(s.w) || to-from > maxCause {
		return words, false
	}
	if slices.ContainsFunc(s.w[from:to], func(w Word) bool {
		return w.Possessive && !milked[w.Low] || pointing[w.Low] || pronouns[w.Low] || w.Low == "i" || w.Low == "me" || w.Low == "not"
	}) {
		return words, false
	}
	if few[s.low(from)] {
		return words, false // "no nuts make me sick"
	}
	words = [2]int{from, to}
	for from < to && (s.w[from].Determiner || amounts[s.low(from)] || eating[s.low(from)]) {
		from++
	}
	head := from // the last word before what limits it
	for head < to && (head == from || !joins[s.low(head)] && !within[s.low(head)] && s.w[head].Sign != ',') {
		head++
	}
	if head == from {
		return words, false
	}
	if substance(s.w[head-1]) || s.low(head-1) == "lights" && head-2 >= from && flashing[s.low(head-2)] {
		return words, true
	}
	if !portions[s.lem(head-1)] && !general[s.low(head-1)] || head >= to || !within[s.low(head)] {
		return words, false
	}
	return words, slices.ContainsFunc(s.w[head+1:to], substance)
}

// substance reports a word for what may harm a person who does not bear it.
func substance(w Word) bool {
	lem := lemma(w.Low)
	if exempt[lem] || exempt[w.Low] {
		return false
	}
	if harmful[lem] || harmful[w.Low] || endsLike(w.Low, drugEndings) {
		return true
	}
	return inGroups(w, substances())
}

// consumed reports words of which one is eaten, drunk or taken.
func consumed(words []Word) bool {
	return slices.ContainsFunc(words, func(w Word) bool { return substance(w) && !inGroups(w, creatures()) })
}

func inGroups(w Word, groups map[uint16]bool) bool {
	return slices.ContainsFunc((lexicon.Topics{}).Of(english.Stem(w.Low)), func(g uint16) bool { return groups[g] })
}

func endsLike(low string, endings []string) bool {
	return slices.ContainsFunc(endings, func(e string) bool { return len(low) > len(e)+2 && low[len(low)-len(e):] == e })
}

// groupsOf returns the numbers of groups of the lexicon.
func groupsOf(names ...string) map[uint16]bool {
	groups := map[uint16]bool{}
	for at, name := range (lexicon.Topics{}).Names() {
		if slices.Contains(names, name) {
			groups[uint16(at)] = true
		}
	}
	return groups
}

var (
	substances = sync.OnceValue(func() map[uint16]bool {
		return groupsOf("medicines", "sweets", "fruit", "vegetables", "meat", "fish dishes", "dairy", "cereals and bread", "nuts and pulses", "seasoning", "hot drinks",
			"soft drinks", "alcohol", "insects", "dogs", "cats", "small pets", "horses")
	})
	remedies  = sync.OnceValue(func() map[uint16]bool { return groupsOf("medicines", "treatments") })
	creatures = sync.OnceValue(func() map[uint16]bool { return groupsOf("insects", "dogs", "cats", "small pets", "horses") })
)
