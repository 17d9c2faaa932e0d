package age

import "slices"

// whom is the one whose age is told.
type whom struct {
	pronoun string   // if it is the speaker
	owner   string   // "my" or "their", before a noun
	words   []string // lemmas of the words with content; "'s" ends those that belong to another one
	names   []string // those of them with a capital
}

// whomOf reads a noun phrase. pronoun is whom it stands for, if it is a pronoun.
func whomOf(words []Word, pronoun string) (x whom) {
	if pronoun != "" {
		if pronoun == "?" {
			return whom{}
		}
		return whom{pronoun: pronoun}
	}
	for i, w := range words {
		lemma := w.Lemma
		if w.Possessive && i+1 < len(words) {
			lemma += "'s"
		}
		switch {
		case w.Low == "and" || w.Low == "or":
			return whom{} // of several
		case mine[w.Low]:
			x.owner = "my"
		case theirs[w.Low]:
			x.owner = "their"
		case !w.Content:
		case w.Name:
			x.names = append(x.names, w.Low)
			fallthrough
		default:
			x.words = append(x.words, lemma)
		}
	}
	return x
}

func (x whom) known() bool { return x.pronoun != "" || len(x.words) > 0 }

// is reports whether two are the same: by the same words, or by a name that both have and no word that the other lacks, "my daughter Liv" and
// "Liv". all says that they have the same words.
func (x whom) is(y whom) (same, all bool) {
	if x.pronoun != "" || y.pronoun != "" {
		return x.pronoun == y.pronoun, true
	}
	lacks := func(of, in []string) bool {
		return slices.ContainsFunc(of, func(w string) bool { return !slices.Contains(in, w) })
	}
	inX, inY := lacks(x.words, y.words), lacks(y.words, x.words)
	shared := slices.ContainsFunc(x.names, func(n string) bool { return slices.Contains(y.names, n) })
	switch {
	case inX && inY, x.owner != y.owner && (x.owner != "" && y.owner != "" || inX != inY && !shared):
		return false, false
	case !inX && !inY:
		return x.owner != "their" || shared, true
	}
	return shared, false
}
