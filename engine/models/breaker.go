package models

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/sony/gobreaker/v2"
)

// BreakerOptions say when a model is left alone. Zero values mean the defaults.
type BreakerOptions struct {
	Failures uint32        // in a row until it opens; default 5
	Open     time.Duration // until one call is let through to see; default 300 s
	// OnChange is told the new state: "closed", "half-open" or "open". It must not block.
	OnChange func(state string)
}

type breaker struct {
	Embedder
	guard *Guard[[][]float32]
}

// Guard leaves a model alone that has failed too often in a row.
type Guard[T any] struct{ cb *gobreaker.CircuitBreaker[T] }

// NewGuard makes a Guard for the model of that name.
func NewGuard[T any](name string, o BreakerOptions) *Guard[T] {
	return &Guard[T]{gobreaker.NewCircuitBreaker[T](o.settings(name))}
}

// Do makes a call, or answers ErrOpen without one.
func (g *Guard[T]) Do(call func() (T, error)) (T, error) {
	answer, err := g.cb.Execute(call)
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		err = ErrOpen
	}
	return answer, err
}

// Breaker answers ErrOpen without a call once a model has failed too often in a row.
// What the caller gave up, and what the model refused because of the text itself, is
// no failure of the model.
func Breaker(e Embedder, o BreakerOptions) Embedder {
	return &breaker{e, NewGuard[[][]float32](e.Name(), o)}
}

// settings are those of the breaker of a model, with the defaults filled in.
func (o BreakerOptions) settings(name string) gobreaker.Settings {
	if o.Failures == 0 {
		o.Failures = 5
	}
	if o.Open <= 0 {
		o.Open = 300 * time.Second
	}
	s := gobreaker.Settings{
		Name:         name,
		Timeout:      o.Open,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= o.Failures },
		IsSuccessful: func(err error) bool { return err == nil || errors.Is(err, context.Canceled) || Refused(err) },
	}
	if o.OnChange != nil {
		s.OnStateChange = func(_ string, _, to gobreaker.State) { o.OnChange(to.String()) }
	}
	return s
}

func (b *breaker) Unwrap() Embedder { return b.Embedder }

func (b *breaker) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	return b.guard.Do(func() ([][]float32, error) { return b.Embedder.Embed(ctx, texts, kind) })
}

// Refused reports whether a model refused a call because of what was in it, so that
// another call may go well.
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
