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

// writeLog holds the writes of a test by key: those in flight, and the acknowledged ones.
type writeLog struct {
	t     *testing.T
	mu    sync.Mutex
	under map[string]keyedWrite
	ended map[string]keyedWrite
}

func (o *writeLog) begin(x keyedWrite) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.under[x.key] = x
}

// end records an acknowledgement. A second one of the same write, by another server, must name
// the same memory.
func (o *writeLog) end(x keyedWrite) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.under, x.key)
	if before, twice := o.ended[x.key]; twice && before.id != x.id {
		o.t.Errorf("%s was acknowledged as %s and as %s", x.key, before.id, x.id)
	}
	o.ended[x.key] = x
}

func (o *writeLog) look() (under []keyedWrite, ended int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Collect(maps.Values(o.under)), len(o.ended)
}

// writeUntilAcked writes with the same key until the write is acknowledged.
func writeUntilAcked(ctx context.Context, t *testing.T, c *client.Client, x keyedWrite) keyedWrite {
	for x.id == "" && ctx.Err() == nil {
		x.id = rememberAs(ctx, c, x)
	}
	if x.id == "" {
		t.Errorf("%s is not acknowledged", x.key)
	}
	return x
}

// leaseHolder is the server with the write lease of the only tenant, by its name in Redis;
// empty: none has it.
func leaseHolder(ctx context.Context, t *testing.T, c *redis.Client) string {
	t.Helper()
	keys, err := c.Keys(ctx, "*:pen:*").Result()
	if err != nil {
		t.Fatal(err)
	}
	if len(keys) == 0 {
		return ""
	}
	name, err := c.Get(ctx, keys[0]).Result()
	if err != nil && err != redis.Nil {
		t.Fatal(err)
	}
	return name
}

// A server is stopped (SIGSTOP) while it has the write lease of the tenant and writes. The
// other server goes on writing, also the writes that the first has in flight. When the first
// goes on, no memory is lost or duplicated.
func TestAServerIsStoppedWithTheWriteLease(t *testing.T) {
	cluster, redisServer := startDgraph(t), redistest.Start(t)
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr, "--redis-addr", redisServer.Addr, "--rate-limit", "1000000", "--log-level", "warn"}
	first, second := start(t, t.TempDir(), over...), start(t, t.TempDir(), over...)
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	leases := redis.NewClient(&redis.Options{Addr: redisServer.Addr, ReadTimeout: testTimeout})
	t.Cleanup(func() {
		if err := leases.Close(); err != nil {
			t.Error(err)
		}
	})
	all := &writeLog{t: t, under: map[string]keyedWrite{}, ended: map[string]keyedWrite{}}
	one, other := first.client(), second.client()
	const writers, rounds, more = 4, 3, 5
	var ended atomic.Bool
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := 0; !ended.Load() && ctx.Err() == nil; i++ {
				x := keyedWrite{key: fmt.Sprintf("k%d.%d", w, i), content: fmt.Sprintf("Writer %d saw boat %d pass buoy %d.", w, i, i*writers+w)}
				all.begin(x)
				all.end(writeUntilAcked(ctx, t, one, x))
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
	name := "" // of the first server, which is the only one that writes at first
	for round := range rounds {
		_, before := all.look()
		until("writes flow", func() bool { _, now := all.look(); return now >= before+2*writers })
		until("the first server is stopped with the lease", func() bool {
			has := leaseHolder(ctx, t, leases)
			if has == "" || name != "" && has != name {
				return false
			}
			first.signal(syscall.SIGSTOP)
			if leaseHolder(ctx, t, leases) == has {
				name = has
				return true
			}
			first.signal(syscall.SIGCONT) // the lease ended before the signal
			return false
		})
		began := time.Now()
		stuck, _ := all.look()
		for i := range more {
			x := keyedWrite{key: fmt.Sprintf("other%d.%d", round, i), content: fmt.Sprintf("In watch %d the harbour master counted %d sails.", round, i)}
			all.end(writeUntilAcked(ctx, t, other, x))
			if i == 0 {
				t.Logf("the other server writes after %v", time.Since(began).Round(time.Millisecond))
			}
		}
		for _, x := range stuck {
			all.end(writeUntilAcked(ctx, t, other, x))
		}
		first.signal(syscall.SIGCONT)
	}
	ended.Store(true)
	wg.Wait()
	all.compare(first, second)
	first.stop()
	second.stop()
}

// compare fails the test unless both servers have exactly the memories of the log.
func (o *writeLog) compare(servers ...*server) {
	o.t.Helper()
	want := map[string]string{}
	for _, x := range o.ended {
		want[x.id] = x.content
	}
	if len(want) != len(o.ended) {
		o.t.Errorf("%d memories for %d writes", len(want), len(o.ended))
	}
	for _, s := range servers {
		mustHold(o.t, s.client(), want)
		if n := countMemories(o.t, s.client()); n != len(want) {
			o.t.Errorf("there are %d memories, %d were acknowledged", n, len(want))
		}
	}
	o.t.Logf("%d writes acknowledged", len(want))
}
