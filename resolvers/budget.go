package resolvers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/limit"
)

// Budget is a rate limit for each tenant, in units of cost. It is safe for concurrent use.
type Budget interface {
	// Spend takes the cost, at least 1, from the tenant's budget if it is granted, else it
	// takes nothing. costly marks an operation that calls a paid model. If the state of the
	// budget is unknown, a costly operation gets an error and others are granted.
	Spend(ctx context.Context, tenant graph.Tenant, cost int, costly bool) (BudgetState, error)
}

// BudgetState is the state of a budget after a Spend.
type BudgetState struct {
	Granted    bool
	Unlimited  bool          // there is no limit for the tenant; the fields below are 0
	Limit      int           // maximum that can be spent at once
	Remaining  int           // remaining budget
	RetryAfter time.Duration // if not granted: time until the same cost would be granted
	ResetAfter time.Duration // time until the full limit is available
}

// meter charges every operation before it runs. It is a gqlgen extension.
type meter struct {
	budget Budget
	now    func() time.Time
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = (*meter)(nil)

func (m *meter) ExtensionName() string                   { return "Budget" }
func (m *meter) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext charges the cost of a valid operation to its tenant's budget.
func (m *meter) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	cost := max(1, limit.Cost(oc.Operation, oc.Variables))
	spent, err := m.budget.Spend(ctx, caller(ctx).Tenant, cost, usesModel(oc))
	switch {
	case err != nil:
		return gqlerror.Wrap(&graph.Error{Code: graph.CodeUnavailable, Message: "the rate limit can't be checked now, and this operation calls a model; retry later", Cause: err})
	case spent.Unlimited:
		return nil
	case cost > spent.Limit:
		return gqlerror.Wrap(graph.Errorf(graph.CodeLimitExceeded, "the operation costs %d, more than the rate limit of %d: request fewer items", cost, spent.Limit))
	case !spent.Granted:
		after := wholeSeconds(spent.RetryAfter)
		limited := gqlerror.Wrap(&retryLater{graph.Errorf(graph.CodeRateLimited, "the operation costs %d, and %d remain of the rate limit; retry in %d s", cost, spent.Remaining, after), after})
		limited.Extensions = map[string]any{"code": string(graph.CodeRateLimited), "retryAfter": after} // set before the error is presented
		return limited
	}
	oc.Stats.SetExtension(m.ExtensionName(), &gql.RateLimit{Limit: spent.Limit, Cost: cost, Remaining: spent.Remaining, ResetAt: m.now().Add(spent.ResetAfter)})
	return nil
}

// modelFields are the root fields that may call a model for a long time.
var modelFields = map[string]bool{"sleep": true, "consolidate": true}

// usesModel reports whether an operation calls a model: a sleep with summaries, or a search
// whose hits a cross-encoder ranks.
func usesModel(oc *graphql.OperationContext) bool {
	fields := graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Query", "Mutation"})
	return slices.ContainsFunc(fields, func(f graphql.CollectedField) bool {
		if modelFields[f.Name] {
			return true
		}
		input, ok := f.ArgumentMap(oc.Variables)["input"].(map[string]any)
		return ok && f.Name == "search" && oc.Operation.Operation == ast.Query && fmt.Sprint(input["effort"]) == string(gql.EffortAccurate)
	})
}

// retryLater is an error with the time after which a retry may succeed.
type retryLater struct {
	cause   *graph.Error
	seconds int
}

func (t *retryLater) Error() string { return t.cause.Error() }
func (t *retryLater) Unwrap() error { return t.cause }

// wholeSeconds rounds a duration up to whole seconds, at least 1, as needed for Retry-After.
func wholeSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// RateLimit is the state of the budget after this operation; null if there is none.
func (r queryResolver) RateLimit(ctx context.Context) (*gql.RateLimit, error) {
	spent, _ := graphql.GetOperationContext(ctx).Stats.GetExtension((*meter)(nil).ExtensionName()).(*gql.RateLimit)
	return spent, nil
}
