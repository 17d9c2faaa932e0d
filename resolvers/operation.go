package resolvers

import (
	"context"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
)

// deadline bounds a query or mutation; subscriptions live as long as their clients.
type deadline time.Duration

func (d deadline) ExtensionName() string                   { return "Deadline" }
func (d deadline) Validate(graphql.ExecutableSchema) error { return nil }

func (d deadline) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if graphql.GetOperationContext(ctx).Operation.Operation == ast.Subscription {
		return next(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(d))
	respond := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		defer cancel()
		return respond(ctx)
	}
}

// errorCap bounds the errors of one answer; the last one says how many are left out.
type errorCap int

func (n errorCap) ExtensionName() string                   { return "ErrorCap" }
func (n errorCap) Validate(graphql.ExecutableSchema) error { return nil }

func (n errorCap) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	if resp == nil || len(resp.Errors) <= int(n) {
		return resp
	}
	left := len(resp.Errors) - int(n) + 1
	resp.Errors = append(resp.Errors[:n-1:n-1], &gqlerror.Error{
		Message:    fmt.Sprintf("%d more errors are left out", left),
		Extensions: map[string]any{"code": string(graph.CodeLimitExceeded)},
	})
	return resp
}
