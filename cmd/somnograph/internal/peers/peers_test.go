package peers

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/redistest"
	"github.com/somnograph/somnograph/resolvers"
)

const longTimeout = 2 * time.Minute // longer than anything here takes

// line opens a connection that ends with the test; the channel receives the announced tenants.
// A call that a slow machine delays does not make Redis unavailable.
func line(t *testing.T, addr string, logger *slog.Logger) (*Peers, <-chan graph.Tenant) {
	t.Helper()
	p := open(Options{Addr: addr, Prefix: t.Name(), Logger: logger, Now: time.Now}, longTimeout)
	heard := make(chan graph.Tenant, 1000)
	p.Listen(func(tenant graph.Tenant) {
		select {
		case heard <- tenant:
		default:
		}
	})
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, heard
}

// waitForAnnouncement announces until the other server receives it: a message is lost if the other does not listen yet.
func waitForAnnouncement(t *testing.T, p *Peers, heard <-chan graph.Tenant, tenant graph.Tenant) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case got := <-heard:
			if got == tenant {
				return
			}
		case <-tick.C:
			p.Announce(tenant)
		case <-ctx.Done():
			t.Fatalf("%s was not received", tenant)
		}
	}
}

// Announcements reach every server, also after Redis was killed and came back empty. No call
// waits for an unavailable Redis.
func TestAnnouncementsReachEveryServer(t *testing.T) {
	r := redistest.Start(t)
	var log lockedText
	a, atA := line(t, r.Addr, slog.New(slog.NewTextHandler(&log, nil)))
	b, atB := line(t, r.Addr, nil)
	waitForAnnouncement(t, a, atB, "ana")
	waitForAnnouncement(t, b, atA, "ben")
	if err := a.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	r.Kill()
	for range 1000 {
		a.Announce("ana") // would take minutes if it waited
	}
	if err := a.Ready(t.Context()); err == nil {
		t.Error("ready without Redis")
	}
	r.Restart()
	waitForAnnouncement(t, a, atB, "cleo")
	waitForAnnouncement(t, b, atA, "dora")
	if err := a.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if said := log.String(); strings.Count(said, "does not answer") != 1 || strings.Count(said, "is back") != 1 {
		t.Errorf("the log says\n%s", said)
	}
}

// Servers share one rate limit. While Redis is unavailable each applies it by itself, and
// requests that call a model are refused.
func TestServersShareARateLimit(t *testing.T) {
	r := redistest.Start(t)
	rate := Rate{Name: "rate.limit", Minute: 60, Burst: 100}
	now := began
	var budgets []resolvers.Budget
	for range 2 {
		p, _ := line(t, r.Addr, nil)
		budgets = append(budgets, p.Budget(rate.Everybody(), func() time.Time { return now }))
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	granted := 0
	for i := range 40 { // 200 units in all
		wg.Go(func() {
			s, err := budgets[i%2].Spend(t.Context(), of("ana"), 5, true)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				t.Error(err)
			case s.Granted:
				granted += 5
			case s.RetryAfter <= 0 || s.RetryAfter > 5*time.Second || s.Limit != 100:
				t.Errorf("%+v", s)
			}
		})
	}
	wg.Wait()
	if granted < 100 || granted > 130 { // one comes in each second meanwhile
		t.Errorf("granted %d of 100", granted)
	}
	if s, err := budgets[0].Spend(t.Context(), of("ana"), 101, false); err != nil || s.Granted || s.Limit != 100 {
		t.Errorf("more than can ever be spent: %+v, %v", s, err)
	}
	if s, err := budgets[1].Spend(t.Context(), of("ben"), 100, false); err != nil || !s.Granted || s.ResetAfter < time.Minute {
		t.Errorf("another tenant: %+v, %v", s, err)
	}
	r.Kill()
	for i, b := range budgets {
		if s, err := b.Spend(t.Context(), of("ana"), 100, false); err != nil || !s.Granted {
			t.Errorf("server %d alone: %+v, %v", i, s, err)
		}
		if s, err := b.Spend(t.Context(), of("ana"), 1, false); err != nil || s.Granted || s.RetryAfter != time.Second {
			t.Errorf("server %d alone, again: %+v, %v", i, s, err)
		}
		if _, err := b.Spend(t.Context(), of("ben"), 1, true); err == nil {
			t.Errorf("server %d grants a costly request without Redis", i)
		}
	}
	r.Restart()
	for i, b := range budgets {
		if s, err := b.Spend(t.Context(), of("ben"), 1, true); err != nil || !s.Granted {
			t.Errorf("server %d with Redis back: %+v, %v", i, s, err)
		}
	}
}

