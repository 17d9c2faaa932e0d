// Package models defines embedding models, rerankers and language models for the engine, and
// wraps them for calls over a network: retries, a circuit breaker, a cache, batches.
//
// Adapters have packages of their own (hashed, static, huggingface, openai, chat,
// crossencoder). Package provider opens an embedder from a configuration. Nothing here logs,
// and no error contains the text that was to be embedded.
package models

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Kind is the role of a text in a search. Some models embed the two roles differently.
type Kind uint8

// The kinds.
const (
	Query   Kind = iota // a query
	Passage             // a stored text
)

// String is the kind's name in lower case.
func (k Kind) String() string {
	if k == Query {
		return "query"
	}
	return "passage"
}

// Embedder turns texts into vectors. Implementations are safe for concurrent use.
type Embedder interface {
	// Name identifies the model and everything that shapes its vectors. Vectors of two names
	// can't be compared. It is stored with each memory and never changes for an Embedder.
	Name() string
	// Dimension is the length of every vector, > 0.
	Dimension() int
	// Embed returns one vector per text, in order, of unit length, or zero if the text has
	// nothing to embed. The vectors belong to the caller. Errors are *Error if the model failed,
	// ErrOpen, or the error of ctx; there are no partial results.
	Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error)
}

// Weigher is an Embedder that accepts weights for the words of a query.
type Weigher interface {
	Embedder
	// EmbedWeighted embeds a query. weight returns the weight of a folded word in [0,1], or
	// false if it has none. The result is as that of Embed.
	EmbedWeighted(ctx context.Context, text string, weight func(word string) (float64, bool)) ([]float32, error)
}

// ErrOpen is returned without a call while the circuit breaker of a model is open.
var ErrOpen = errors.New("models: the circuit breaker is open after too many failures; the model is not called")

// Error is a failed call of a model.
type Error struct {
	Status     int           // HTTP status; 0: there was no usable answer
	RetryAfter time.Duration // the pause that the model asked for; 0: none
	Temporary  bool          // the same call may succeed later
	Message    string        // never contains text of a memory
	Err        error         // cause, or nil
}

// Error returns the message, with the status if there is one.
func (e *Error) Error() string {
	s := "models: " + e.Message
	if e.Status != 0 {
		s = fmt.Sprintf("%s (HTTP status %d)", s, e.Status)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether a call that failed with err may succeed later.
func Temporary(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Temporary
}

// maxZero is the length below which a vector counts as zero.
const maxZero = 1e-12

// Unit checks the vectors of a model and scales them to unit length in place. It returns an
// *Error unless there are n vectors of the dimension, finite and not zero.
func Unit(vectors [][]float32, n, dimension int) error {
	if len(vectors) != n {
		return &Error{Message: fmt.Sprintf("received %d vectors for %d texts", len(vectors), n)}
	}
	for _, v := range vectors {
		if len(v) != dimension {
			return &Error{Message: fmt.Sprintf("received a vector of dimension %d, and the model is configured with %d", len(v), dimension)}
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if math.IsNaN(sum) || math.IsInf(sum, 0) || sum < maxZero*maxZero {
			return &Error{Message: "received a vector of length 0 or with non-finite numbers"}
		}
		scale := float32(1 / math.Sqrt(sum))
		for i := range v {
			v[i] *= scale
		}
	}
	return nil
}
