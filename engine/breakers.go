package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/breaker"
	"github.com/somnograph/somnograph/graph"
)

// BreakerStatus is a circuit breaker at one moment.
type BreakerStatus = breaker.Status

// BreakerState is the state of a circuit breaker.
type BreakerState = breaker.State

// The states of a circuit breaker.
const (
	BreakerClosed   = breaker.Closed
	BreakerOpen     = breaker.Open
	BreakerHalfOpen = breaker.HalfOpen
)

// Breakers lists the circuit breakers of the server by name: STORE, RECESS with a recess, EMBEDDER,
// RERANKER and CHAT with a model behind a network.
func (e *Engine) Breakers() []BreakerStatus { return e.ws.Breakers.List() }

// WatchBreakers calls fn with each change of a breaker that exists now. It must not block or call
// the engine.
func (e *Engine) WatchBreakers(fn func(BreakerStatus)) {
	for _, s := range e.ws.Breakers.List() {
		e.ws.Breakers.Get(s.Name).Watch(fn)
	}
}

// ResetBreaker closes a circuit breaker by hand and returns its status. It needs SERVER_ADMIN,
// because a breaker concerns all tenants. INVALID_REQUEST: there is no such breaker.
func (e *Engine) ResetBreaker(ctx context.Context, c Caller, name string) (_ *BreakerStatus, err error) {
	_, end := e.ws.Begin(ctx, c, "resetBreaker")
	defer end(&err)
	if err := c.Require(access.ServerAdmin, "", "resetBreaker"); err != nil {
		return nil, err
	}
	b := e.ws.Breakers.Get(name)
	if b == nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "name", "no circuit breaker has this name; health lists them")
	}
	b.Reset()
	s := b.Status()
	return &s, nil
}
