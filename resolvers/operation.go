package resolvers

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
)

// deadline limits the duration of queries and mutations. Subscriptions last as long as their
// clients, long-running mutations as long as the server.
type deadline struct {
	timeout  time.Duration
	stopping context.Context // done when the server stops
}

// longRunning are the mutations whose duration depends on the number of memories.
var longRunning = map[string]bool{"sleep": true, "consolidate": true, "rollback": true, "withdrawSource": true}

func (d deadline) ExtensionName() string                   { return "Deadline" }
func (d deadline) Validate(graphql.ExecutableSchema) error { return nil }

func (d deadline) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	if oc.Operation.Operation == ast.Subscription {
		return next(ctx)
	}
	ctx, cancel := d.limit(ctx, oc)
	respond := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		defer cancel()
		return respond(ctx)
	}
}

// limit returns the context of an operation.
func (d deadline) limit(ctx context.Context, oc *graphql.OperationContext) (context.Context, func()) {
	if !isLongRunning(oc) {
		return context.WithTimeout(ctx, d.timeout)
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(d.stopping, cancel)
	return ctx, func() { stop(); cancel() }
}

func isLongRunning(oc *graphql.OperationContext) bool {
	if oc.Operation.Operation != ast.Mutation {
		return false
	}
	return slices.ContainsFunc(graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Mutation"}), func(f graphql.CollectedField) bool {
		return longRunning[f.Name]
	})
}

// errorCap limits the errors in one response; the last one tells how many were omitted.
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
		Message:    fmt.Sprintf("%d more errors are omitted", left),
		Extensions: map[string]any{"code": string(graph.CodeLimitExceeded)},
	})
	return resp
}

// selectsPath reports whether the current field selects the nested path, in any of its
// fragments.
func selectsPath(ctx context.Context, path ...string) bool {
	oc := graphql.GetOperationContext(ctx)
	fields := graphql.CollectFieldsCtx(ctx, nil)
	for i, name := range path {
		var below ast.SelectionSet
		found := false
		for _, f := range fields {
			if f.Name == name {
				found, below = true, append(below, f.Selections...)
			}
		}
		if !found {
			return false
		}
		if i < len(path)-1 {
			fields = graphql.CollectFields(oc, below, nil)
		}
	}
	return true
}
