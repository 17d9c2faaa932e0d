// Package predicates gives the predicates of claims the names by which they are compared.
package predicates

import (
	"cmp"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/frames"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
)

// Name returns the name by which predicates are compared: the name in the table for
// "lives in", "lives_in" and "residence", and otherwise the lemmas of the words, without "be"
// and articles. Predicates with many values that share a name in the table, such as "likes" and
// "hates", keep their own. It is empty only if the predicate has no word.
func Name(predicate string) string {
	name, shared := Names(predicate)
	if shared != "" && frames.CardinalityOf(shared) != frames.Many {
		return shared
	}
	return name
}

// Slot returns the name of the slot of a predicate: the name in the table, if there is
// one, otherwise that of Name. A statement may revise another one in the same slot.
func Slot(predicate string) string {
	name, shared := Names(predicate)
	return cmp.Or(shared, name)
}

// Names returns the lemmas of a predicate, and its name in the table; empty: none.
func Names(predicate string) (lemmas, shared string) {
	spaced := strings.Join(strings.Fields(strings.NewReplacer("_", " ", "-", " ").Replace(predicate)), " ")
	folded := strings.ToLower(spaced)
	words := wordclass.Scan("x " + folded + " y")
	if len(words) < 3 {
		return folded, ""
	}
	words = words[1 : len(words)-1]
	var kept []string
	named := make([]frames.Word, len(words))
	for i, w := range words {
		named[i] = frames.Word{Low: w.Low, Lem: w.Lem}
		if w.Lem == "be" || w.Low == "the" || w.Low == "a" || w.Low == "an" {
			continue
		}
		kept = append(kept, strings.TrimSuffix(w.Lem, "e")) // "like" is a stop word and keeps its ending
	}
	if lemmas = strings.Join(kept, " "); lemmas == "" {
		lemmas = folded
	}
	return lemmas, frames.Named(folded, named)
}

// Undeclared returns the name by which a predicate is compared, and whether the table has it.
// ok is false if the table declares that it has one value at a time, or if it has no word but "is".
func Undeclared(predicate string) (name string, known, ok bool) {
	lemmas, shared := Names(predicate)
	switch {
	case shared != "" && frames.CardinalityOf(shared) != frames.Many && frames.CardinalityOf(shared) != frames.Open, shared == "" && Valued(predicate) == frames.One:
		return "", false, false
	case lemmas == "" || lemmas == "is" || lemmas == "be" || lemmas == "are":
		return "", false, false
	}
	return lemmas, shared != "", true
}

// Valued returns the cardinality of a predicate that a caller gives: "lives_in", "log level".
func Valued(predicate string) frames.Cardinality {
	words := wordclass.Scan("x " + strings.NewReplacer("_", " ", "-", " ").Replace(predicate) + " y")
	best := frames.Many
	for i := range words {
		for _, s := range frames.Verbs[words[i].Lem] {
			// "x owns y" says who owns y: x may own more.
			if (s.Prep == "" && i+2 == len(words) || s.Prep != "" && i+1 < len(words) && words[i+1].Low == s.Prep) && frames.All[s.Frame].Cardinality == frames.One && !s.Inverse {
				best = frames.One
			}
		}
	}
	for _, s := range frames.Nouns[words[len(words)-2].Lem] {
		if c := frames.All[s.Frame].Cardinality; c == frames.One {
			best = frames.One
		}
	}
	return best
}
