package reader

import (
	"slices"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/lexicon"
)

// slotMatch is how two clauses meet in a predicate of the table.
type slotMatch struct {
	found          bool
	cardinality    Cardinality
	earlier, later *slot
	holder         likeness
	value          likeness
	kind           class
}

// rank orders matches: the best one decides.
func (m *slotMatch) rank() int {
	if !m.found {
		return -1
	}
	r := 0
	if m.cardinality == frames.One {
		r += 2
	}
	if m.holder == equal {
		r += 6
	} else if m.holder == bothEmpty {
		r += 3
	}
	if m.earlier.byNoun == m.later.byNoun && m.earlier.noun == m.later.noun {
		r += 4
	}
	if m.value != onlyEarlier && m.value != bothEmpty && m.value != onlyLater {
		r++
	}
	if m.earlier.use == frames.End {
		r -= 8
	}
	return r
}

// matchSlots finds the best pair of slots with one predicate.
func matchSlots(a, b *clause) (best slotMatch) {
	for i := range a.slots {
		for j := range b.slots {
			x, y := &a.slots[i], &b.slots[j]
			if x.frame != y.frame {
				continue
			}
			m := slotMatch{found: true, cardinality: frames.All[x.frame].Cardinality, earlier: x, later: y}
			m.holder = compareHolders(x, y)
			m.value, m.kind = compareWords(x.value, y.value)
			if m.rank() > best.rank() {
				best = m
			}
		}
	}
	return best
}

// compareHolders compares whose two slots are.
func compareHolders(x, y *slot) likeness {
	hx, hy := x.holder, y.holder
	switch {
	case hx == "?" || hy == "?":
		return overlapping
	case hx == "" && hy == "" && len(x.mods) == 0 && len(y.mods) == 0:
		return equal
	case (hx == "") != (hy == ""):
		if x.byNoun && y.byNoun && subsetOf(x.mods, y.mods) != other {
			return bothEmpty
		}
		return onlyLater
	case hx != hy && !(x.thing != y.thing && (lexicon.OwnThing(hx, hy) || lexicon.OwnThing(hy, hx))) && !lexicon.NamedKin(hx, hy) && !lexicon.NamedKin(hy, hx):
		return other
	}
	if x.byNoun && y.byNoun {
		if x.noun != y.noun && (len(x.mods)+len(y.mods) > 0 || frames.All[x.frame].Apart) {
			return modified
		}
		return subsetOf(x.mods, y.mods)
	}
	if !x.byNoun && !y.byNoun {
		return subsetOf(x.mods, y.mods)
	}
	return equal
}

// subsetOf compares two sorted lists: equal, narrower, wider or other. "new" does not count.
func subsetOf(x, y []string) likeness {
	lacks := func(of, in []string) bool {
		return slices.ContainsFunc(of, func(m string) bool { return !slices.Contains(in, m) && !fillerContent[m] })
	}
	switch inX, inY := lacks(x, y), lacks(y, x); {
	case !inX && !inY:
		return equal
	case !inX:
		return narrower
	case !inY:
		return wider
	}
	return other
}
