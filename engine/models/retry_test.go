package models

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// script is a model that returns each error in turn, and then succeeds.
func script(calls *int, errs ...error) *fake {
	return &fake{func(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
		*calls++
		if *calls <= len(errs) {
			return nil, errs[*calls-1]
		}
		return angles(ctx, texts, kind)
	}}
}

func TestRetry(t *testing.T) {
	busy := &Error{Status: 503, Temporary: true}
	later := &Error{Status: 429, Temporary: true, RetryAfter: 3 * time.Second}
	muchLater := &Error{Status: 429, Temporary: true, RetryAfter: time.Minute}
	wrong := &Error{Status: 400}
	for _, c := range []struct {
		name  string
		errs  []error
		want  error
		calls int
		slept []time.Duration
	}{
		{"no failure", nil, nil, 1, nil},
		{"one failure", []error{busy}, nil, 2, []time.Duration{250 * time.Millisecond}},
		{"two failures", []error{busy, busy}, nil, 3, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond}},
		{"three failures", []error{busy, busy, later}, later, 3, []time.Duration{250 * time.Millisecond, 500 * time.Millisecond}},
		{"the model says when", []error{later}, nil, 2, []time.Duration{3 * time.Second}},
		{"too long", []error{muchLater}, muchLater, 1, nil},
		{"for good", []error{wrong}, wrong, 1, nil},
		{"open", []error{ErrOpen}, ErrOpen, 1, nil},
		{"gave up", []error{context.Canceled}, context.Canceled, 1, nil},
	} {
		var calls int
		var slept []time.Duration
		e := Retry(script(&calls, c.errs...), RetryOptions{
			Rand:  func() float64 { return 0.5 },
			Sleep: func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil },
		})
		vectors, err := e.Embed(context.Background(), []string{"tea"}, Query)
		if !errors.Is(err, c.want) || calls != c.calls || !slices.Equal(slept, c.slept) {
			t.Errorf("%s: %v after %d calls, slept %v", c.name, err, calls, slept)
		}
		if c.want == nil {
			mustBe(t, vectors, []string{"tea"}, Query)
		}
	}
}

func TestRetryAddsJitter(t *testing.T) {
	for _, r := range []float64{0, 0.999} {
		var calls int
		var slept time.Duration
		e := Retry(script(&calls, &Error{Temporary: true}), RetryOptions{
			Rand:  func() float64 { return r },
			Sleep: func(_ context.Context, d time.Duration) error { slept = d; return nil },
		})
		if _, err := e.Embed(context.Background(), []string{"tea"}, Query); err != nil {
			t.Fatal(err)
		}
		if want := time.Duration((0.5 + r) * float64(250*time.Millisecond)); slept != want {
			t.Errorf("with %v slept %v, want %v", r, slept, want)
		}
	}
}

func TestRetryEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	busy := &Error{Status: 503, Temporary: true, RetryAfter: 9 * time.Second}
	calls := 0
	e := Retry(&fake{func(context.Context, []string, Kind) ([][]float32, error) {
		calls++
		cancel()
		return nil, busy
	}}, RetryOptions{})
	if _, err := e.Embed(ctx, []string{"tea"}, Query); !errors.Is(err, busy) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	done, stop := context.WithCancel(context.Background())
	stop()
	if err := sleep(done, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("sleep: %v", err)
	}
}
