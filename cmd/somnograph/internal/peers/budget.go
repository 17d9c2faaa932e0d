package peers

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/go-redis/redis_rate/v10"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// Rate is a limit: units per minute, and at once. Minute 0: there is none.
type Rate struct {
	Name          string // of the limit, for errors
	Minute, Burst int
}

// Rates returns the rates of a tenant, and of each of its principals.
type Rates func(ctx context.Context, tenant graph.Tenant) (all, each Rate)

// Everybody is the same rate for all tenants, and none for their principals.
func (r Rate) Everybody() Rates {
	return func(context.Context, graph.Tenant) (all, each Rate) { return r, Rate{} }
}

// account is one that pays, with its rate.
type account struct {
	key string
	Rate
}

// accounts are those that pay for a, without those that have no limit.
func (r Rates) accounts(ctx context.Context, a resolvers.Account) []account {
	all, each := r(ctx, a.Tenant)
	// The tenant is checked first, so that a refusal by it takes nothing from the principal.
	both := []account{{string(a.Tenant), all}, {string(a.Tenant) + "\x00" + a.Principal, each}}
	return slices.DeleteFunc(both, func(x account) bool { return x.Minute == 0 })
}

// unlimited is the state of a budget without a limit.
func unlimited() resolvers.BudgetState { return resolvers.BudgetState{Granted: true, Unlimited: true} }

// tightest is the state that a caller gets of those of its accounts: the first that refused, or the
// one with the least left.
func tightest(states []resolvers.BudgetState) resolvers.BudgetState {
	if len(states) == 0 {
		return unlimited()
	}
	return slices.MinFunc(states, func(a, b resolvers.BudgetState) int {
		return cmp.Or(refused(b)-refused(a), cmp.Compare(b.RetryAfter, a.RetryAfter), cmp.Compare(a.Remaining, b.Remaining))
	})
}

// refused is 2 for a state that can never grant the cost, 1 for one that does not now, else 0.
func refused(s resolvers.BudgetState) int {
	switch {
	case s.Granted:
		return 0
	case s.RetryAfter > 0:
		return 1
	}
	return 2
}

// sharedBudget is the limit over all servers, or of this one alone while Redis is unavailable.
type sharedBudget struct {
	peers   *Peers
	limiter *redis_rate.Limiter
	rates   Rates
	prefix  string
	local   *Bucket
}

// Budget limits tenants and principals over all servers together. While Redis is unavailable each
// server grants the whole limit by itself, and requests that call a paid model are refused.
func (p *Peers) Budget(r Rates, now func() time.Time) resolvers.Budget {
	return &sharedBudget{
		peers: p, limiter: redis_rate.NewLimiter(p.client), rates: r,
		prefix: p.prefix + ":budget:", local: NewBucket(r, now),
	}
}

// Spend takes the cost if it is granted.
func (b *sharedBudget) Spend(ctx context.Context, a resolvers.Account, cost int, costly bool) (resolvers.BudgetState, error) {
	accounts := b.rates.accounts(ctx, a)
	if len(accounts) == 0 {
		return unlimited(), nil
	}
	for _, x := range accounts {
		if cost > x.Burst { // it would never be granted
			return resolvers.BudgetState{Name: x.Name, Limit: x.Burst}, nil
		}
	}
	if b.peers.skipOptional() && !costly {
		return b.local.Spend(ctx, a, cost, costly)
	}
	asked, cancel := context.WithTimeout(ctx, b.peers.callTimeout)
	defer cancel()
	spent, err := b.spendShared(asked, accounts, cost)
	switch err := b.peers.noteOutcome(ctx, err); {
	case err != nil && costly:
		return resolvers.BudgetState{}, err
	case err != nil:
		return b.local.Spend(ctx, a, cost, costly)
	}
	return spent, nil
}

// spendShared takes the cost from each account in turn. If one refuses, those before it get theirs
// back.
func (b *sharedBudget) spendShared(ctx context.Context, accounts []account, cost int) (resolvers.BudgetState, error) {
	var states []resolvers.BudgetState
	for i, x := range accounts {
		r, err := b.allow(ctx, x, cost)
		if err != nil {
			return resolvers.BudgetState{}, err
		}
		states = append(states, resolvers.BudgetState{
			Name: x.Name, Granted: r.Allowed == cost, Limit: x.Burst, Remaining: r.Remaining, RetryAfter: max(0, r.RetryAfter), ResetAfter: r.ResetAfter,
		})
		if r.Allowed == cost {
			continue
		}
		for _, paid := range accounts[:i] {
			if _, err := b.allow(ctx, paid, -cost); err != nil {
				return resolvers.BudgetState{}, err
			}
		}
		break
	}
	return tightest(states), nil
}

// allow takes n units from an account, or gives them back if n is negative.
func (b *sharedBudget) allow(ctx context.Context, x account, n int) (*redis_rate.Result, error) {
	return b.limiter.AllowN(ctx, b.prefix+x.key, redis_rate.Limit{Rate: x.Minute, Burst: x.Burst, Period: time.Minute}, n)
}
