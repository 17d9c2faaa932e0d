package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
)

type callerKey struct{}

// withCaller adds the caller to the context of a request or a socket.
func withCaller(ctx context.Context, c engine.Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// caller returns the caller of an operation. Every operation has one: ServeHTTP and acceptSocket
// authenticate before anything runs.
func caller(ctx context.Context) engine.Caller { return ctx.Value(callerKey{}).(engine.Caller) }
