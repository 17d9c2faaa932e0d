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

// Budget is what tenants may spend in the course of time, in the units of an operation's
// cost. It is safe for concurrent use.
type Budget interface {
	// Spend takes the cost, 1 or more, from what the tenant may spend, or answers without
	// taking anything that it is not granted. costly says that the operation lets a model
	// think, which costs others' money: then an error is answered where it can't be known
	// what is left, and else not.
	Spend(ctx context.Context, tenant graph.Tenant, cost int, costly bool) (BudgetState, error)
}

// BudgetState is how a budget stands behind a Spend.
type BudgetState struct {
	Granted    bool
	Limit      int           // that can be spent at once
	Remaining  int           // that can be spent now
	RetryAfter time.Duration // where it is not granted: until the same would be
	ResetAfter time.Duration // until all of Limit can be spent again
}

// meter makes every operation pay before it runs. It is a gqlgen extension.
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

// MutateOperationContext takes the cost of a valid operation from its tenant's budget.
func (m *meter) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	c, err := caller(ctx)
	if err != nil {
		return nil // the resolvers say so
	}
	cost := max(1, limit.Cost(oc.Operation, oc.Variables))
	spent, err := m.budget.Spend(ctx, c.Tenant, cost, usesModel(oc))
	switch {
	case err != nil:
		return gqlerror.Wrap(&graph.Error{Code: graph.CodeUnavailable, Message: "what is left to spend can't be known now, and this lets a model think: ask again", Cause: err})
	case cost > spent.Limit:
		return gqlerror.Wrap(graph.Errorf(graph.CodeLimitExceeded, "the operation costs %d, more than %d that can be spent at once: ask for fewer items", cost, spent.Limit))
	case !spent.Granted:
		after := wholeSeconds(spent.RetryAfter)
		late := gqlerror.Wrap(&retryLater{graph.Errorf(graph.CodeRateLimited, "the operation costs %d, and %d are left: ask again in %d s", cost, spent.Remaining, after), after})
		late.Extensions = map[string]any{"code": string(graph.CodeRateLimited), "retryAfter": after} // before anything presents it
		return late
	}
	oc.Stats.SetExtension(m.ExtensionName(), &gql.RateLimit{Limit: spent.Limit, Cost: cost, Remaining: spent.Remaining, ResetAt: m.now().Add(spent.ResetAfter)})
	return nil
}

// modelFields are the root fields behind which a model may think for long.
var modelFields = map[string]bool{"sleep": true, "consolidate": true}

// usesModel reports whether an operation lets a model think: a sleep that sums up, a search
// whose hits a cross-encoder reads.
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

// retryLater is an error that a later request would not get.
type retryLater struct {
	cause   *graph.Error
	seconds int // seconds
}

func (t *retryLater) Error() string { return t.cause.Error() }
func (t *retryLater) Unwrap() error { return t.cause }

// wholeSeconds is a wait in whole seconds, as a header says it: never too short.
func wholeSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// RateLimit is how the budget stands behind this operation; null where there is none.
func (r queryResolver) RateLimit(ctx context.Context) (*gql.RateLimit, error) {
	spent, _ := graphql.GetOperationContext(ctx).Stats.GetExtension((*meter)(nil).ExtensionName()).(*gql.RateLimit)
	return spent, nil
}
