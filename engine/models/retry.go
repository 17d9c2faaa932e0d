package models

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// RetryOptions configure retries. Zero values mean the defaults.
type RetryOptions struct {
	Times   int           // retries after the first call; default 2
	Backoff time.Duration // pause before the first retry, doubled each time; default 250 ms
	MaxWait time.Duration // longest pause that a model may ask for; default 10 s
	// Sleep waits for d, or returns the error of ctx when that is done.
	Sleep func(ctx context.Context, d time.Duration) error
	// Rand returns numbers in [0,1) that spread the pauses of concurrent callers.
	Rand func() float64
}

type retry struct {
	Embedder
	o RetryOptions
}

// Retry retries calls that failed with a temporary *Error. The pause is the one that the model
// asked for, otherwise Backoff·2ⁿ times a random number in [0.5,1.5).
func Retry(e Embedder, o RetryOptions) Embedder { return &retry{e, o.withDefaults()} }

func (o RetryOptions) withDefaults() RetryOptions {
	if o.Times <= 0 {
		o.Times = 2
	}
	if o.Backoff <= 0 {
		o.Backoff = 250 * time.Millisecond
	}
	if o.MaxWait <= 0 {
		o.MaxWait = 10 * time.Second
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	return o
}

func (r *retry) Unwrap() Embedder { return r.Embedder }

func (r *retry) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	return again(ctx, r.o, func() ([][]float32, error) { return r.Embedder.Embed(ctx, texts, kind) })
}

// Again makes a call and retries it as Retry does.
func Again[T any](ctx context.Context, o RetryOptions, call func() (T, error)) (T, error) {
	return again(ctx, o.withDefaults(), call)
}

func again[T any](ctx context.Context, o RetryOptions, call func() (T, error)) (T, error) {
	for n := 0; ; n++ {
		answer, err := call()
		var e *Error
		if err == nil || n == o.Times || !errors.As(err, &e) || !e.Temporary || ctx.Err() != nil {
			return answer, err
		}
		wait := e.RetryAfter
		if wait == 0 {
			wait = time.Duration(float64(o.Backoff<<n) * (0.5 + o.Rand()))
		}
		if wait > o.MaxWait || o.Sleep(ctx, wait) != nil {
			return answer, err // more informative than the error of ctx
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
