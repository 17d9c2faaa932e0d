package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

type callerKey struct{}

// withCaller adds the caller to the context of a request or a socket.
func withCaller(ctx context.Context, c engine.Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// caller returns the caller of the request. A request without one is refused.
func caller(ctx context.Context) (engine.Caller, error) {
	c, ok := ctx.Value(callerKey{}).(engine.Caller)
	if !ok {
		return c, graph.Errorf(graph.CodeUnauthenticated, "the request has no credentials")
	}
	return c, nil
}
