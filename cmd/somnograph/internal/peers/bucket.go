package peers

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/somnograph/somnograph/resolvers"
)

// maxIdle is how many buckets a Bucket keeps before it removes full ones.
const maxIdle = 10_000

// Bucket is the rate limit of one process: the generic cell rate algorithm (GCRA) of ATM
// traffic management, ITU-T I.371, in its virtual scheduling form. For each tenant and principal it
// keeps one instant, at which the bucket would be full again. It is safe for concurrent use.
type Bucket struct {
	rates Rates
	now   func() time.Time

	mu     sync.Mutex
	fullAt map[string]time.Time
}

// NewBucket makes a bucket; now is a clock for durations.
func NewBucket(r Rates, now func() time.Time) *Bucket {
	return &Bucket{rates: r, now: now, fullAt: map[string]time.Time{}}
}

// Spend takes the cost if tenant and principal both have it. It never fails.
func (b *Bucket) Spend(ctx context.Context, a resolvers.Account, cost int, _ bool) (resolvers.BudgetState, error) {
	accounts := b.rates.accounts(ctx, a)
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	granted := true
	for _, x := range accounts {
		granted = granted && x.after(b.fullAt[x.key], now, cost).Granted
	}
	states := make([]resolvers.BudgetState, len(accounts))
	for i, x := range accounts {
		if states[i] = x.after(b.fullAt[x.key], now, cost); granted {
			b.keep(x.key, now.Add(states[i].ResetAfter), now)
		}
	}
	return tightest(states), nil
}

// after is the state after a Spend of an account whose bucket would be full at an instant.
func (x account) after(fullAt, now time.Time, cost int) resolvers.BudgetState {
	interval := time.Minute / time.Duration(x.Minute) // time to regain one unit
	window := time.Duration(x.Burst) * interval
	if fullAt.Before(now) {
		fullAt = now
	}
	after := fullAt.Add(time.Duration(cost) * interval)
	spent := resolvers.BudgetState{Name: x.Name, Limit: x.Burst, Granted: !after.After(now.Add(window))}
	if spent.Granted {
		fullAt = after
	} else if cost <= x.Burst {
		spent.RetryAfter = after.Sub(now) - window
	}
	spent.ResetAfter = fullAt.Sub(now)
	spent.Remaining = max(0, int((window-spent.ResetAfter)/interval)) // the rate may have been larger
	return spent
}

// keep stores when an account's bucket is full again, and removes full buckets.
func (b *Bucket) keep(key string, fullAt, now time.Time) {
	if _, known := b.fullAt[key]; !known && len(b.fullAt) >= maxIdle {
		maps.DeleteFunc(b.fullAt, func(_ string, at time.Time) bool { return !at.After(now) })
	}
	b.fullAt[key] = fullAt
}
