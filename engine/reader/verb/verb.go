// Package verb tells in which form a word is a verb of a table, and gives other forms of it.
package verb

import (
	"maps"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Form is the form of a verb.
type Form uint8

// The forms of a verb.
const (
	None  Form = iota // no verb
	Base              // live
	Third             // lives
	Past              // lived, went, gone
	Ing               // living
)

// Table holds the verbs that are known.
type Table struct {
	Verbs  map[string]bool   // in their base form
	Lemmas map[string]bool   // of the verbs and of their synonyms
	Both   map[string]bool   // verbs of which the base form is the past form too: "put"
	Finite map[string]bool   // auxiliaries in a finite form, which no form is made of
	bases  map[string]string // base forms by lemma
}

// New returns a table of verbs. lemma gives the lemma of a verb.
func New(verbs, lemmas, both, finite map[string]bool, lemma func(string) string) Table {
	t := Table{Verbs: verbs, Lemmas: lemmas, Both: both, Finite: finite, bases: map[string]string{}}
	for _, base := range slices.Sorted(maps.Keys(verbs)) {
		l := lemma(base)
		// Of synonyms the one counts whose own lemma it is.
		if t.FormOf(base) == Base && (t.bases[l] == "" || english.Lemma(t.bases[l]) != l && english.Lemma(base) == l) {
			t.bases[l] = base
		}
	}
	return t
}

// FormOf returns the form in which a word is a verb of the table.
func (t *Table) FormOf(low string) Form {
	if t.Verbs[low] {
		if english.IrregularPast(low) && !t.Both[low] {
			return Past
		}
		return Base
	}
	lem := english.Lemma(low)
	switch {
	case low == "lasts":
		return Third
	case low == "lasted":
		return Past
	case !t.Lemmas[lem]:
		if english.IrregularPast(low) {
			return Past
		}
		return None
	case english.IrregularPast(low), strings.HasSuffix(low, "ed"):
		return Past
	case strings.HasSuffix(low, "ing"):
		return Ing
	case strings.HasSuffix(low, "s"):
		return Third
	}
	return None
}

// EndsInEd reports a word with the ending of the past tense.
func EndsInEd(low string) bool { return len(low) > 4 && strings.HasSuffix(low, "ed") }

// ThirdOf returns the third person of a verb in its base form, other forms unchanged.
func (t *Table) ThirdOf(low string) string {
	switch low {
	case "am", "are", "be":
		return "is"
	case "have":
		return "has"
	case "were":
		return "was"
	}
	n, f := len(low), t.FormOf(low)
	switch {
	case f != Base && !(f == None && !strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ed") && !strings.HasSuffix(low, "ing")), t.Finite[low], n < 2:
		return low
	case low[n-1] == 'y' && !strings.ContainsRune("aeou", rune(low[n-2])):
		return low[:n-1] + "ies"
	case strings.HasSuffix(low, "s"), strings.HasSuffix(low, "sh"), strings.HasSuffix(low, "ch"), strings.HasSuffix(low, "x"), strings.HasSuffix(low, "o"):
		return low + "es"
	}
	return low + "s"
}

// Person returns a verb in its base form in the person in which "be" has a form.
func (t *Table) Person(low, be string) string {
	switch {
	case low == "be":
		return be
	case be == "is":
		return t.ThirdOf(low)
	}
	return low
}

// BaseOf returns the base form of the verb with a lemma; empty: none is known.
func (t *Table) BaseOf(lemma string) string { return t.bases[lemma] }

// Lasting puts a predicate of what has been so since a time into the simple present, under which it is found: "has lived in" is
// "lives in". said is its verb as said, in lower case, passive says that the verb is in the passive voice.
func (t *Table) Lasting(predicate, lemma, said string, passive bool) string {
	before, rest, ok := strings.Cut(predicate+" ", " "+said+" ")
	switch base := t.bases[lemma]; {
	case !ok, !passive && before == "is":
		return predicate // "is owned by", for "has owned"
	case passive:
		return strings.TrimSpace("is " + said + " " + rest)
	case lemma == "be":
		return strings.TrimSpace("is " + rest)
	case base != "":
		return strings.TrimSpace(t.ThirdOf(base) + " " + rest)
	}
	return predicate
}
