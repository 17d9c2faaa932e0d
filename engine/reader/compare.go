package reader

import (
	"slices"
	"strconv"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
	"github.com/somnograph/somnograph/internal/english"
)

// relation of two noun phrases or values.
type likeness uint8

const (
	bothEmpty   likeness = iota
	onlyLater            // the earlier one is empty
	onlyEarlier          // the later one is empty
	equal
	narrower    // the later one has all words of the earlier one and more
	wider       // the reverse
	opposed     // words that exclude each other
	kindred     // words of one kind
	alike       // values of one class: two numbers, two times, two names
	modified    // the same head, other modifiers
	renumbered  // the same head, another id
	reowned     // the same head, another owner
	overlapping // some words in common
	other
)

// compareNouns compares two noun phrases. kind is the class of the values that differ, or 0.
func compareNouns(a, b *nounPhrase) (l likeness, kind class) {
	switch {
	case a.empty() && b.empty():
		return bothEmpty, 0
	case a.empty():
		return onlyLater, 0
	case b.empty():
		return onlyEarlier, 0
	case a.pronoun != "" && b.pronoun != "":
		if a.pronoun == b.pronoun {
			return equal, 0
		}
		return other, classPerson
	}
	l, kind = compareWords(a.words, b.words)
	if l == narrower && a.head != b.head && b.head != "" && slices.ContainsFunc(b.words, func(w word) bool { return w.lem == a.head }) && !slices.ContainsFunc(a.words, func(w word) bool { return w.lem == b.head }) && b.owner == a.owner {
		return modified, kind // "launch party" is no launch
	}
	if l == equal && hasOf(a) != hasOf(b) {
		return equal, 0 // "the code of my bike", "my bike code"
	}
	if l == equal || a.head != b.head || a.head == "" {
		if l == equal && subsetOf(a.mods, b.mods) == other {
			return modified, 0
		}
		if l == equal && a.owner != b.owner && a.owner != "" && b.owner != "" {
			return reowned, 0
		}
		return l, kind
	}
	switch {
	case !slices.Equal(a.ids, b.ids) && len(a.ids) > 0 && len(b.ids) > 0:
		return renumbered, 0
	case a.owner != b.owner && a.owner != "" && b.owner != "":
		return reowned, 0
	case slices.Equal(a.mods, b.mods) && slices.Equal(a.ids, b.ids):
		return equal, 0
	case l == narrower || l == wider:
		return l, kind
	case l == opposed || l == kindred:
		return l, kind
	}
	return modified, kind
}

func hasOf(n *nounPhrase) bool {
	return slices.ContainsFunc(n.words, func(w word) bool { return w.low == "of" })
}

// content reports a word that counts in comparisons of values.
func (w *word) content() bool {
	return w.class != classFunction && w.class != classAdverb && !fillerContent[w.lem]
}

var fillerContent = map[string]bool{"new": true, "old": true, "current": true, "own": true, "correction": true, "latest": true, "update": true}

// compareWords compares the words of two phrases, regardless of their order. kind is the class
// of the differing values, if they are of one class.
func compareWords(a, b []word) (l likeness, kind class) {
	var onlyA, onlyB [8]*word
	na, nb, common, ca, cb := 0, 0, 0, 0, 0
	for i := range a {
		if w := &a[i]; w.content() {
			ca++
			if hasWord(b, w) {
				common++
			} else if na < len(onlyA) {
				onlyA[na] = w
				na++
			}
		}
	}
	for i := range b {
		if w := &b[i]; w.content() {
			cb++
			if !hasWord(a, w) && nb < len(onlyB) {
				onlyB[nb] = w
				nb++
			}
		}
	}
	switch {
	case ca == 0 && cb == 0:
		return bothEmpty, 0
	case ca == 0:
		return onlyLater, 0
	case cb == 0:
		return onlyEarlier, 0
	case na == 0 && nb == 0:
		return equal, 0
	case na == 0:
		return narrower, lastClass(onlyB[:nb])
	case nb == 0:
		return wider, lastClass(onlyA[:na])
	}
	l = other
	for _, x := range onlyA[:na] {
		for _, y := range onlyB[:nb] {
			switch oppose(x, y) {
			case narrower, wider:
				if na == 1 && ca == 1 || nb == 1 && cb == 1 {
					return oppose(x, y), y.class
				}
			case overlapping:
				return overlapping, y.class
			case opposed:
				return opposed, y.class
			case kindred:
				l, kind = kindred, y.class
			}
		}
	}
	if l == kindred {
		return l, kind
	}
	if kind = sharedClass(onlyA[:na], onlyB[:nb]); kind != 0 {
		return alike, kind
	}
	if common > 0 {
		return overlapping, onlyB[nb-1].class
	}
	return other, onlyB[nb-1].class
}

func hasWord(words []word, w *word) bool {
	for i := range words {
		if words[i].hash == w.hash && words[i].lem == w.lem {
			return true
		}
	}
	return false
}

func lastClass(words []*word) class { return words[len(words)-1].class }

// sharedClass returns the class of values or names that both lists have.
func sharedClass(a, b []*word) class {
	for _, x := range a {
		for _, y := range b {
			if x.class == classAmount && y.class == classAmount && unitOf(x.lem) != unitOf(y.lem) {
				continue
			}
			if x.class == y.class && x.class != classNoun && x.class != classVerb {
				return x.class
			}
			if isName(x.class) && isName(y.class) {
				return className
			}
		}
	}
	return 0
}

func isName(c class) bool { return c == classPerson || c == classPlace || c == className }

// oppose compares two words by the table of sets: opposed, kindred or other.
func oppose(x, y *word) likeness {
	l := other
	if x.country() != y.country() && (isName(x.class) && isName(y.class)) {
		return overlapping // a town may be in the country
	}
	if x.class == classDate && y.class == classDate && (datedIn(x, y) || datedIn(y, x)) {
		return overlapping
	}
	for _, m := range x.sets {
		for _, n := range y.sets {
			if m.Set != n.Set {
				continue
			}
			switch {
			case m.Side == lexicon.KindSide || n.Side == lexicon.KindSide:
				if m.Side == lexicon.KindSide && n.Side != lexicon.KindSide {
					return narrower // a surgeon is a doctor
				}
				if m.Side != n.Side {
					return wider
				}
				continue
			case m.Side != n.Side:
				return opposed
			}
			if m.Side == lexicon.NoSide {
				l = kindred
			}
		}
	}
	return l
}

// datedIn reports a day in a month: "12 June", "June".
func datedIn(day, month *word) bool {
	m := english.Month(month.low)
	return day.value && m != 0 && strings.HasPrefix(day.lem, strconv.Itoa(int(m) + 100)[1:])
}

// country reports the name of a country of the table.
func (w *word) country() bool {
	for _, m := range w.sets {
		for _, n := range lexicon.Sets["norway"] {
			if m.Set == n.Set {
				return true
			}
		}
	}
	return false
}

func countryIn(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return w.country() })
}

// unitOf returns the unit of an amount in normal form.
func unitOf(lem string) string {
	_, unit, _ := strings.Cut(lem, " ")
	return unit
}
