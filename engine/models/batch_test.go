package models

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// counting is a model that records the number of texts of each call.
func counting(sizes *[]int, mu *sync.Mutex, then func(context.Context, []string, Kind) ([][]float32, error)) *fake {
	return &fake{func(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
		mu.Lock()
		*sizes = append(*sizes, len(texts))
		mu.Unlock()
		return then(ctx, texts, kind)
	}}
}

func TestBatchCombinesCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sizes []int
		b := Batch(counting(&sizes, &mu, angles), BatchOptions{Max: 10})
		var wg sync.WaitGroup
		for i := range 25 {
			wg.Go(func() {
				texts := []string{strings.Repeat("x", i+1)}
				vectors, err := b.Embed(context.Background(), texts, Kind(i%2))
				if err != nil {
					t.Error(err)
					return
				}
				mustBe(t, vectors, texts, Kind(i%2))
			})
		}
		wg.Wait()
		slices.Sort(sizes)
		if !slices.Equal(sizes, []int{2, 3, 10, 10}) { // 13 queries and 12 passages
			t.Errorf("calls of %v texts", sizes)
		}
	})
}

func TestBatchDelayIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sizes []int
		b := Batch(counting(&sizes, &mu, angles), BatchOptions{Wait: 5 * time.Millisecond})
		start := time.Now()
		if _, err := b.Embed(context.Background(), []string{"a", "bb"}, Query); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 5*time.Millisecond {
			t.Errorf("a lone call waited %v", waited)
		}
		start = time.Now()
		many := slices.Repeat([]string{"a"}, 32)
		if _, err := b.Embed(context.Background(), many, Query); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited != 0 || !slices.Equal(sizes, []int{2, 32}) {
			t.Errorf("a full call waited %v; calls %v", waited, sizes)
		}
		if v, err := b.Embed(context.Background(), nil, Query); err != nil || len(v) != 0 {
			t.Errorf("no texts: %v, %v", v, err)
		}
	})
}

func TestFullBatchIsSentAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sizes []int
		b := Batch(counting(&sizes, &mu, angles), BatchOptions{Max: 4})
		var wg sync.WaitGroup
		for range 2 {
			texts := []string{"a", "bb", "ccc"}
			wg.Go(func() {
				vectors, err := b.Embed(context.Background(), texts, Query)
				if err != nil {
					t.Error(err)
					return
				}
				mustBe(t, vectors, texts, Query)
			})
			synctest.Wait()
		}
		wg.Wait()
		if !slices.Equal(sizes, []int{3, 3}) {
			t.Errorf("calls %v", sizes)
		}
	})
}

func TestCancelledCallerDoesNotCancelOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := false
		b := Batch(&fake{func(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
			select {
			case <-time.After(time.Second):
				return angles(ctx, texts, kind)
			case <-ctx.Done():
				ended = true
				return nil, ctx.Err()
			}
		}}, BatchOptions{})
		short, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := b.Embed(short, []string{"a"}, Query); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("who leaves: %v", err)
			}
		})
		wg.Go(func() {
			vectors, err := b.Embed(context.Background(), []string{"bb"}, Query)
			if err != nil {
				t.Errorf("who stays: %v", err)
				return
			}
			mustBe(t, vectors, []string{"bb"}, Query)
		})
		wg.Wait()
		if ended {
			t.Error("the shared call ended while a caller waited")
		}

		again, stop := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer stop()
		if _, err := b.Embed(again, []string{"ccc"}, Query); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("alone: %v", err)
		}
		synctest.Wait()
		if !ended {
			t.Error("the call continues after all callers left")
		}
	})
}

func TestCallerCancelledBeforeTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sizes []int
		b := Batch(counting(&sizes, &mu, angles), BatchOptions{Wait: time.Hour})
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if _, err := b.Embed(ctx, []string{"a"}, Query); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if _, err := b.Embed(ctx, []string{"a"}, Query); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with an ended context: %v", err)
		}
		time.Sleep(2 * time.Hour)
		if len(sizes) != 0 {
			t.Errorf("calls %v for nobody", sizes)
		}
	})
}

func TestRefusedTextDoesNotFailOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sizes []int
		refused := &Error{Status: 413}
		b := Batch(counting(&sizes, &mu, func(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
			if slices.Contains(texts, "bad") {
				return nil, refused
			}
			return angles(ctx, texts, kind)
		}), BatchOptions{})
		var wg sync.WaitGroup
		for _, text := range []string{"good", "bad", "better"} {
			wg.Go(func() {
				vectors, err := b.Embed(context.Background(), []string{text}, Query)
				if text == "bad" {
					if !errors.Is(err, refused) {
						t.Errorf("bad: %v", err)
					}
					return
				}
				if err != nil {
					t.Errorf("%s: %v", text, err)
					return
				}
				mustBe(t, vectors, []string{text}, Query)
			})
		}
		wg.Wait()
		slices.Sort(sizes)
		if !slices.Equal(sizes, []int{1, 1, 1, 3}) {
			t.Errorf("calls %v", sizes)
		}
	})
}

func TestAFailureIsSharedWithoutCallingAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sizes []int
		busy := &Error{Status: 503, Temporary: true}
		b := Batch(counting(&sizes, &mu, func(context.Context, []string, Kind) ([][]float32, error) { return nil, busy }), BatchOptions{})
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if _, err := b.Embed(context.Background(), []string{"a"}, Query); !errors.Is(err, busy) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if !slices.Equal(sizes, []int{3}) {
			t.Errorf("calls %v", sizes)
		}
	})
}
