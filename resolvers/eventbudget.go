package resolvers

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/somnograph/somnograph/resolvers/internal/limit"
)

const (
	// freeEvent is the price of an event of a subscription up to which it costs nothing: a memory with its entities.
	freeEvent = 60
	// eventShare is the part of the rate, as 1/eventShare, that the events of an account may take while operations leave less than half of
	// the limit.
	eventShare = 4
	// maxShares is the number of accounts that an eventShares keeps before it removes those that may pass.
	maxShares = 10_000
)

// InterceptOperation charges each event of a subscription beyond the first one, for which the operation paid, and lets it wait until it is granted.
func (m *meter) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	respond := next(ctx)
	if oc.Operation.Operation != ast.Subscription {
		return respond
	}
	cost := limit.Price(oc.Operation, oc.Variables)
	if cost <= freeEvent {
		return respond
	}
	c, first := caller(ctx), true
	return func(ctx context.Context) *graphql.Response {
		if !first && !m.await(ctx, Account{c.Tenant, c.Name}, cost) {
			return nil
		}
		first = false
		return respond(ctx)
	}
}

// await waits until the cost of an event is granted, or until ctx is done. It is not asked for before half of the limit is left to operations or
// the share of the events of the account is due. If the state of the budget is unknown, or the limit is below the cost, the event is granted.
func (m *meter) await(ctx context.Context, a Account, cost int) bool {
	for {
		spent, err := m.budget.Spend(ctx, a, 1, false) // what is left
		wait := spent.RetryAfter
		switch {
		case err != nil || spent.Unlimited || cost > spent.Limit:
			return ctx.Err() == nil
		case spent.Granted:
			if wait = m.events.wait(a, spent, cost, m.now()); wait == 0 {
				spent, err = m.budget.Spend(ctx, a, cost, false)
				if wait = spent.RetryAfter; err != nil || spent.Granted {
					return ctx.Err() == nil
				}
			}
		}
		timer := time.NewTimer(max(wait, time.Millisecond)) // a budget may say 0
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}

// eventShares says when the next event of an account may pass although operations have taken more than half of the limit. It is safe for
// concurrent use.
type eventShares struct {
	mu   sync.Mutex
	next map[Account]time.Time
}

// wait is the time until an event of a cost may be charged to an account with a state; 0: it may be now, and its share is taken if it needs it.
func (e *eventShares) wait(a Account, s BudgetState, cost int, now time.Time) time.Duration {
	half := s.untilHalf()
	if half == 0 {
		return 0
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if at, known := e.next[a]; known && at.After(now) {
		return min(half, at.Sub(now))
	}
	if e.next == nil {
		e.next = map[Account]time.Time{}
	}
	if len(e.next) >= maxShares {
		maps.DeleteFunc(e.next, func(_ Account, at time.Time) bool { return !at.After(now) })
	}
	e.next[a] = now.Add(eventShare * s.regain(cost))
	return 0
}

// untilHalf is the time until half of the limit is available.
func (s BudgetState) untilHalf() time.Duration {
	lack := s.Limit/2 - s.Remaining
	if lack <= 0 {
		return 0
	}
	return s.regain(lack)
}

// regain is the time in which a budget that is not full regains so many units.
func (s BudgetState) regain(units int) time.Duration {
	return time.Duration(float64(s.ResetAfter) * float64(units) / float64(s.Limit-s.Remaining))
}
