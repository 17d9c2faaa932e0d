package peers

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

var began = time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)

// of is the account of the only principal of a tenant.
func of(name graph.Tenant) resolvers.Account {
	return resolvers.Account{Tenant: name, Principal: "somebody"}
}

// Over any span of time a tenant is granted no more than its burst and what came in meanwhile,
// whatever other tenants spend. A request that waits as long as it was told is granted, and
// the reported rest can be spent.
func TestBucketGrantsNoMoreThanItsRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rate{Minute: rapid.IntRange(1, 10_000).Draw(t, "a minute"), Burst: rapid.IntRange(1, 500).Draw(t, "at once")}
		now := began
		interval := time.Minute / time.Duration(r.Minute)
		b := NewBucket(r.Everybody(), func() time.Time { return now })
		if other, _ := b.Spend(t.Context(), of("other"), r.Burst, false); !other.Granted || other.Remaining != 0 {
			t.Fatalf("another tenant: %+v", other)
		}
		granted := 0
		for range rapid.IntRange(1, 60).Draw(t, "asks") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "pause")))
			cost := rapid.IntRange(1, 2*r.Burst).Draw(t, "cost")
			s, err := b.Spend(t.Context(), of("default"), cost, false)
			if err != nil {
				t.Fatal(err)
			}
			if s.Limit != r.Burst || s.Remaining < 0 || s.Remaining > r.Burst || s.ResetAfter < 0 || s.ResetAfter > time.Duration(r.Burst)*interval {
				t.Fatalf("%+v", s)
			}
			if s.Granted {
				granted += cost
			}
			if in := int(now.Sub(began)/interval) + r.Burst; granted > in {
				t.Fatalf("granted %d of %d", granted, in)
			}
			if cost > r.Burst && (s.Granted || s.RetryAfter != 0) {
				t.Fatalf("more than can be spent at once: %+v", s)
			}
			if cost <= r.Burst && !s.Granted {
				if s.RetryAfter <= 0 || cost <= s.Remaining {
					t.Fatalf("%d is refused: %+v", cost, s)
				}
				now = now.Add(s.RetryAfter)
				if again, _ := b.Spend(t.Context(), of("default"), cost, false); !again.Granted {
					t.Fatalf("refused after %v: %+v", s.RetryAfter, again)
				}
				granted += cost
			}
		}
	})
}

func TestBucketRemovesFullTenants(t *testing.T) {
	now := began
	b := NewBucket(Rate{Minute: 60, Burst: 10}.Everybody(), func() time.Time { return now })
	for i := range maxIdle {
		if s, _ := b.Spend(t.Context(), of(graph.Tenant(fmt.Sprint("t", i))), 1, false); !s.Granted {
			t.Fatal("refused")
		}
	}
	now = now.Add(time.Minute)
	if s, _ := b.Spend(t.Context(), of("new"), 1, false); !s.Granted || len(b.fullAt) != 1 {
		t.Errorf("%d tenants are remembered", len(b.fullAt))
	}
}

// A tenant has the rate of its own, one without a rate has no limit, and a new rate holds at once.
func TestBucketOfRatesByTenant(t *testing.T) {
	now := began
	rates := map[graph.Tenant]Rate{"small": {Minute: 60, Burst: 2}, "large": {Minute: 600, Burst: 100}}
	b := NewBucket(func(_ context.Context, name graph.Tenant) (Rate, Rate) { return rates[name], Rate{} }, func() time.Time { return now })
	spend := func(name graph.Tenant, cost int) resolvers.BudgetState {
		s, err := b.Spend(t.Context(), of(name), cost, false)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := spend("small", 2); !s.Granted || s.Remaining != 0 {
		t.Errorf("small: %+v", s)
	}
	if s := spend("small", 1); s.Granted || s.RetryAfter != time.Second {
		t.Errorf("small again: %+v", s)
	}
	if s := spend("large", 100); !s.Granted {
		t.Errorf("large: %+v", s)
	}
	if s := spend("free", 1_000_000); !s.Granted || !s.Unlimited {
		t.Errorf("without a rate: %+v", s)
	}
	rates["large"] = Rate{Minute: 60, Burst: 1}
	if s := spend("large", 1); s.Granted || s.Remaining != 0 {
		t.Errorf("large with a smaller rate: %+v", s)
	}
}

// A principal has a limit of its own besides that of its tenant. The state names the limit that
// refused, and what one of them refuses costs neither anything.
func TestBucketOfPrincipals(t *testing.T) {
	now := began
	limits := func(context.Context, graph.Tenant) (all, each Rate) {
		return Rate{Name: "rate.limit", Minute: 60, Burst: 10}, Rate{Name: "rate.principal", Minute: 60, Burst: 6}
	}
	b := NewBucket(limits, func() time.Time { return now })
	for i, c := range []struct {
		who       string
		cost      int
		granted   bool
		limit     string
		remaining int
		retry     time.Duration
	}{
		{"ana", 4, true, "rate.principal", 2, 0},
		{"ana", 3, false, "rate.principal", 2, time.Second},
		{"ana", 7, false, "rate.principal", 2, 0},
		{"bo", 6, true, "rate.limit", 0, 0},
		{"ana", 2, false, "rate.limit", 0, 2 * time.Second},
		{"cleo", 1, false, "rate.limit", 0, time.Second},
	} {
		s, err := b.Spend(t.Context(), resolvers.Account{Tenant: "default", Principal: c.who}, c.cost, false)
		if err != nil || s.Granted != c.granted || s.Name != c.limit || s.Remaining != c.remaining || s.RetryAfter != c.retry {
			t.Errorf("%d: %s spends %d: %+v, %v", i, c.who, c.cost, s, err)
		}
	}
	now = now.Add(2 * time.Second)
	if s, _ := b.Spend(t.Context(), resolvers.Account{Tenant: "default", Principal: "ana"}, 2, false); !s.Granted {
		t.Errorf("ana after two seconds: %+v", s)
	}
}
