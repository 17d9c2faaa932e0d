// Package modality reads from the words of a clause how it presents what it says: as a fact, a question, a wish, a plan.
package modality

import "strings"

// Modality is how a clause presents what it says.
type Modality uint8

// The modalities.
const (
	Asserted    Modality = iota // a statement of fact
	Imperative                  // a rule for whom it addresses: "Use tabs"
	Question                    // "Should I move to Porto?"
	Conditional                 // "If I lived in Porto …"; also what would be
	Wish                        // "I'd love to live in Porto"
	Plan                        // "I might move", "we will deploy"
	Fiction                     // a novel, a game, "imagine", "suppose"
	Quoted                      // words of somebody else, words to be translated
	Reported                    // "she says that …", "according to …"
	Attempt                     // "almost", "tried to"
	Bounded                     // holds in a short interval: "this week", "until Friday"
	Past                        // "I used to live", "in 2018 we used"
	Event                       // something that happened: "I ran ten kilometres"
	// Count is the number of modalities.
	Count = iota
)

var names = strings.Fields("ASSERTED IMPERATIVE QUESTION CONDITIONAL WISH PLAN FICTION QUOTED REPORTED ATTEMPT BOUNDED PAST EVENT")

// String returns the name of a modality in capitals.
func (m Modality) String() string { return names[m] }

// Holds reports whether a clause of this modality says what is so now: an assertion, a rule or
// an event.
func (m Modality) Holds() bool { return m == Asserted || m == Imperative || m == Event }
