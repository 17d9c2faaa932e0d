package distil

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/internal/english"
)

// fillers make no difference to what a sentence says. Tense, person and place do.
var fillers = english.WordSet(`
a an the that there and so am is are be been being do does done
very really quite rather just also too even well oh ah hey hi hello yeah yes yep ok okay sure wow haha lol thanks thank please anyway basically honestly
actually definitely absolutely totally indeed btw fyi there's that's here's
`)

// weakWords are no facts by themselves: their meaning depends on the words next to them.
var weakWords = english.WordSet(english.Pronouns + `
this these those here
then as at by in on of for to with into onto was were did have has had having will would shall let
i'm i've i'll i'd you're you've you'll you'd we're we've we'll we'd it'll he'll she'll they're they've they'll they'd
who which what how when where why whose whom
from before after until till since during while about around over under above below between against across through near without within than like per via
all both each every either some any many much more most few less least several only still yet again already ever always often sometimes usually now today
other another such same own no not never none but or nor if because although though unless whether else
go goes going went gone come comes came coming get gets got getting gotten make makes made making take takes took taken taking put puts give gives gave given
say says said saying tell tells told think thinks thought know knows knew want wants wanted need needs needed feel feels felt see sees saw seen look looks
looked looking find finds found keep keeps kept use uses used using try tries tried ask asks asked work works worked working live lives lived living
move moves moved moving become becomes became seem seems seemed start starts started begin begins began can could should may might must ought able
one ones thing things something anything everything someone anyone everyone somebody stuff way lot lots bit kind sort good great nice cool awesome amazing
glad happy sorry sounds sound hope best fine welcome congrats congratulations guess maybe perhaps probably pretty much soon later lately recently currently
am pm o'clock up down out off back away together
`)

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

// words returns the words of a phrase in canonical form and in the singular.
func singularWords(phrase string) []string {
	var out []string
	for w := range strings.FieldsSeq(canonical(phrase)) {
		out = append(out, english.Singular(w))
	}
	return out
}

// canonical is extract.Canonical, faster for plain words.
func canonical(text string) string {
	for i := range len(text) {
		c := text[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return extract.Canonical(text)
		}
	}
	return strings.ToLower(text)
}
