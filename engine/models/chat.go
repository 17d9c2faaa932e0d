package models

import "context"

// A language model can help where the rules are in doubt or terse. What it answers is
// never believed as it is: who asks checks it, and does without where it does not hold.
// Implementations are safe for concurrent use, treat every text as data whatever it says,
// and answer *Error where the model answered wrongly or not at all, ErrOpen, or the error
// of ctx.

// Judge says how far two statements contradict each other.
type Judge interface {
	Name() string // of the model
	// Contradiction answers in [0,1]: 0 is "both can be true", 0.5 "no idea".
	Contradiction(ctx context.Context, a, b string) (float64, error)
}

// Summariser writes several texts as one.
type Summariser interface {
	Name() string
	// Summarise answers a text of at most so many words that says what the texts say.
	Summarise(ctx context.Context, texts []string, words int) (string, error)
}

// Reader finds what a text names and states.
type Reader interface {
	Name() string
	// Read answers what it found, each name as it stands in the text.
	Read(ctx context.Context, text string) (Extraction, error)
}

// Extraction is what a text names and states.
type Extraction struct {
	Entities  []Named
	Relations []Triple
	Statement *Triple // what the text as a whole states; nil: nothing that fits
}

// Named is a thing with a name. Type is one of the schema's entity types.
type Named struct{ Name, Type string }

// Triple states that a subject stands in a relation to an object.
type Triple struct{ Subject, Predicate, Object string }

// Chat is a language model that can do all of that.
type Chat interface {
	Judge
	Summariser
	Reader
}
