package distil

import (
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
)

// set makes a set of the words in a list.
func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// fillers change nothing about what a sentence says: two sentences that differ in them
// only say the same. Tense, person and place do change it.
var fillers = set(`
a an the that there and so am is are be been being do does done
very really quite rather just also too even well oh ah hey hi hello yeah yes yep ok okay sure wow haha lol thanks thank please anyway basically honestly
actually definitely absolutely totally indeed btw fyi there's that's here's
`)

// weak words are no facts by themselves: what they say hangs on the words beside them.
var weak = set(`
this these those here it its i me my mine myself we us our ours you your yours yourself he him his himself she her hers herself they them theirs their
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
var greetings = set("hi hey hello thanks thank bye goodbye cheers congrats congratulations wow yeah yes yep no nope ok okay sure cool great nice awesome haha lol absolutely definitely exactly")

// leadIns are cut where a comma follows them.
var leadIns = set("well so yeah yes yep oh ok okay hey hi anyway basically honestly btw fyi actually wow haha ah hmm")

// Words of sentences that lean on the one before.
var (
	thirds      = set("he she him her his hers")
	articles    = set("the a an my our your")
	connectives = set("then also so but and because which however instead otherwise besides therefore")
	contrasts   = set("but because which however instead otherwise therefore")
	spans       = set("morning afternoon evening night week weekend month quarter year spring summer autumn fall winter monday tuesday wednesday thursday friday saturday sunday time")
)

// impersonal verbs have an "it" that stands for nothing.
var impersonal = set("turned turns seems seemed rained rains snowed snows")

// stem is a word without its plural: enough to tell that two are one.
func stem(word string) string {
	w := fold(word)
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

// stems are those of the words of a phrase.
func stems(phrase string) []string {
	var out []string
	for w := range strings.FieldsSeq(fold(phrase)) {
		out = append(out, stem(w))
	}
	return out
}

// fold is extract.Canonical, without its cost for plain words.
func fold(text string) string {
	for i := range len(text) {
		c := text[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return extract.Canonical(text)
		}
	}
	return strings.ToLower(text)
}
