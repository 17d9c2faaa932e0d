// Package calls counts the calls under way in a store, so that Close can wait for them.
package calls

import (
	"context"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Calls is the calls under way in a store. The zero value admits calls. It is safe for
// concurrent use.
type Calls struct {
	mu      sync.Mutex
	running sync.WaitGroup
	closed  bool
}

// Begin admits a call whose context has not ended, or returns graph.ErrClosed after Close.
// Every successful Begin needs an End.
func (c *Calls) Begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return graph.ErrClosed
	}
	c.running.Add(1)
	return nil
}

// BeginScoped is Begin for a call with a valid scope.
func (c *Calls) BeginScoped(ctx context.Context, scope graph.Scope) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	return c.Begin(ctx)
}

// End ends a call.
func (c *Calls) End() { c.running.Done() }

// Close refuses further calls and runs fn before any of them is refused. It reports whether
// it was the first Close; fn runs only then.
func (c *Calls) Close(fn func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.closed = true
	fn()
	return true
}

// Wait waits until all admitted calls have ended. Call it after Close.
func (c *Calls) Wait() { c.running.Wait() }

// Pause waits, or returns the error of ctx.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
