package conflict

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// verbs are the known verbs, by lemma.
var verbs = lemmaSet("verbs")

// nounish are verbs that are just as often nouns. Without evidence for a verb they are nouns.
var nounish = lemmaSet("nounish")

var beForms = english.WordSet("am is are was were be been being 's")
var haveForms = english.WordSet("have has had having")
var doForms = english.WordSet("do does did")
var modals = english.WordSet("will would shall should can could may might must 'd")

// adverbs may be inside a verb group.
var adverbs = wordLists.Set("adverbs")

// isVerb reports whether a lemma is a verb, or one with a prefix: reopen, disallow.
func isVerb(lem string) bool {
	if verbs[lem] {
		return true
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(lem, p); ok && len(rest) > 3 && verbs[rest] {
			return !noVerb[lem]
		}
	}
	return false
}

var prefixes = []string{"re", "dis", "un", "mis", "over", "out"}
var noVerb = english.WordSet("resort display replay discount overtime outfit overall output outlet outlook unlike reward repair research overview rebound")

// classify sets the role of a token in a verb group.
func classify(t *token) {
	aux := t.is(formOfBe | formOfHave | formOfDo | modal)
	t.finite = aux || t.verb && !t.upper
	t.strong = aux && t.low != "'s" && t.low != "being" || t.verb && !t.upper && t.past
}

func isPast(low string) bool {
	return english.IrregularPast(low) || strings.HasSuffix(low, "ed") && len(low) > 3 && !strings.HasSuffix(low, "eed")
}

func isIng(low string) bool {
	return len(low) > 4 && strings.HasSuffix(low, "ing") && !english.Uninflected(low)
}

// isBaseForm reports that a verb has no ending.
func isBaseForm(t token) bool {
	return !t.past && !t.ing && (!strings.HasSuffix(t.low, "s") || strings.HasSuffix(t.low, "ss") || t.low == "focus")
}

// stopWords are words without content.
var stopWords = english.WordSet(english.Pronouns + " " + wordLists.Words("stopWords"))

var determiners = english.WordSet("a an the this that these those my your his her its our their some any each every no 's another which what whose")

var prepositions = wordLists.Set("prepositions")
