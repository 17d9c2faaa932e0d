package question

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
)

// Slot is a subject and a predicate, as claims have them.
type Slot struct{ Subject, Predicate string }

// maxAsked is the number of slots that a question may ask about.
const maxAsked = 4

// Asked returns the slots that a question in the present tense asks about, the likeliest first;
// none if it can't tell. It reads the statements that would answer the question: "Where do I
// live?" is answered by "I live in …", whose slot is the residence of the speaker. So a question
// finds a claim that says the same in other words, "I moved to Bergen".
func Asked(asked string, h reader.Hints) []Slot {
	var slots []Slot
	for _, statement := range slices.Concat(Answers(asked)...) {
		for _, c := range reader.Read(statement.Text, h) {
			if c.Modality != reader.Asserted || c.Negated || !strings.Contains(c.Object, Unknown) || strings.Contains(c.Subject, Unknown) {
				continue
			}
			if statement.Subject != "" && !strings.HasSuffix(extract.Canonical(c.Subject), lastWord(statement.Subject)) {
				continue // the words were divided wrongly
			}
			if s := (Slot{c.Subject, c.Predicate}); !slices.Contains(slots, s) && len(slots) < maxAsked {
				slots = append(slots, s)
			}
		}
	}
	return slots
}

func lastWord(s string) string {
	words := strings.Fields(extract.Canonical(s))
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
