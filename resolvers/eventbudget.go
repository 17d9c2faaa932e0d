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
	// principalLimit is the name of the limit of a principal.
	principalLimit = "rate.principal"
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

// await waits until the cost of an event is granted, or until ctx is done. It asks for the cost once half of the limit is left to operations.
// Until then the event pays in parts from the share of the events of its account. If the state of the budget is unknown, or the limit is below
// the cost, the event is granted.
func (m *meter) await(ctx context.Context, a Account, cost int) bool {
	for left := cost; ; {
		spent, err := m.budget.Spend(ctx, a, 1, false) // what is left
		wait := spent.RetryAfter
		switch {
		case err != nil || spent.Unlimited || cost > spent.Limit:
			return ctx.Err() == nil
		case spent.Granted:
			part := left
			if wait = spent.untilHalf(); wait > 0 {
				part, wait = m.events.part(a, spent, left, wait, m.now())
			}
			if part == 0 {
				break
			}
			paid, err := m.budget.Spend(ctx, a, part, false)
			if err != nil {
				return ctx.Err() == nil
			}
			if paid.Granted {
				left -= part
			}
			if left == 0 {
				return ctx.Err() == nil
			}
			wait = max(wait, paid.RetryAfter)
		}
		timer := time.NewTimer(max(wait, leastWait))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}

// leastWait is the least time between two looks at a budget: one that is empty regains some units meanwhile.
const leastWait = 20 * time.Millisecond

// eventShares says when the next event of an account may pay although operations have taken more than half of the limit. It is safe for
// concurrent use.
type eventShares struct {
	mu   sync.Mutex
	next map[Account]time.Time
}

// part is what an event with so much left to pay may pay now of an account with a state, and the time until it may pay more. half is the time
// until half of the limit is left.
func (e *eventShares) part(a Account, s BudgetState, left int, half time.Duration, now time.Time) (part int, wait time.Duration) {
	if s.Name != principalLimit {
		a.Principal = "" // the events of a tenant share what its limit regains
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if at, known := e.next[a]; known && at.After(now) {
		return 0, min(half, at.Sub(now))
	}
	if part = min(left, s.Remaining); part == 0 {
		return 0, 0
	}
	if e.next == nil {
		e.next = map[Account]time.Time{}
	}
	if len(e.next) >= maxShares {
		maps.DeleteFunc(e.next, func(_ Account, at time.Time) bool { return !at.After(now) })
	}
	wait = eventShare * s.regain(part)
	e.next[a] = now.Add(wait)
	return part, min(half, wait)
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
