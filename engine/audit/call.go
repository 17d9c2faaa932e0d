package audit

import (
	"context"
	"sync/atomic"
	"time"
)

// Call is a call of a verb that is under way.
type Call struct {
	Principal string
	Verb      string
	began     time.Time // system clock, for the duration
	rows      atomic.Int64
	entered   atomic.Bool // another call has begun within it
}

// NewCall begins a call.
func NewCall(principal, verb string) *Call {
	return &Call{Principal: principal, Verb: verb, began: time.Now()}
}

// millis is how long ago the call began, in milliseconds. It is at least a microsecond.
func (c *Call) millis() float64 {
	return float64(max(time.Since(c.began).Microseconds(), 1)) / 1000
}

type callKey struct{}

// With returns a context in which writes belong to the call.
func With(ctx context.Context, c *Call) context.Context {
	if c == nil {
		return ctx
	}
	return context.WithValue(ctx, callKey{}, c)
}

// From returns the call of a context, nil for none.
func From(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// Enter begins a call within the call of ctx, if there is one.
func Enter(ctx context.Context, c *Call) context.Context {
	if outer := From(ctx); outer != nil {
		outer.entered.Store(true)
	}
	return With(ctx, c)
}

// Entered reports whether another call has begun within it.
func (c *Call) Entered() bool { return c.entered.Load() }

// Within returns ctx with the call of from. It is for work that outlives the context of its call.
func Within(ctx, from context.Context) context.Context { return With(ctx, From(from)) }

// As returns a context in which writes belong to a step of the server's own work, unless they
// belong to a call already.
func As(ctx context.Context, verb string) context.Context {
	if From(ctx) != nil {
		return ctx
	}
	return With(ctx, NewCall(Server, verb))
}
