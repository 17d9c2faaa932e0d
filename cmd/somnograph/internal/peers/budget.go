package peers

import (
	"context"
	"time"

	"github.com/go-redis/redis_rate/v10"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// Rate is a tenant's limit: units per minute, and at once. Minute 0: there is none.
type Rate struct{ Minute, Burst int }

// Rates returns the rate of a tenant.
type Rates func(context.Context, graph.Tenant) Rate

// Everybody is the same rate for all tenants.
func (r Rate) Everybody() Rates { return func(context.Context, graph.Tenant) Rate { return r } }

// unlimited is the state of a budget without a limit.
func unlimited() resolvers.BudgetState { return resolvers.BudgetState{Granted: true, Unlimited: true} }

// sharedBudget is the limit over all servers, or of this one alone while Redis is unavailable.
type sharedBudget struct {
	peers   *Peers
	limiter *redis_rate.Limiter
	rates   Rates
	prefix  string
	local   *Bucket
}

// Budget limits tenants over all servers together. While Redis is unavailable each server
// grants the whole limit by itself, and requests that call a paid model are refused.
func (p *Peers) Budget(r Rates, now func() time.Time) resolvers.Budget {
	return &sharedBudget{
		peers: p, limiter: redis_rate.NewLimiter(p.client), rates: r,
		prefix: p.prefix + ":budget:", local: NewBucket(r, now),
	}
}

// Spend takes the cost if it is granted.
func (b *sharedBudget) Spend(ctx context.Context, tenant graph.Tenant, cost int, costly bool) (resolvers.BudgetState, error) {
	rate := b.rates(ctx, tenant)
	limit := redis_rate.Limit{Rate: rate.Minute, Burst: rate.Burst, Period: time.Minute}
	switch {
	case rate.Minute == 0:
		return unlimited(), nil
	case cost > limit.Burst: // it would never be granted
		return resolvers.BudgetState{Limit: limit.Burst}, nil
	}
	if b.peers.skipOptional() && !costly {
		return b.local.Spend(ctx, tenant, cost, costly)
	}
	asked, cancel := context.WithTimeout(ctx, b.peers.callTimeout)
	defer cancel()
	r, err := b.limiter.AllowN(asked, b.prefix+string(tenant), limit, cost)
	switch err := b.peers.noteOutcome(ctx, err); {
	case err != nil && costly:
		return resolvers.BudgetState{}, err
	case err != nil:
		return b.local.Spend(ctx, tenant, cost, costly)
	}
	return resolvers.BudgetState{
		Granted: r.Allowed == cost, Limit: limit.Burst, Remaining: r.Remaining, RetryAfter: max(0, r.RetryAfter), ResetAfter: r.ResetAfter,
	}, nil
}
