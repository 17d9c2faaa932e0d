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

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/limit"
)

// Budget is a rate limit for each tenant and for each principal, in units of cost. It is safe for
// concurrent use.
type Budget interface {
	// Spend takes the cost, at least 1, from the budgets of the tenant and of the principal if both
	// grant it, else it takes nothing. costly marks an operation that calls a paid model. If the
	// state of the budget is unknown, a costly operation gets an error and others are granted.
	Spend(ctx context.Context, a Account, cost int, costly bool) (BudgetState, error)
}

// Account is who pays for an operation.
type Account struct {
	Tenant    graph.Tenant
	Principal string // name of the caller
}

// BudgetState is the state of a budget after a Spend: of the one that refused, or of the one with
// the least left.
type BudgetState struct {
	Granted    bool
	Unlimited  bool          // there is no limit; the fields below are 0
	Name       string        // of the limit: rate.limit, rate.principal or quota.costPerMinute
	Limit      int           // maximum that can be spent at once
	Remaining  int           // remaining budget
	RetryAfter time.Duration // if not granted: time until the same cost would be granted
	ResetAfter time.Duration // time until the full limit is available
}

// meter charges every operation before it runs, and every event of an expensive subscription. It is a gqlgen extension.
type meter struct {
	budget Budget
	now    func() time.Time
	events eventShares
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.OperationInterceptor
} = (*meter)(nil)

func (m *meter) ExtensionName() string                   { return "Budget" }
func (m *meter) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext charges the price of a valid operation to its tenant and principal.
func (m *meter) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	cost := max(1, limit.Price(oc.Operation, oc.Variables))
	c := caller(ctx)
	spent, err := m.budget.Spend(ctx, Account{c.Tenant, c.Name}, cost, usesModel(oc))
	if err == nil && spent.Unlimited {
		return nil
	}
	if err := spent.refusal(cost, err); err != nil {
		refused := gqlerror.Wrap(err)
		if again, ok := err.(*retryLater); ok { // set before the error is presented
			refused.Extensions = map[string]any{"code": string(graph.CodeRateLimited), "retryAfter": again.seconds}
		}
		return refused
	}
	oc.Stats.SetExtension(m.ExtensionName(), &gql.RateLimit{Limit: spent.Limit, Cost: cost, Remaining: spent.Remaining, ResetAt: m.now().Add(spent.ResetAfter)})
	return nil
}

// refusal says why a cost was not granted, and when it would be; nil if it was. err is that of Spend.
func (s BudgetState) refusal(cost int, err error) error {
	switch {
	case err != nil:
		return &graph.Error{Code: graph.CodeUnavailable, Message: "the rate limit can't be checked now, and this operation calls a model; retry later", Cause: err}
	case s.Granted:
		return nil
	case cost > s.Limit:
		return graph.FieldError(graph.CodeLimitExceeded, s.Name, "is %d at once, and the operation costs %d: request fewer items, or send less at once", s.Limit, cost)
	}
	after := wholeSeconds(s.RetryAfter)
	return &retryLater{graph.FieldError(graph.CodeRateLimited, s.Name, "has %d left, and the operation costs %d; retry in %d s", s.Remaining, cost, after), after}
}

// Charge takes the price of a call from a budget that is not an operation of GraphQL: base for
// what it answers, and for question and in, the bytes of its question and of everything that was
// sent. A nil budget grants everything. The error is RATE_LIMITED, LIMIT_EXCEEDED or UNAVAILABLE,
// and names the limit.
func Charge(ctx context.Context, b Budget, c engine.Caller, base, question, in int) error {
	if b == nil {
		return nil
	}
	cost := base + limit.Work("", question) + limit.In(in)
	spent, err := b.Spend(ctx, Account{c.Tenant, c.Name}, cost, false)
	if failed := spent.refusal(cost, err); failed != nil {
		return failed
	}
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

// RetryAfter is the number of seconds after which a retry may succeed.
func (t *retryLater) RetryAfter() int { return t.seconds }

// wholeSeconds rounds a duration up to whole seconds, at least 1, as needed for Retry-After.
func wholeSeconds(d time.Duration) int { return max(1, int(math.Ceil(d.Seconds()))) }

// RateLimit is the state of the budget after this operation; null if there is none.
func (r queryResolver) RateLimit(ctx context.Context) (*gql.RateLimit, error) {
	spent, _ := graphql.GetOperationContext(ctx).Stats.GetExtension((*meter)(nil).ExtensionName()).(*gql.RateLimit)
	return spent, nil
}
