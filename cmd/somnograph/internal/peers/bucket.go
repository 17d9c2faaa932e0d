package peers

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// maxIdleTenants is how many tenants a Bucket keeps before it removes those with a full bucket.
const maxIdleTenants = 10_000

// Bucket is the rate limit of one process: the generic cell rate algorithm (GCRA) of ATM
// traffic management, ITU-T I.371, in its virtual scheduling form. For each tenant it keeps
// one instant, at which the bucket would be full again. It is safe for concurrent use.
type Bucket struct {
	rates Rates
	now   func() time.Time

	mu     sync.Mutex
	fullAt map[graph.Tenant]time.Time
}

// NewBucket makes a bucket; now is a clock for durations.
func NewBucket(r Rates, now func() time.Time) *Bucket {
	return &Bucket{rates: r, now: now, fullAt: map[graph.Tenant]time.Time{}}
}

// Spend takes the cost if it is granted. It never fails.
func (b *Bucket) Spend(ctx context.Context, tenant graph.Tenant, cost int, _ bool) (resolvers.BudgetState, error) {
	rate := b.rates(ctx, tenant)
	if rate.Minute == 0 {
		return unlimited(), nil
	}
	interval := time.Minute / time.Duration(rate.Minute) // time to regain one unit
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	window := time.Duration(rate.Burst) * interval
	fullAt := b.fullAt[tenant]
	if fullAt.Before(now) {
		fullAt = now
	}
	after := fullAt.Add(time.Duration(cost) * interval)
	spent := resolvers.BudgetState{Limit: rate.Burst, Granted: !after.After(now.Add(window))}
	if spent.Granted {
		fullAt = after
		b.keep(tenant, fullAt, now)
	} else if cost <= rate.Burst {
		spent.RetryAfter = after.Sub(now) - window
	}
	spent.ResetAfter = fullAt.Sub(now)
	spent.Remaining = max(0, int((window-spent.ResetAfter)/interval)) // the rate may have been larger
	return spent, nil
}

// keep stores when a tenant's bucket is full again, and removes full buckets.
func (b *Bucket) keep(tenant graph.Tenant, fullAt, now time.Time) {
	if _, known := b.fullAt[tenant]; !known && len(b.fullAt) >= maxIdleTenants {
		maps.DeleteFunc(b.fullAt, func(_ graph.Tenant, at time.Time) bool { return !at.After(now) })
	}
	b.fullAt[tenant] = fullAt
}
