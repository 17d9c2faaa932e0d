package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers"
)

// purse is a budget that is never refilled.
type purse struct {
	mu     sync.Mutex
	left   int
	size   int
	away   bool
	thinks []bool // the costly argument of each Spend
}

func (p *purse) Spend(_ context.Context, a resolvers.Account, cost int, costly bool) (resolvers.BudgetState, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.Tenant != "default" || a.Principal != engine.Loopback().Name {
		return resolvers.BudgetState{}, fmt.Errorf("account %+v", a)
	}
	p.thinks = append(p.thinks, costly)
	if p.away && costly {
		return resolvers.BudgetState{}, errors.New("away")
	}
	granted := cost <= p.left
	if granted {
		p.left -= cost
	}
	return resolvers.BudgetState{Granted: granted, Name: "rate.principal", Limit: p.size, Remaining: p.left, RetryAfter: 2300 * time.Millisecond, ResetAfter: time.Minute}, nil
}

func TestOperationsPayByTheirCost(t *testing.T) {
	p := &purse{left: 100, size: 100}
	s := start(t, func(c *resolvers.Config) { c.Budget = p })
	limit := s.must(`{ rateLimit { limit cost remaining resetAt } whoami { name } }`, nil).Data["rateLimit"].(map[string]any)
	at, err := time.Parse(time.RFC3339, fmt.Sprint(limit["resetAt"]))
	if err != nil || time.Until(at) > time.Minute || fmt.Sprint(limit["limit"], limit["cost"], limit["remaining"]) != "100 2 98" {
		t.Errorf("rateLimit is %v, %v", limit, err)
	}
	s.must(`{ memories(first: 16) { nodes { id } } }`, nil) // a connection with 16 memories of cost 5
	for _, c := range []struct {
		name, query, code string
		status            int
		retry             any
	}{
		{"above the remaining budget", `{ memories(first: 16) { nodes { id } } }`, "RATE_LIMITED", http.StatusTooManyRequests, 3.0},
		{"what can never be spent", `{ memories(first: 100) { nodes { id } } }`, "LIMIT_EXCEEDED", http.StatusOK, nil},
	} {
		a := s.ask(c.query, nil)
		if a.code() != c.code || a.Status != c.status || a.Data != nil || a.Errors[0].Extensions["retryAfter"] != c.retry || a.Errors[0].Extensions["field"] != "rate.principal" {
			t.Errorf("%s answers %d %s", c.name, a.Status, a.Body)
		}
		if got := a.Header.Get("Retry-After"); (got == "3") != (c.retry != nil) {
			t.Errorf("%s: Retry-After is %q", c.name, got)
		}
	}
}

func TestCostlyOperationsFailIfTheBudgetIsUnknown(t *testing.T) {
	p := &purse{left: 10_000, size: 10_000, away: true}
	s := start(t, func(c *resolvers.Config) { c.Budget = p })
	for _, c := range []struct {
		query string
		vars  vars
		code  string
	}{
		{`{ search(input: {query: "tea"}) { hits { score } } }`, nil, ""},
		{`query($i: SearchInput!) { search(input: $i) { hits { score } } }`, vars{"i": vars{"query": "tea", "effort": "FAST"}}, ""},
		{`query($i: SearchInput!) { search(input: $i) { hits { score } } }`, vars{"i": vars{"query": "tea", "effort": "ACCURATE"}}, "UNAVAILABLE"},
		{`{ search(input: {query: "tea", effort: ACCURATE}) { hits { score } } }`, nil, "UNAVAILABLE"},
		{`mutation { sleep { report { id } } }`, nil, "UNAVAILABLE"},
		{`{ health { score } }`, nil, ""},
	} {
		if a := s.ask(c.query, c.vars); a.code() != c.code {
			t.Errorf("%s answers %s", c.query, a.Body)
		}
	}
}

func TestNoRateLimitWithoutABudget(t *testing.T) {
	s := start(t)
	if got := s.must(`{ rateLimit { limit } }`, nil).Data["rateLimit"]; got != nil {
		t.Errorf("rateLimit is %v", got)
	}
}

// Each event of an expensive subscription is paid for, and waits until the budget has its price. Those of a simple one cost nothing.
func TestEventsPayByTheirCost(t *testing.T) {
	p := &purse{left: 1000, size: 1000}
	s := start(t, func(c *resolvers.Config) { c.Budget = p })
	for i := range 4 {
		s.remember(fmt.Sprintf("Pier %d is open.", i), nil)
	}
	left := func(n int) (before int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		before, p.left = p.left, n
		return before
	}
	left(100)
	simple := s.stream("", `subscription { memoryEvents(after: "AXYAAAAAAAAAAA") { id memory { content } } }`)
	for range 4 {
		<-simple
	}
	if now := left(100); now != 94 {
		t.Errorf("%d of 100 are left after a subscription of price 6 and its four events", now)
	}
	left(1000)
	dear := s.stream("", `subscription { memoryEvents(after: "AXYAAAAAAAAAAA") { id memory { document { memories(first: 20) { id } } } } }`) // 1 + 5 + 1 + 5 * 20
	for range 4 {
		if m := <-dear; !strings.Contains(m, `"id"`) {
			t.Errorf("an event: %s", m)
		}
	}
	if now := left(100); now > 1000-4*107 {
		t.Errorf("%d of 1,000 are left after a subscription of price 107 and three more events", now)
	}
}
