package resolvers

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// An expensive event waits until half of the budget is left to operations.
func TestEventsLeaveHalfOfTheBudget(t *testing.T) {
	for left, want := range map[int]time.Duration{1000: 0, 500: 0, 400: 6 * time.Second, 0: 30 * time.Second} {
		s := BudgetState{Granted: true, Limit: 1000, Remaining: left, ResetAfter: time.Minute * time.Duration(1000-left) / 1000}
		if got := s.untilHalf(); got.Round(time.Millisecond) != want {
			t.Errorf("with %d of 1,000 left: %s, want %s", left, got, want)
		}
	}
}

// fund is a budget of 60,000 units a minute, of which operations take what is regained as long as it would be full before used.
type fund struct {
	fullAt time.Time
	used   time.Duration
}

func (f *fund) Spend(_ context.Context, _ Account, cost int, _ bool) (BudgetState, error) {
	const size = 60_000
	now := time.Now()
	if f.fullAt.Before(now.Add(f.used)) {
		f.fullAt = now.Add(f.used)
	}
	s := BudgetState{Name: principalLimit, Limit: size, Granted: int(f.fullAt.Sub(now)/time.Millisecond)+cost <= size}
	if s.Granted {
		f.fullAt = f.fullAt.Add(time.Duration(cost) * time.Millisecond)
	} else {
		s.RetryAfter = f.fullAt.Sub(now) + time.Duration(cost-size)*time.Millisecond
	}
	s.ResetAfter = f.fullAt.Sub(now)
	s.Remaining = size - int(s.ResetAfter/time.Millisecond)
	return s, nil
}

// Operations that always leave less than half of the budget, or nearly nothing, do not stop the events of their principal: these take a quarter
// of the rate.
func TestEventsPassBesideOperations(t *testing.T) {
	for name, x := range map[string]struct {
		full        time.Duration // what the operations leave the budget with: the time until it is full again
		cost        int
		least, most int
	}{
		"a third is left":         {40 * time.Second, 100, 130, 160},
		"nearly nothing is left":  {59950 * time.Millisecond, 100, 100, 160},
		"less than an event left": {59950 * time.Millisecond, 1000, 10, 16},
	} {
		synctest.Test(t, func(t *testing.T) {
			m := &meter{budget: &fund{used: x.full}, now: time.Now}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			passed := 0
			for m.await(ctx, Account{Principal: "ana"}, x.cost) {
				passed++
			}
			if passed < x.least || passed > x.most {
				t.Errorf("%s: %d events of %d units pass in a minute that regains 60,000 units, want %d to %d", name, passed, x.cost, x.least, x.most)
			}
		})
	}
}
