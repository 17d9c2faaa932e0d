package models

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/somnograph/somnograph/engine/breaker"
)

// The synctest bubble has a fake clock: 300 s pass at once.
func TestBreakerOpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls int
		var fail error
		var states []string
		b := Breaker(&fake{func(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
			calls++
			if fail != nil {
				return nil, fail
			}
			return angles(ctx, texts, kind)
		}}, BreakerOptions{OnChange: func(s breaker.Status) { states = append(states, string(s.State)) }})
		embed := func() error {
			_, err := b.Embed(context.Background(), []string{"tea"}, Passage)
			return err
		}

		busy := &Error{Status: 503, Temporary: true}
		fail = busy
		for range 5 {
			if err := embed(); !errors.Is(err, busy) {
				t.Fatalf("closed: %v", err)
			}
		}
		if err := embed(); !errors.Is(err, ErrOpen) || calls != 5 {
			t.Fatalf("after five failures: %v, %d calls", err, calls)
		}
		time.Sleep(299 * time.Second)
		if err := embed(); !errors.Is(err, ErrOpen) || calls != 5 {
			t.Fatalf("after 299 s: %v, %d calls", err, calls)
		}
		time.Sleep(2 * time.Second)
		if err := embed(); !errors.Is(err, busy) || calls != 6 {
			t.Fatalf("half open, still failing: %v, %d calls", err, calls)
		}
		if err := embed(); !errors.Is(err, ErrOpen) {
			t.Fatalf("open again: %v", err)
		}
		time.Sleep(301 * time.Second)
		fail = nil
		for range 3 {
			if err := embed(); err != nil {
				t.Fatalf("well again: %v", err)
			}
		}
		if want := []string{"OPEN", "HALF_OPEN", "OPEN", "HALF_OPEN", "CLOSED"}; !slices.Equal(states, want) {
			t.Errorf("states %q, want %q", states, want)
		}
	})
}

func TestBreakerCountsOnlyModelFailures(t *testing.T) {
	for _, c := range []struct {
		err   error
		opens bool
	}{
		{&Error{Status: 500, Temporary: true}, true},
		{&Error{Status: 401}, true},
		{&Error{Message: "garbage"}, true},
		{context.DeadlineExceeded, true},
		{context.Canceled, false},
		{&Error{Status: 400}, false},
		{&Error{Status: 413}, false},
	} {
		b := Breaker(&fake{func(context.Context, []string, Kind) ([][]float32, error) { return nil, c.err }}, BreakerOptions{Failures: 2})
		var err error
		for range 4 {
			_, err = b.Embed(context.Background(), []string{"tea"}, Query)
		}
		if errors.Is(err, ErrOpen) != c.opens {
			t.Errorf("after four times %v: %v", c.err, err)
		}
	}
}

func TestBreakerAsksOnceWhenHalfOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		fail := true
		b := Breaker(&fake{func(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
			if fail {
				return nil, &Error{Temporary: true}
			}
			<-release
			return angles(ctx, texts, kind)
		}}, BreakerOptions{Failures: 1, Open: time.Second})
		if _, err := b.Embed(context.Background(), []string{"tea"}, Query); err == nil {
			t.Fatal("no failure")
		}
		time.Sleep(2 * time.Second)
		fail = false
		first := make(chan error, 1)
		go func() {
			_, err := b.Embed(context.Background(), []string{"tea"}, Query)
			first <- err
		}()
		synctest.Wait()
		if _, err := b.Embed(context.Background(), []string{"tea"}, Query); !errors.Is(err, ErrOpen) {
			t.Errorf("the second call while half open: %v", err)
		}
		close(release)
		if err := <-first; err != nil {
			t.Errorf("the first call: %v", err)
		}
	})
}

// A model that does not answer opens its breaker through the batches too, where the call of all callers is
// cancelled when the last one gives up. Callers that cancel do not.
func TestSlowModelOpensItsBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &fake{func(ctx context.Context, _ []string, _ Kind) ([][]float32, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		guarded := Breaker(slow, BreakerOptions{Failures: 2})
		e := Batch(Retry(guarded, RetryOptions{}), BatchOptions{})
		call := func(ends func() (context.Context, context.CancelFunc)) error {
			ctx, cancel := ends()
			defer cancel()
			_, err := e.Embed(ctx, []string{"tea"}, Query)
			synctest.Wait()
			return err
		}
		cancelled := func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		}
		late := func() (context.Context, context.CancelFunc) { return context.WithTimeout(t.Context(), time.Second) }
		for range 4 {
			if err := call(cancelled); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if s := BreakerOf(guarded).Status(); s.State != breaker.Closed {
			t.Fatalf("after cancelled calls: %+v", s)
		}
		for _, ends := range []func() (context.Context, context.CancelFunc){late, cancelled, late} {
			if err := call(ends); errors.Is(err, ErrOpen) {
				t.Fatal(err)
			}
		}
		if s := BreakerOf(guarded).Status(); s.State != breaker.Open || s.Reason != "a call took too long" {
			t.Errorf("after two late calls: %+v", s)
		}
		if err := call(late); !errors.Is(err, ErrOpen) {
			t.Errorf("open: %v", err)
		}
	})
}
