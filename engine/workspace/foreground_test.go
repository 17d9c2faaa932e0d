package workspace

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestBackgroundYieldsToForeground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f ForegroundLoad
		waited := func(ctx context.Context) time.Duration {
			from := time.Now()
			f.Yield(ctx, time.Second)
			return time.Since(from)
		}
		if d := waited(t.Context()); d != 0 {
			t.Errorf("no request runs: yielded for %v", d)
		}
		first, second := f.Enter(), f.Enter()
		if d := waited(t.Context()); d != time.Second {
			t.Errorf("two requests run: yielded for %v, want the maximum", d)
		}
		time.AfterFunc(100*time.Millisecond, first)
		time.AfterFunc(300*time.Millisecond, second)
		if d := waited(t.Context()); d != 300*time.Millisecond {
			t.Errorf("the last request ended after 300 ms: yielded for %v", d)
		}
		leave := f.Enter() // the count was 0 before
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if d := waited(ctx); d != 50*time.Millisecond {
			t.Errorf("cancelled after 50 ms: gave way for %v", d)
		}
		leave()
		if d := waited(t.Context()); d != 0 {
			t.Errorf("all left: gave way for %v", d)
		}
	})
}
