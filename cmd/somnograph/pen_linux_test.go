package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/redistest"
)

// outcomes are the writes of a test by key: those under way, and what became of the others.
type outcomes struct {
	t     *testing.T
	mu    sync.Mutex
	under map[string]said
	ended map[string]said
}

func (o *outcomes) begin(x said) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.under[x.key] = x
}

// end takes note of an acknowledgement. That of the same write by another server names the
// same memory.
func (o *outcomes) end(x said) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.under, x.key)
	if before, twice := o.ended[x.key]; twice && before.id != x.id {
		o.t.Errorf("%s was acknowledged as %s and as %s", x.key, before.id, x.id)
	}
	o.ended[x.key] = x
}

func (o *outcomes) look() (under []said, ended int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Collect(maps.Values(o.under)), len(o.ended)
}

// insist writes under a key until it is acknowledged.
func insist(ctx context.Context, t *testing.T, c *client.Client, x said) said {
	for x.id == "" && ctx.Err() == nil {
		x.id = rememberAs(ctx, c, x)
	}
	if x.id == "" {
		t.Errorf("%s is not acknowledged", x.key)
	}
	return x
}

// A server is stopped while it has the pen of the tenant and writes with it. The other one
// writes all the same while that lasts, also what the first has under way; when the first
// goes on, nothing is lost or doubled.
func TestAServerIsStoppedWithThePen(t *testing.T) {
	cluster, bell := startDgraph(t), redistest.Start(t)
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr, "--redis-addr", bell.Addr, "--rate-limit", "1000000", "--log-level", "warn"}
	first, second := start(t, t.TempDir(), over...), start(t, t.TempDir(), over...)
	ctx, cancel := context.WithTimeout(t.Context(), patiently)
	defer cancel()
	asked := redis.NewClient(&redis.Options{Addr: bell.Addr, ReadTimeout: patiently})
	t.Cleanup(func() {
		if err := asked.Close(); err != nil {
			t.Error(err)
		}
	})
	holder := func() string { // of the pen, by the name that a server has in Redis
		keys, err := asked.Keys(ctx, "*:pen:*").Result()
		if err != nil {
			t.Fatal(err)
		}
		if len(keys) == 0 {
			return ""
		}
		name, err := asked.Get(ctx, keys[0]).Result()
		if err != nil && err != redis.Nil {
			t.Fatal(err)
		}
		return name
	}

	all := &outcomes{t: t, under: map[string]said{}, ended: map[string]said{}}
	one, other := first.client(), second.client()
	const writers, rounds, more = 4, 3, 5
	var ended atomic.Bool
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := 0; !ended.Load() && ctx.Err() == nil; i++ {
				x := said{key: fmt.Sprintf("k%d.%d", w, i), content: fmt.Sprintf("Writer %d saw boat %d pass buoy %d.", w, i, i*writers+w)}
				all.begin(x)
				all.end(insist(ctx, t, one, x))
			}
		})
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	until := func(what string, yes func() bool) {
		t.Helper()
		for !yes() {
			select {
			case <-tick.C:
			case <-ctx.Done():
				first.signal(syscall.SIGCONT)
				t.Fatalf("%s: not yet\n%s%s", what, first.log, second.log)
			}
		}
	}
	name := "" // the first server's, which writes alone at first
	for round := range rounds {
		_, before := all.look()
		until("writes flow", func() bool { _, now := all.look(); return now >= before+2*writers })
		until("the first is stopped with the pen", func() bool {
			has := holder()
			if has == "" || name != "" && has != name {
				return false
			}
			first.signal(syscall.SIGSTOP)
			if holder() == has {
				name = has
				return true
			}
			first.signal(syscall.SIGCONT) // it ran out just then
			return false
		})
		began := time.Now()
		stuck, _ := all.look()
		for i := range more {
			x := said{key: fmt.Sprintf("other%d.%d", round, i), content: fmt.Sprintf("In watch %d the harbour master counted %d sails.", round, i)}
			all.end(insist(ctx, t, other, x))
			if i == 0 {
				t.Logf("the other writes behind %v", time.Since(began).Round(time.Millisecond))
			}
		}
		for _, x := range stuck {
			all.end(insist(ctx, t, other, x))
		}
		first.signal(syscall.SIGCONT)
	}
	ended.Store(true)
	wg.Wait()

	want := map[string]string{}
	for _, x := range all.ended {
		want[x.id] = x.content
	}
	if len(want) != len(all.ended) {
		t.Errorf("%d memories for %d writes", len(want), len(all.ended))
	}
	for _, s := range []*server{first, second} {
		holds(t, s.client(), want)
		if n := countMemories(t, s.client()); n != len(want) {
			t.Errorf("there are %d memories, %d were acknowledged", n, len(want))
		}
	}
	t.Logf("%d writes acknowledged", len(want))
	first.stop()
	second.stop()
}
