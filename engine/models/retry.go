package models

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// RetryOptions say how a failed call is made again. Zero values mean the defaults.
type RetryOptions struct {
	Times   int           // calls after the first; default 2
	Backoff time.Duration // before the first of them, doubled each time; default 250 ms
	MaxWait time.Duration // a model that asks for a longer pause is not waited for; default 10 s
	// Sleep waits for d or until ctx ends, and then answers its error.
	Sleep func(ctx context.Context, d time.Duration) error
	// Rand answers numbers in [0,1) that spread the waits of many callers.
	Rand func() float64
}

type retry struct {
	Embedder
	o RetryOptions
}

// Retry makes calls again that failed with a temporary *Error. It waits as long as
// the model asked for, else Backoff·2ⁿ times a number in [0.5,1.5).
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

// Again makes a call, and once more as Retry does.
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
			return answer, err // why the call failed says more than that time is up
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
