package attribute

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// maxTold is the most claims of a text that may last for one of them. A longer one tells a story.
const maxTold = 3

// Lasts reports whether a memory, of which the claims are read and whose words tell of an event, says what lasts: the beginning or the
// end of it. "I started at The Ivy today" says where somebody works, "The project was renamed to Kestrel" what it is called, "I cancelled the trip" what will not
// be, "Nuts could kill me" what harm follows from.
func Lasts(m *graph.Memory) bool {
	if len(m.Claims) > maxTold {
		return false
	}
	passing := extract.Passing(m.Content)
	for i := range m.Claims {
		c := &m.Claims[i]
		s := c.State()
		asserted := c.Modality == reader.Asserted.String() && s.ValidTo.IsZero()
		states := slices.ContainsFunc(Of(m, c, s), func(x Stated) bool {
			return x.Attribute == Care && asserted || lastingAttributes[x.Attribute] && (asserted && c.Single || !passing && (asserted || c.Modality == reader.Event.String() && x.Attribute == statedByHead(m, c, x.Attribute)))
		})
		if states || asserted && !passing && (c.Single && s.Predicate == "is called" || s.Subject != "" && turnsPlan(s.Predicate)) {
			return true
		}
	}
	return false
}

// lastingAttributes are what an event may begin or end for long.
var lastingAttributes = english.WordSet("work residence spouse children pet study diet name boss roommate faith bank vehicle")

// statedByHead returns an attribute that a claim states, if the last word of its object states it too, or else "": who bought a car states
// one, who bought a car magazine does not.
func statedByHead(m *graph.Memory, c *graph.Claim, name string) string {
	s := c.State()
	words := strings.Fields(s.Object)
	if at := slices.IndexFunc(words, func(w string) bool { return limits[w] }); at > 0 {
		words = words[:at]
	}
	if len(words) > 1 {
		s.Object = words[len(words)-1]
	}
	if slices.ContainsFunc(Of(m, c, s), func(x Stated) bool { return x.Attribute == name }) {
		return name
	}
	return ""
}

// limits begin what is said of an object.
var limits = english.WordSet("called named in at of from with for on near by that who which and")

// turnsPlan reports a predicate by which a plan is given up or put off.
func turnsPlan(predicate string) bool {
	verb, _ := verbOf(predicate)
	return len(verb) > 0 && turns[verb[0]]
}

var turns = map[string]bool{english.Lemma("cancelled"): true, english.Lemma("canceled"): true, english.Lemma("postponed"): true, english.Lemma("rescheduled"): true}
