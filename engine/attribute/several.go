package attribute

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

var (
	listWords  = english.WordSet("both all list every each various")
	listNouns  = english.WordSet("what which whose")
	auxiliary  = english.WordSet("is are was were be been am do does did has have had will would can could shall should may might must")
	notPlurals = english.WordSet("always news lens series") // english.Singular changes them, though they are singular
	irregular  = english.WordSet("people children men women")

	// objectBegins are the words with which an object begins, and no clause that says more about a noun.
	objectBegins = english.WordSet("the a an this that these those my your his her its our their me him us them")
)

// nounWithin is how many words after "which" the noun may come: "which two old friends".
const nounWithin = 3

// AsksForSeveral reports whether an English question asks for several things: "Which cities …",
// "How many …", "What are …", "both", "all". Memories that answer a part of it may differ much
// in relevance. A verb in the third person may be taken for a plural ("Which ferry leaves …"),
// but not where its object comes next ("What holds the audit back?").
func AsksForSeveral(question string) bool {
	words := lowWords(question)
	for i, w := range words {
		switch {
		case listWords[w]:
			return true
		case i+1 == len(words):
		case w == "how" && words[i+1] == "many":
			return true
		case listNouns[w] && (words[i+1] == "are" || words[i+1] == "were"):
			return true
		case w == "what" && i+2 < len(words) && objectBegins[words[i+2]]:
		case listNouns[w] && beginsPlural(words[i+1:]):
			return true
		}
	}
	return false
}

// AsksHowMany reports whether an English question asks for a number of things.
func AsksHowMany(question string) bool {
	words := lowWords(question)
	i := slices.Index(words, "many")
	return i > 0 && words[i-1] == "how"
}

func lowWords(question string) (words []string) {
	for t := range english.Tokens(strings.ToLower(question), english.Parts) {
		if t.IsWord() {
			words = append(words, t.Text)
		}
	}
	return words
}

// beginsPlural reports whether a plural noun comes before the verb.
func beginsPlural(words []string) bool {
	for _, w := range words[:min(nounWithin, len(words))] {
		if auxiliary[w] {
			return false
		}
		if irregular[w] || english.Singular(w) != w && !strings.HasSuffix(w, "'s") && !notPlurals[w] {
			return true
		}
	}
	return false
}
