package reader

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/reader/tables"
	"github.com/somnograph/somnograph/engine/reader/wordclass"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/internal/english"
)

// nounPhrase is a noun phrase: "my sister's old dog", "ticket 12", "the owner of billing".
type nounPhrase struct {
	words []word
	owner string // holder of the possessor: "@me", a name, a noun; empty if there is none
	// possessor names the owner, if that is said elsewhere in the text: "my daughter" for "her teacher". It replaces the first of words.
	possessor []word
	head      string   // lemma of the head noun
	mods      []string // lemmas of the other words with content, sorted
	ids       []string // numbers, codes and versions
	// pronoun is the phrase, if it is a personal pronoun: "@me" for I and we, "?" for others.
	pronoun string
	plural  bool // we, us
	the     bool // it has a definite article or a possessor
}

func (n *nounPhrase) empty() bool { return len(n.words) == 0 && n.pronoun == "" }

// first is the first word in lower case; empty if there is none.
func (n *nounPhrase) first() string {
	if len(n.words) == 0 {
		return ""
	}
	return n.words[0].low
}

// readNoun reads a noun phrase.
func readNoun(words []word, me string) (n nounPhrase) {
	for len(words) > 0 && (tables.Adverb[words[len(words)-1].low] || words[len(words)-1].low == "n't") {
		words = words[:len(words)-1]
	}
	n.words = words
	if len(words) == 1 && words[0].holder != "" && !words[0].possessive {
		n.pronoun, n.head = words[0].holder, words[0].holder
		return n
	}
	if len(words) == 1 || len(words) == 2 && tables.Family[words[1].low] {
		if h := wording.Holder(words[0].low, me); h != "" && len(words) == 1 {
			p, _ := english.PronounOf(words[0].low)
			n.pronoun, n.plural, n.head = h, p.Plural, h
			return n
		}
	}
	of := slices.IndexFunc(words, func(w word) bool { return w.low == "of" })
	if of > 0 && of+1 < len(words) {
		inner := readNoun(words[of+1:], me)
		n.owner = inner.key()
		n.ids = inner.ids
		words = words[:of]
	}
	for i := range words {
		w := &words[i]
		if h := wording.Holder(w.low, me); h != "" && w.low != "her" && i+1 < len(words) || w.low == "her" {
			if p, _ := english.PronounOf(w.low); p.Case&english.Possessive != 0 {
				if of > 0 {
					continue
				}
				n.owner, n.plural, n.the = h, p.Plural, true
				continue
			}
		}
		if w.possessive {
			n.owner = strings.Join(append(n.mods, w.lem), " ")
			switch {
			case w.holder != "" && len(n.mods) == 0:
				n.owner = w.holder
			case n.owner == "user" || n.owner == "customer":
				n.owner = me
			}
			n.mods, n.head, n.the = nil, "", true
			continue
		}
		switch {
		case w.low == "the" || w.low == "this" || w.low == "that":
			n.the = true
		case (tables.Function[w.low] || tables.Adverb[w.low]) && !(w.text == "A" && i > 0 && i+1 == len(words)):
		case w.class == classNumber && i > 0, w.class == classCode || w.class == classVersion,
			len(w.low) == 1 && startsUpper(w.text) && i > 0 && w.low != "i":
			n.ids = append(n.ids, w.lem)
			if n.head == "" {
				n.head = w.lem
			}
		default:
			if n.head != "" && !slices.Contains(n.ids, n.head) {
				n.mods = append(n.mods, n.head)
			}
			n.head = w.lem
		}
	}
	if n.head == "" && n.owner != "" {
		n.head, n.owner = n.owner, ""
	}
	if n.head == "user" && n.owner == "" && len(n.mods) == 0 {
		if h := words[len(words)-1].holder; h != "" {
			me = h
		}
		n.pronoun, n.head = me, me
	}
	slices.Sort(n.mods)
	return n
}

// nameUser marks the words that stand for the user whose memory a text is: the name, and "user".
func nameUser(words []word, user string) {
	if user == "" {
		return
	}
	for i := range words {
		w := &words[i]
		alone := (i == 0 || w.sign != 0 || !startsUpper(words[i-1].text) || words[i-1].class == classFunction) && (i+1 == len(words) || words[i+1].sign != 0 || !startsUpper(words[i+1].text) || w.possessive)
		if w.low == "user" || alone && startsUpper(w.text) && w.low == strings.ToLower(user) && (isName(w.class) || wordclass.OfName(w.text, 1) == classPerson) {
			w.holder = me(user)
		}
	}
}

// key returns a text that equal phrases share.
func (n *nounPhrase) key() string {
	if n.pronoun != "" {
		return n.pronoun
	}
	key := n.head
	if len(n.mods) > 0 {
		key = strings.Join(n.mods, " ") + " " + key
	}
	if n.owner != "" {
		key = n.owner + "'s " + key
	}
	if len(n.ids) > 0 {
		key += " " + strings.Join(n.ids, " ")
	}
	return key
}
