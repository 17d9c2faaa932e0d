package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/redistest"
)

// keyedWrite is a write with an idempotency key. id is set when it is acknowledged.
type keyedWrite struct{ key, content, id string }

// Clients write to two servers of one store with a Redis. One server and Redis are killed and
// restarted. Every acknowledged memory is there once, at both servers, and a subscriber at the
// other server gets each event once.
func TestTwoServersOneMemory(t *testing.T) {
	cluster, redisServer := startDgraph(t), redistest.Start(t)
	dirs := []string{t.TempDir(), t.TempDir()}
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr, "--redis-addr", redisServer.Addr, "--log-level", "warn"}
	first, second := start(t, dirs[0], over...), start(t, dirs[1], over...)

	ctx, stop := context.WithTimeout(t.Context(), testTimeout)
	defer stop()
	heard := follow(ctx, t, second)
	before := begin(ctx, t, second, heard)

	const writers, each = 6, 25
	var at [2]atomic.Pointer[client.Client]
	at[0].Store(first.client())
	at[1].Store(second.client())
	kill := map[int32]func(){
		writers * each / 4: redisServer.Kill,
		writers * each / 2: func() { first.signal(syscall.SIGKILL) },
	}
	var acked sync.Map
	var count atomic.Int32
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				x := keyedWrite{key: fmt.Sprintf("k%d.%d", w, i), content: fmt.Sprintf("Writer %d saw boat %d pass buoy %d.", w, i, i*writers+w)}
				// A write without an answer is sent to the other server with the same key.
				for n := w + i; ; n++ {
					if x.id = rememberAs(ctx, at[n%2].Load(), x); x.id != "" {
						break
					}
					if ctx.Err() != nil {
						t.Error("no server acknowledged a write")
						return
					}
				}
				acked.Store(x.id, x.content)
				if do := kill[count.Add(1)]; do != nil {
					do()
				}
			}
		})
	}
	wg.Wait()
	first.exit()
	redisServer.Restart()
	first = start(t, dirs[0], over...)

	want := map[string]string{}
	acked.Range(func(id, content any) bool { want[id.(string)] = content.(string); return true })
	if len(want) != writers*each {
		t.Errorf("%d memories for %d writes", len(want), writers*each)
	}
	for _, s := range []*server{first, second} {
		compare(t, s.client(), want)
		if n := countMemories(t, s.client()) - before; n != len(want) {
			t.Errorf("there are %d memories, %d were acknowledged", n, len(want))
		}
	}
	for len(want) > 0 {
		select {
		case id, more := <-heard:
			if !more {
				t.Fatalf("the events ended, %d are missing", len(want))
			}
			if _, new := want[id]; !new {
				t.Fatalf("the event of %s came twice, or without a write", id)
			}
			delete(want, id)
		case <-ctx.Done():
			t.Fatalf("%d events are missing", len(want))
		}
	}

	showsAtTheOther(ctx, t, first, redisServer, heard)
	var health struct {
		Health struct {
			Status  string
			Details json.RawMessage
		}
	}
	if err := second.client().Do(ctx, `{health{status details}}`, nil, &health); err != nil || !strings.Contains(string(health.Health.Details), `"away":["REDIS"]`) {
		t.Errorf("without Redis health is %+v, %v", health, err)
	}
	stop()
	first.stop()
	second.stop()
}

// showsAtTheOther fails the test unless events of writes at one server arrive through the
// other, with Redis and without.
func showsAtTheOther(ctx context.Context, t *testing.T, first *server, redisServer *redistest.Server, heard <-chan string) {
	t.Helper()
	for _, redis := range []bool{true, false} {
		if !redis {
			redisServer.Kill()
		}
		id := remember(t, first.client(), fmt.Sprintf("The pilot cutter sails, Redis %v.", redis))
		began := time.Now()
		for heardOf := ""; heardOf != id; {
			select {
			case heardOf = <-heard:
			case <-ctx.Done():
				t.Fatal("the event of the last write is missing")
			}
		}
		t.Logf("Redis %v: the event came after %v", redis, time.Since(began).Round(time.Millisecond))
	}
}

// rememberAs writes with a key and returns the id; empty: the outcome is unknown.
func rememberAs(ctx context.Context, c *client.Client, x keyedWrite) string {
	var out struct {
		Remember struct{ Memory struct{ ID string } }
	}
	err := c.Do(ctx, `mutation($i:RememberInput!){remember(input:$i){memory{id}}}`,
		map[string]any{"i": map[string]any{"content": x.content, "consent": "EXPLICIT", "onDuplicate": "INSERT", "idempotencyKey": x.key}}, &out)
	if err != nil {
		return ""
	}
	return out.Remember.Memory.ID
}

// begin writes memories until their events arrive, reads all events, and returns the number of
// memories.
func begin(ctx context.Context, t *testing.T, s *server, heard <-chan string) int {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	last, n := "", 0
	for id := ""; id == "" || id != last; { // read the events before the last one too
		select {
		case id = <-heard:
		case <-tick.C:
			if id != "" {
				break // the stream has begun
			}
			n++
			x := keyedWrite{key: fmt.Sprint("begin", n), content: fmt.Sprintf("Clerk %d saw boat %d pass buoy %d.", n, n, n)}
			if last = rememberAs(ctx, s.client(), x); last == "" {
				t.Fatal("the first write was not taken")
			}
		case <-ctx.Done():
			t.Fatal("the stream did not begin")
		}
	}
	return n
}

// countMemories counts ACTIVE memories.
func countMemories(t *testing.T, c *client.Client) int {
	t.Helper()
	var out struct{ Health struct{ Memories int } }
	if err := c.Do(t.Context(), `{health{memories}}`, nil, &out); err != nil {
		t.Fatal(err)
	}
	return out.Health.Memories
}

// follow subscribes to created memories over server-sent events and returns their ids. The
// channel is closed when the stream ends.
func follow(ctx context.Context, t *testing.T, s *server) <-chan string {
	t.Helper()
	body := `{"query":"subscription { memoryEvents { kind id } }"}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/graphql", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("the stream answers %s", resp.Status)
	}
	created := make(chan string, 10_000)
	go func() {
		defer close(created)
		defer func() { _ = resp.Body.Close() }()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			data, is := strings.CutPrefix(lines.Text(), "data: ")
			if !is || data == "" {
				continue
			}
			var event struct {
				Data struct{ MemoryEvents struct{ Kind, ID string } }
			}
			if err := json.Unmarshal([]byte(data), &event); err != nil {
				t.Errorf("event %s: %v", data, err)
				return
			}
			if event.Data.MemoryEvents.Kind == "CREATED" {
				created <- event.Data.MemoryEvents.ID
			}
		}
	}()
	return created
}
