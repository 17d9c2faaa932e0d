package workspace

import (
	"context"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// MaxRetries is the number of retries of failed work for one memory: after 0, 1 and 5 s if
// Retry is 5 s.
const MaxRetries = 3

// RetryDelay returns the delay before the next attempt, given the number of failures.
func (ws *Space) RetryDelay(tries int) time.Duration {
	switch tries {
	case 0, 1:
		return 0
	case 2:
		return ws.Retry / 5
	}
	return ws.Retry
}

// Every calls do at each interval until Close.
func (ws *Space) Every(interval time.Duration, do func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ws.Ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}

// Pause waits for d. It returns false if the engine closes during the wait.
func (ws *Space) Pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ws.Ctx.Done():
		return false
	}
}

// WaitFor waits until the engine's clock has reached at, or until wake receives; the zero time is
// never reached. After Sweep it returns in any case, because a clock that is no AlarmClock may have
// been moved. It returns false if the engine closes during the wait.
func (ws *Space) WaitFor(at time.Time, wake <-chan struct{}) bool {
	longest := time.NewTimer(ws.Sweep)
	defer longest.Stop()
	var reached <-chan struct{}
	if clock, ok := ws.Clock.(AlarmClock); ok && !at.IsZero() {
		var stop func()
		reached, stop = clock.Reach(at)
		defer stop()
	} else if !at.IsZero() {
		longest.Reset(min(ws.Sweep, at.Sub(ws.Now())))
	}
	select {
	case <-ws.Ctx.Done():
		return false
	case <-reached:
	case <-wake:
	case <-longest.C:
	}
	return true
}

// ParallelChunks calls fn on all processors for ranges that cover [0, n), each of at least
// share items, and waits for the calls. If a call panics, ParallelChunks panics after all calls with a [graph.Panic].
func ParallelChunks(n, share int, fn func(from, to int)) {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/share))
	var failed atomic.Pointer[graph.Panic]
	call := func(from, to int) {
		defer func() {
			if p := recover(); p != nil {
				failed.Store(&graph.Panic{Value: p, Stack: debug.Stack()})
			}
		}()
		fn(from, to)
	}
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { call(p*n/parts, (p+1)*n/parts) })
	}
	call(0, n/parts)
	wg.Wait()
	if p := failed.Load(); p != nil {
		panic(p)
	}
}

// WithHalfDeadline limits an optional step of a request to half of the request's remaining
// time, and to most (0: no such limit).
func WithHalfDeadline(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc) {
	if until, bounded := ctx.Deadline(); bounded {
		if half := time.Until(until) / 2; most == 0 || half < most {
			most = half
		}
	}
	if most == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, most)
}

// repeatAfter is the time after which a failure that goes on is logged again.
const repeatAfter = 10 * time.Minute

// Failing decides which tries of one kind of background work are logged as failed. Work is tried every few seconds
// while a part is away; a line for each try would push the line that says why out of sight. The zero value
// is ready. It is not safe for concurrent use.
type Failing struct {
	text string
	at   time.Time
}

// Level is the level to log a failure with: the given one if it is news, else DEBUG.
func (f *Failing) Level(err error, level slog.Level, now time.Time) slog.Level {
	if f.News(err, now) {
		return level
	}
	return slog.LevelDebug
}

// News reports whether a failure is the first one, another one than before, or ten minutes later than
// the last one that was news.
func (f *Failing) News(err error, now time.Time) bool {
	if f.text == err.Error() && now.Sub(f.at) < repeatAfter {
		return false
	}
	f.text, f.at = err.Error(), now
	return true
}

// Over says that the work succeeded: the next failure is news.
func (f *Failing) Over() { *f = Failing{} }
