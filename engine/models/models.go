// Package models says what an embedding model is to the engine, and adds to any
// of them what calls over a network need: retries, a breaker, a cache, batches.
//
// The adapters stand in packages of their own (hashed, huggingface, openai);
// package provider opens one from a configuration. Nothing here logs, and no
// error carries the text that was to be embedded.
package models

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Kind says what a text is to the search: some models embed the two unlike.
type Kind uint8

// The kinds.
const (
	Query   Kind = iota // what is asked
	Passage             // what is stored and found
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
	// Name identifies the model and what shapes its vectors. Vectors of two names
	// are not comparable. Stored with each memory; it never changes for one Embedder.
	Name() string
	// Dimension is the length of every vector, > 0.
	Dimension() int
	// Embed answers one vector for each text, in order, each of unit length or,
	// where nothing in the text could be read, all zero. The vectors belong to the
	// caller. It answers all or an error: *Error where the model answered wrongly
	// or not at all, ErrOpen, or the error of ctx.
	Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error)
}

// Weigher is an Embedder that can be told how much each word of a question tells where
// its answer is looked for.
type Weigher interface {
	Embedder
	// EmbedWeighted embeds a question. weight answers what a word, folded, weighs in
	// [0,1], and false where it has none of its own. The answer is as Embed's.
	EmbedWeighted(ctx context.Context, text string, weight func(word string) (float64, bool)) ([]float32, error)
}

// ErrOpen is returned without a call while the breaker of a model is open.
var ErrOpen = errors.New("models: the model is not called for now, it failed too often")

// Error is a failed call of a model.
type Error struct {
	Status     int           // HTTP status; 0: there was no usable answer
	RetryAfter time.Duration // how long the model asked to wait; 0: it did not say
	Temporary  bool          // the same call may succeed later
	Message    string        // what was wrong, without any text of a memory
	Err        error         // cause, or nil
}

// Error is the message, with the status where there is one.
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

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the call that failed with err may succeed when it is
// made again.
func Temporary(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Temporary
}

// maxZero is the length below which a vector has no direction.
const maxZero = 1e-12

// Unit checks an answer and brings its vectors to unit length in place. *Error
// where there are not n vectors, one has not the dimension, holds a NaN or an
// infinity, or has no direction.
func Unit(vectors [][]float32, n, dimension int) error {
	if len(vectors) != n {
		return &Error{Message: fmt.Sprintf("%d vectors came for %d texts", len(vectors), n)}
	}
	for _, v := range vectors {
		if len(v) != dimension {
			return &Error{Message: fmt.Sprintf("a vector of dimension %d came, the model is set to %d", len(v), dimension)}
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if math.IsNaN(sum) || math.IsInf(sum, 0) || sum < maxZero*maxZero {
			return &Error{Message: "a vector without a length came"}
		}
		scale := float32(1 / math.Sqrt(sum))
		for i := range v {
			v[i] *= scale
		}
	}
	return nil
}
