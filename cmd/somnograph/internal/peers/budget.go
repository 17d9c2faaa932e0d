package peers

import (
	"context"
	"time"

	"github.com/go-redis/redis_rate/v10"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// Rate is a tenant's limit: units per minute, and at once.
type Rate struct{ Minute, Burst int }

// sharedBudget is the limit over all servers, or of this one alone while Redis is unavailable.
type sharedBudget struct {
	peers   *Peers
	limiter *redis_rate.Limiter
	limit   redis_rate.Limit
	prefix  string
	local   *Bucket
}

// Budget limits tenants over all servers together. While Redis is unavailable each server
// grants the whole limit by itself, and requests that call a paid model are refused.
func (p *Peers) Budget(r Rate, now func() time.Time) resolvers.Budget {
	return &sharedBudget{
		peers: p, limiter: redis_rate.NewLimiter(p.client), limit: redis_rate.Limit{Rate: r.Minute, Burst: r.Burst, Period: time.Minute},
		prefix: p.prefix + ":budget:", local: NewBucket(r, now),
	}
}

// Spend takes the cost if it is granted.
func (b *sharedBudget) Spend(ctx context.Context, tenant graph.Tenant, cost int, costly bool) (resolvers.BudgetState, error) {
	if cost > b.limit.Burst { // it would never be granted
		return resolvers.BudgetState{Limit: b.limit.Burst}, nil
	}
	if b.peers.skipOptional() && !costly {
		return b.local.Spend(ctx, tenant, cost, costly)
	}
	asked, cancel := context.WithTimeout(ctx, b.peers.callTimeout)
	defer cancel()
	r, err := b.limiter.AllowN(asked, b.prefix+string(tenant), b.limit, cost)
	switch err := b.peers.noteOutcome(ctx, err); {
	case err != nil && costly:
		return resolvers.BudgetState{}, err
	case err != nil:
		return b.local.Spend(ctx, tenant, cost, costly)
	}
	return resolvers.BudgetState{
		Granted: r.Allowed == cost, Limit: b.limit.Burst, Remaining: r.Remaining, RetryAfter: max(0, r.RetryAfter), ResetAfter: r.ResetAfter,
	}, nil
}
