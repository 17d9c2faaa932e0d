package peers

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// bucketsKept is how many tenants a Bucket remembers before it looks whose is full again.
const bucketsKept = 10_000

// Bucket is a budget of one process: the generic cell rate algorithm (GCRA) of ATM traffic
// management, ITU-T I.371, in its virtual scheduling form. Of each tenant it keeps one
// instant, that at which its bucket would be full again. It is safe for concurrent use.
type Bucket struct {
	rate Rate
	unit time.Duration // after which one more may be spent
	now  func() time.Time

	mu   sync.Mutex
	full map[graph.Tenant]time.Time
}

// NewBucket makes a budget; now is a clock for durations.
func NewBucket(r Rate, now func() time.Time) *Bucket {
	return &Bucket{rate: r, unit: time.Minute / time.Duration(r.Minute), now: now, full: map[graph.Tenant]time.Time{}}
}

// Spend takes the cost where it is granted. It never fails.
func (b *Bucket) Spend(_ context.Context, tenant graph.Tenant, cost int, _ bool) (resolvers.Spent, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	whole := time.Duration(b.rate.Burst) * b.unit
	full := b.full[tenant]
	if full.Before(now) {
		full = now
	}
	after := full.Add(time.Duration(cost) * b.unit)
	spent := resolvers.Spent{Limit: b.rate.Burst, Granted: !after.After(now.Add(whole))}
	if spent.Granted {
		full = after
		b.keep(tenant, full, now)
	} else if cost <= b.rate.Burst {
		spent.RetryAfter = after.Sub(now) - whole
	}
	spent.ResetAfter = full.Sub(now)
	spent.Remaining = int((whole - spent.ResetAfter) / b.unit)
	return spent, nil
}

// keep remembers when a tenant's bucket is full again, and forgets those that are.
func (b *Bucket) keep(tenant graph.Tenant, full, now time.Time) {
	if _, known := b.full[tenant]; !known && len(b.full) >= bucketsKept {
		maps.DeleteFunc(b.full, func(_ graph.Tenant, at time.Time) bool { return !at.After(now) })
	}
	b.full[tenant] = full
}
