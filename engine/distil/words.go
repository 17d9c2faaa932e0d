package distil

import (
	_ "embed"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// wordLists are the word lists of the package.
var wordLists = english.ReadLists(words)

//go:embed words.txt
var words string

// fillers make no difference to what a sentence says. Tense, person and place do.
var fillers = wordLists.Set("fillers")

// weakWords are no facts by themselves: their meaning depends on the words next to them.
var weakWords = english.WordSet(english.Pronouns + " " + wordLists.Words("weakWords"))

// greetings begin small talk.
var greetings = english.WordSet("hi hey hello thanks thank bye goodbye cheers congrats congratulations wow yeah yes yep no nope ok okay sure cool great nice awesome haha lol absolutely definitely exactly")

// leadIns are dropped if a comma follows.
var leadIns = english.WordSet("well so yeah yes yep oh ok okay hey hi anyway basically honestly btw fyi actually wow haha ah hmm")

// Words that show whether a sentence needs context.
var (
	thirdPerson = english.WordSet("he she him her his hers")
	articles    = english.WordSet("the a an my our your")
	connectives = english.WordSet("then also so but and because which however instead otherwise besides therefore")
	contrasts   = english.WordSet("but because which however instead otherwise therefore")
	timeNouns   = english.WordSet("morning afternoon evening night week weekend month quarter year spring summer autumn fall winter time " + english.Weekdays)
)

// impersonalVerbs have an "it" without a referent.
var impersonalVerbs = english.WordSet("turned turns seems seemed rained rains snowed snows")

// singularWords returns the words of a phrase in canonical form and in the singular.
func singularWords(phrase string) []string {
	var out []string
	for w := range strings.FieldsSeq(extract.Canonical(phrase)) {
		out = append(out, english.Singular(w))
	}
	return out
}
