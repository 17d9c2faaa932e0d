package temporal

import (
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// Tense is the time that a question asks about.
type Tense uint8

// The tenses.
const (
	Present  Tense = iota
	Happened       // "When did …", "What was …": mostly what happened
	Before         // "before", "used to", "originally": what held earlier
)

var (
	earlierWords  = english.WordSet("before previously previous prior former formerly earlier originally original initially initial first once old older ago past history historically")
	happenedVerbs = english.WordSet("did was were had")
)

// TenseOf reads the time that an English question asks about.
func TenseOf(question string) Tense {
	t := Present
	words := strings.Fields(english.Lower(question))
	for i, w := range words {
		w = strings.Trim(w, ".,;:!?\"'")
		switch {
		case w == "old" && i > 0 && words[i-1] == "how": // it asks for an age
		case earlierWords[w], w == "to" && i > 0 && (words[i-1] == "used" || words[i-1] == "use"):
			return Before
		case happenedVerbs[w]:
			t = Happened
		}
	}
	return t
}
