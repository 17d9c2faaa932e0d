package models

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/somnograph/somnograph/engine/breaker"
)

// BreakerOptions say when a circuit breaker opens. Zero values mean the defaults.
type BreakerOptions struct {
	Name     string        // default: EMBEDDER, RERANKER or CHAT
	Failures uint32        // consecutive failures that open it; default 5
	Open     time.Duration // how long it stays open before one call is let through; default 300 s
	// OnChange receives each new status. It must not block.
	OnChange func(breaker.Status)
}

// Guard is a circuit breaker around the calls of a model. It is safe for concurrent use.
type Guard[T any] struct{ breaker *breaker.Breaker }

// NewGuard makes a closed Guard.
func NewGuard[T any](o BreakerOptions, name string) *Guard[T] {
	return &Guard[T]{breaker.New(breaker.Options{
		Name: cmp.Or(o.Name, name), Failures: int(o.Failures), Open: o.Open, OnChange: o.OnChange,
	})}
}

// Breaker is the circuit breaker.
func (g *Guard[T]) Breaker() *breaker.Breaker { return g.breaker }

// Do makes a call, or returns ErrOpen without one. A call that the model refused because of its
// content counts as a success, one that the caller cancelled as neither. A panic is a failure.
func (g *Guard[T]) Do(call func() (T, error)) (answer T, err error) {
	done, admitted := g.breaker.Admit()
	if !admitted {
		return answer, ErrOpen
	}
	reason := "a call panicked"
	defer func() { done(reason) }()
	answer, err = call()
	switch {
	case err == nil, Refused(err):
		reason = ""
	case errors.Is(err, context.Canceled):
		reason = breaker.Cancelled
	default:
		reason = reasonOf(err)
	}
	return answer, err
}

// reasonOf is what may be said about a failure: the messages of models contain no content.
func reasonOf(err error) string {
	var m *Error
	switch {
	case errors.As(err, &m):
		return m.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "a call took too long"
	}
	return "a call failed"
}

// BreakerOf is the circuit breaker of an embedder, reranker or language model; nil: it has none.
func BreakerOf(model any) *breaker.Breaker {
	for model != nil {
		if guarded, ok := model.(interface{ Breaker() *breaker.Breaker }); ok {
			return guarded.Breaker()
		}
		wrapper, ok := model.(interface{ Unwrap() Embedder })
		if !ok {
			return nil
		}
		model = wrapper.Unwrap()
	}
	return nil
}

type breaking struct {
	Embedder
	guard *Guard[[][]float32]
}

// Breaker puts a circuit breaker before an embedder: after too many consecutive failures
// calls return ErrOpen.
func Breaker(e Embedder, o BreakerOptions) Embedder {
	return &breaking{e, NewGuard[[][]float32](o, "EMBEDDER")}
}

// Breaker is the circuit breaker.
func (b *breaking) Breaker() *breaker.Breaker { return b.guard.Breaker() }

// Unwrap returns the wrapped embedder.
func (b *breaking) Unwrap() Embedder { return b.Embedder }

// Embed embeds texts, or returns ErrOpen.
func (b *breaking) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	return b.guard.Do(func() ([][]float32, error) {
		vectors, err := b.Embedder.Embed(ctx, texts, kind)
		return vectors, late(ctx, err)
	})
}

// Refused reports whether a model refused a call because of its content, so that a call
// with other content may succeed.
func Refused(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return true
	}
	return false
}
