package conflict

import (
	_ "embed"
	"strings"
)

// attributeTable lists the attributes of which a person or a thing has one at a time, with the
// ways to state them in English. readPatterns describes the format; the kinds are those of
// claimKind.
//
//go:embed attributes.txt
var attributeTable string

// attributeNoun is an attribute named by a noun: "the rent of the flat is", "Mira's rent is".
type attributeNoun struct {
	attribute string
	kind      claimKind
}

// attributeNouns are the attributes by the nouns that name them, compoundNouns those by two words.
var attributeNouns, compoundNouns = func() (one map[string]attributeNoun, two map[[2]string]attributeNoun) {
	one, two = map[string]attributeNoun{}, map[[2]string]attributeNoun{}
	for key, noun := range wordLists.Keyed("attributeNouns") {
		a := attributeNoun{key[:len(key)-2], claimKind(key[len(key)-1])}
		if first, second, compound := strings.Cut(noun, "_"); compound {
			two[[2]string{lemma(first), lemma(second)}] = a
		} else {
			one[lemma(noun)] = a
		}
	}
	return one, two
}()

// attributeAt returns the attribute that the noun at t[k] names, and how many words before it
// belong to the noun.
func attributeAt(t []token, k int) (a attributeNoun, before int, ok bool) {
	if k > 0 {
		if a, ok := compoundNouns[[2]string{t[k-1].lem, t[k].lem}]; ok {
			return a, 1, true
		}
	}
	// my favourite colour, her preferred language, the tool of choice
	if k > 0 && favouriteWords[t[k-1].lem] && !t[k].punctuation && !t[k].is(stopWord) && !isPlural(t[k].low, t[k].lem) {
		return attributeNoun{"favorite " + t[k].lem, ofNoun}, 1, true
	}
	a, ok = attributeNouns[t[k].lem]
	return a, 0, ok
}

// favouriteWords say which one somebody likes best.
var favouriteWords = lemmas("favorite preferred go-to favored")

// plainQualifiers rarely distinguish an attribute from another one.
var plainQualifiers = lemmas("door mobile cell entry access contact current new access main family line total monthly full usual general gate wifi wi-fi shoe foot boot blood phone telephone text")