// Servers share the limits of principals too. What a principal may not spend is given back to its
// tenant.
func TestServersShareLimitsOfPrincipals(t *testing.T) {
	r := redistest.Start(t)
	limits := func(context.Context, graph.Tenant) (all, each Rate) {
		return Rate{Name: "rate.limit", Minute: 1, Burst: 10}, Rate{Name: "rate.principal", Minute: 1, Burst: 6}
	}
	var budgets []resolvers.Budget
	for range 2 {
		p, _ := line(t, r.Addr, nil)
		budgets = append(budgets, p.Budget(limits, time.Now))
	}
	for i, c := range []struct {
		who     string
		cost    int
		granted bool
		limit   string
	}{
		{"ana", 4, true, "rate.principal"},
		{"ana", 4, false, "rate.principal"}, // takes nothing of the tenant
		{"bo", 6, true, "rate.limit"},
		{"bo", 1, false, "rate.limit"},
		{"bo", 7, false, "rate.principal"},
	} {
		s, err := budgets[i%2].Spend(t.Context(), resolvers.Account{Tenant: "default", Principal: c.who}, c.cost, false)
		if err != nil || s.Granted != c.granted || s.Name != c.limit || !s.Granted && c.cost < 6 && s.RetryAfter <= 0 {
			t.Errorf("%d: %s spends %d: %+v, %v", i, c.who, c.cost, s, err)
		}
	}
}

// lockedText is text that several goroutines write.
type lockedText struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lockedText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// countedCalls counts the commands that a client sends, or tries to.
type countedCalls struct{ n atomic.Int32 }

func (c *countedCalls) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *countedCalls) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { c.n.Add(1); return next(ctx, cmd) }
}

func (c *countedCalls) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// A Redis that accepts connections and does not answer is asked once in retryAfter, and not by each
// request.
func TestSilentRedisIsNotAskedByEachRequest(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var taken sync.WaitGroup
	taken.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			taken.Go(func() { _, _ = io.Copy(io.Discard, c); _ = c.Close() }) // until the client gives up
		}
	})
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	p := open(Options{Addr: l.Addr().String(), Prefix: t.Name(), Now: clock}, 20*time.Millisecond)
	var asked countedCalls
	p.client.AddHook(&asked)
	b := p.Budget(Rate{Minute: 600, Burst: 600}.Everybody(), clock)
	spend := func() int32 {
		t.Helper()
		if s, err := b.Spend(t.Context(), of("default"), 1, false); err != nil || !s.Granted {
			t.Fatalf("%+v, %v", s, err)
		}
		return asked.n.Load()
	}
	first := spend()
	if first == 0 {
		t.Fatal("Redis was not asked")
	}
	for range 100 {
		if n := spend(); n != first {
			t.Fatalf("%d calls, want the %d of the first request", n, first)
		}
	}
	now = now.Add(retryAfter - time.Nanosecond)
	if n := spend(); n != first {
		t.Errorf("%d calls just before the end of the pause, want %d", n, first)
	}
	now = now.Add(time.Nanosecond)
	if n := spend(); n == first {
		t.Error("Redis was not asked again after the pause")
	}
	if err := errors.Join(p.Close(), l.Close()); err != nil {
		t.Error(err)
	}
	taken.Wait()
}
