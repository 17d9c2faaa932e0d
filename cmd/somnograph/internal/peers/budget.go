package peers

import (
	"context"
	"time"

	"github.com/go-redis/redis_rate/v10"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// Rate is what a tenant may spend: so much a minute, and so much at once.
type Rate struct{ Minute, Burst int }

// budget is spent by all servers together, and by this one alone while Redis is away.
type budget struct {
	p       *Peers
	limiter *redis_rate.Limiter
	limit   redis_rate.Limit
	prefix  string
	alone   *Bucket
}

// Budget is what tenants may spend, whichever server they ask. While Redis is away each
// server grants the whole of it; what lets a model think waits until Redis is back.
func (p *Peers) Budget(r Rate, now func() time.Time) resolvers.Budget {
	return &budget{
		p: p, limiter: redis_rate.NewLimiter(p.client), limit: redis_rate.Limit{Rate: r.Minute, Burst: r.Burst, Period: time.Minute},
		prefix: p.prefix + ":budget:", alone: NewBucket(r, now),
	}
}

// Spend takes the cost where it is granted.
func (b *budget) Spend(ctx context.Context, tenant graph.Tenant, cost int, costly bool) (resolvers.Spent, error) {
	if cost > b.limit.Burst { // it would never be granted
		return resolvers.Spent{Limit: b.limit.Burst}, nil
	}
	if b.p.resting() && !costly {
		return b.alone.Spend(ctx, tenant, cost, costly)
	}
	asked, cancel := context.WithTimeout(ctx, b.p.patience)
	defer cancel()
	r, err := b.limiter.AllowN(asked, b.prefix+string(tenant), b.limit, cost)
	switch err := b.p.note(ctx, err); {
	case err != nil && costly:
		return resolvers.Spent{}, err
	case err != nil:
		return b.alone.Spend(ctx, tenant, cost, costly)
	}
	return resolvers.Spent{
		Granted: r.Allowed == cost, Limit: b.limit.Burst, Remaining: r.Remaining, RetryAfter: max(0, r.RetryAfter), ResetAfter: r.ResetAfter,
	}, nil
}
