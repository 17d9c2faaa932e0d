package models

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// BreakerOptions say when a circuit breaker opens. Zero values mean the defaults.
type BreakerOptions struct {
	Failures uint32        // consecutive failures that open it; default 5
	Open     time.Duration // how long it stays open before one call is let through; default 300 s
	// OnChange receives the new state: "closed", "half-open" or "open". It must not block.
	OnChange func(state string)
}

// The states of a circuit breaker.
const (
	stateClosed   = "closed"    // calls pass
	stateOpen     = "open"      // calls are refused
	stateHalfOpen = "half-open" // one call is under way that decides, others are refused
)

// Guard is a circuit breaker around the calls of a model. It is safe for concurrent use.
type Guard[T any] struct {
	o BreakerOptions

	mu       sync.Mutex
	state    string
	changes  int       // of state; the outcome of a call that began before the last one is ignored
	failures uint32    // in a row, while closed
	until    time.Time // end of the open state
}

// NewGuard makes a closed Guard.
func NewGuard[T any](o BreakerOptions) *Guard[T] {
	if o.Failures == 0 {
		o.Failures = 5
	}
	if o.Open <= 0 {
		o.Open = 300 * time.Second
	}
	return &Guard[T]{o: o, state: stateClosed}
}

// Do makes a call, or returns ErrOpen without one. A call that the caller cancelled, and one
// that the model refused because of its content, count as successes. A panic is a failure.
func (g *Guard[T]) Do(call func() (T, error)) (answer T, err error) {
	began, admitted := g.admit()
	if !admitted {
		return answer, ErrOpen
	}
	failed := true
	defer func() { g.record(began, failed) }()
	answer, err = call()
	failed = err != nil && !errors.Is(err, context.Canceled) && !Refused(err)
	return answer, err
}

// admit reports whether a call may be made, and the number of state changes before it.
func (g *Guard[T]) admit() (changes int, admitted bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.state == stateOpen && time.Now().After(g.until) {
		g.become(stateHalfOpen)
		return g.changes, true
	}
	return g.changes, g.state == stateClosed
}

// record takes in the outcome of a call.
func (g *Guard[T]) record(began int, failed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case began != g.changes:
	case !failed:
		g.failures = 0
		if g.state == stateHalfOpen {
			g.become(stateClosed)
		}
	default:
		g.failures++
		if g.state == stateHalfOpen || g.failures >= g.o.Failures {
			g.failures, g.until = 0, time.Now().Add(g.o.Open)
			g.become(stateOpen)
		}
	}
}

// become changes the state. g.mu is held.
func (g *Guard[T]) become(state string) {
	g.state = state
	g.changes++
	if g.o.OnChange != nil {
		g.o.OnChange(state)
	}
}

type breaker struct {
	Embedder
	guard *Guard[[][]float32]
}

// Breaker puts a circuit breaker before an embedder: after too many consecutive failures
// calls return ErrOpen.
func Breaker(e Embedder, o BreakerOptions) Embedder {
	return &breaker{e, NewGuard[[][]float32](o)}
}

// Unwrap returns the wrapped embedder.
func (b *breaker) Unwrap() Embedder { return b.Embedder }

// Embed embeds texts, or returns ErrOpen.
func (b *breaker) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	return b.guard.Do(func() ([][]float32, error) { return b.Embedder.Embed(ctx, texts, kind) })
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
