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

// fund is a budget of 60,000 units a minute.
type fund struct{ fullAt time.Time }

func (f *fund) Spend(_ context.Context, _ Account, cost int, _ bool) (BudgetState, error) {
	const size = 60_000
	now := time.Now()
	if f.fullAt.Before(now) {
		f.fullAt = now
	}
	s := BudgetState{Limit: size, Granted: int(f.fullAt.Sub(now)/time.Millisecond)+cost <= size}
	if s.Granted {
		f.fullAt = f.fullAt.Add(time.Duration(cost) * time.Millisecond)
	} else {
		s.RetryAfter = f.fullAt.Sub(now) + time.Duration(cost-size)*time.Millisecond
	}
	s.ResetAfter = f.fullAt.Sub(now)
	s.Remaining = size - int(s.ResetAfter/time.Millisecond)
	return s, nil
}

// Operations that always leave less than half of the budget do not stop the events of their principal: these take a quarter of the rate.
func TestEventsPassBesideOperations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fund{fullAt: time.Now().Add(40 * time.Second)} // a third is left
		m := &meter{budget: f, now: time.Now}
		began, passed := time.Now(), 0
		for time.Since(began) < time.Minute {
			if !m.await(t.Context(), Account{Principal: "ana"}, 100) {
				t.Fatal("an event was not granted")
			}
			passed++
			if lack := time.Until(f.fullAt); lack < 40*time.Second { // the operations take what is regained
				f.fullAt = time.Now().Add(40 * time.Second)
			}
		}
		if passed < 140 || passed > 160 {
			t.Errorf("%d events of 100 units pass in a minute that regains 60,000 units, want about 150", passed)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if m.await(ended, Account{Principal: "ana"}, 100) {
			t.Error("an event of a stream that has ended is granted")
		}
	})
}
