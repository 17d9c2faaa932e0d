package pattern

import (
	"maps"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

const (
	severalPlaces = 3 // different places from which on a rule is one for each of them
	mostPlaces    = 6 // that its text names
)

var (
	placeLinks = english.WordSet("in on at inside outside near")
	// putting are lemmas of verbs whose place is what the rule is about: "the key must be kept in the safe".
	putting = english.WordSet("keep put store leave stay remain be go park hang stand lie lay place bring wait sit live sleep move belong")
)

// placeAt returns where the main clause names the place at its end for which it holds: "gloves must be worn | in the lab"; −1 for nowhere.
func (s *sentence) placeAt() int {
	n := len(s.main)
	for k := n - 2; k > 1 && k >= n-4; k-- {
		if !placeLinks[s.low(k)] || s.main[n-1]-s.main[k] != n-1-k {
			continue
		}
		if putting[english.Lemma(s.low(k-1))] || slices.ContainsFunc(s.words[s.main[k]:s.main[n-1]+1], func(w extract.Word) bool { return namesTime(w) || quantities[w.Low] }) {
			return -1
		}
		return s.main[k]
	}
	return -1
}

// namesTime reports a word of a time: "at night" is no place.
func namesTime(w extract.Word) bool {
	return w.Number != "" || isTime(w.Low) || dayTimes[w.Low]
}

var dayTimes = english.WordSet("night morning evening afternoon noon midnight weekend weekends summer winter spring autumn dawn dusk lunch dinner breakfast")

// quantities stand after a preposition of a place without naming one: "at once", "in all".
var quantities = english.WordSet("all once least most")

// placeStems returns the stems of the place that a sentence names.
func (s *sentence) placeStems() map[string]bool {
	out := map[string]bool{}
	if at := s.placeAt(); at >= 0 {
		for i := at; i <= s.main[len(s.main)-1]; i++ {
			if stem := stemOf(s.words[i]); stem != "" {
				out[stem] = true
			}
		}
	}
	return out
}

// sameElsewhere reports two statements that demand the same, each at a place that it names.
func sameElsewhere(a, b *statement) bool {
	x, y := a.from.placeStems(), b.from.placeStems()
	if len(x) == 0 || len(y) == 0 {
		return false
	}
	both, mine, theirs := 0, 0, 0
	for w := range a.stems {
		if !x[w] {
			mine++
			if b.stems[w] && !y[w] {
				both++
			}
		}
	}
	for w := range b.stems {
		if !y[w] {
			theirs++
		}
	}
	return both > 1 && both == mine && both == theirs
}

// placesOf returns the different places that statements name, in the order of their words; nil if they are fewer than severalPlaces, or
// more than half of those that name one name the same, or half of all name none. They are the first mostPlaces.
func placesOf(all []*statement) []string {
	count, written, named := map[string]int{}, map[string]string{}, 0
	for _, st := range all {
		if at := st.from.placeAt(); at >= 0 && st.source >= 0 && st.kind == graph.Constraint {
			named++
			last := st.from.main[len(st.from.main)-1]
			for i := at; i < last; i++ { // "at the range, too"
				if st.from.words[i].SignAfter == ',' {
					last = i
				}
			}
			place := strings.TrimRight(strings.ToLower(st.from.span(at, last+1)), ",;")
			key := placeKey(st.from.words[at : last+1])
			if known, ok := written[key]; !ok || place < known {
				written[key] = place
			}
			count[key]++
		}
	}
	if len(count) < severalPlaces || 2*named <= len(all) {
		return nil
	}
	out := slices.Sorted(maps.Values(written))
	for _, n := range count {
		if 2*n > named {
			return nil
		}
	}
	return out[:min(len(out), mostPlaces)]
}

// placeKey is that of a place, with the stems of its words: "at the range" and "on the ranges" are one.
func placeKey(ws []extract.Word) string {
	var stems []string
	if ws[0].Low == "outside" {
		stems = append(stems, "out of") // "inside the shed" is another place than "outside the shed"
	}
	for _, w := range ws {
		if stem := stemOf(w); stem != "" {
			stems = append(stems, stem)
		}
	}
	slices.Sort(stems)
	return strings.Join(slices.Compact(stems), " ")
}

// listOf joins parts: "in the barn, in the lab and on the roof".
func listOf(parts []string) string {
	n := len(parts)
	return strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
}
