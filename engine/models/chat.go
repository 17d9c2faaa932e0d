package models

import "context"

// A language model can help if the rules can't decide. Callers check its answers and go on
// without them if they are not valid. Implementations are safe for concurrent use and treat
// every text as data. Errors are *Error if the model failed, ErrOpen, or the error of ctx.

// Judge scores how strongly two statements contradict each other.
type Judge interface {
	Name() string // of the model
	// Contradiction returns a score in [0,1]: 0 means both can be true, 0.5 unknown.
	Contradiction(ctx context.Context, a, b string) (float64, error)
}

// Summariser writes several texts as one.
type Summariser interface {
	Name() string
	// Summarise returns a summary of the texts with at most the given number of words.
	Summarise(ctx context.Context, texts []string, words int) (string, error)
}

// Reader extracts entities and a statement from a text.
type Reader interface {
	Name() string
	// Read returns the extraction. Names are as written in the text.
	Read(ctx context.Context, text string) (Extraction, error)
}

// Extraction holds the entities and the statement of a text.
type Extraction struct {
	Entities  []Named
	Relations []Triple
	Statement *Triple // statement of the whole text; nil: none
}

// Named is a thing with a name. Type is one of the schema's entity types.
type Named struct{ Name, Type string }

// Triple is a statement: subject, predicate, object.
type Triple struct{ Subject, Predicate, Object string }

// Chat is a language model with all these abilities.
type Chat interface {
	Judge
	Summariser
	Reader
}
