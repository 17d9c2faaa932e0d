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

// said is one write of the fault test and what became of it.
type said struct{ key, content, id string }

// Two servers of one store and a Redis, under writers that go to either: one server and
// Redis are killed and come back. What was acknowledged is there once, at both servers,
// whichever took it; who follows the events through the other heard of each once.
func TestTwoServersOneMemory(t *testing.T) {
	cluster, bell := startDgraph(t), redistest.Start(t)
	dirs := []string{t.TempDir(), t.TempDir()}
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr, "--redis-addr", bell.Addr, "--log-level", "warn"}
	first, second := start(t, dirs[0], over...), start(t, dirs[1], over...)

	ctx, stop := context.WithTimeout(t.Context(), patiently)
	defer stop()
	heard := follow(ctx, t, second)
	before := begin(ctx, t, second, heard)

	const writers, each = 6, 25
	var at [2]atomic.Pointer[client.Client]
	at[0].Store(first.client())
	at[1].Store(second.client())
	kill := map[int32]func(){
		writers * each / 4: bell.Kill,
		writers * each / 2: func() { first.signal(syscall.SIGKILL) },
	}
	var acked sync.Map
	var count atomic.Int32
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				x := said{key: fmt.Sprintf("k%d.%d", w, i), content: fmt.Sprintf("Writer %d saw boat %d pass buoy %d.", w, i, i*writers+w)}
				// Who gets no answer asks another server, under the same key.
				for n := w + i; ; n++ {
					if x.id = rememberAs(ctx, at[n%2].Load(), x); x.id != "" {
						break
					}
					if ctx.Err() != nil {
						t.Error("a write found no server")
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
	bell.Restart()
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
				t.Fatalf("the events ended, %d were not heard of", len(want))
			}
			if _, new := want[id]; !new {
				t.Fatalf("%s was heard of twice, or is nobody's", id)
			}
			delete(want, id)
		case <-ctx.Done():
			t.Fatalf("%d were not heard of", len(want))
		}
	}

	// A write shows at the other server within a second or so, with Redis and without.
	for _, redis := range []bool{true, false} {
		if !redis {
			bell.Kill()
		}
		id := remember(t, first.client(), fmt.Sprintf("The pilot cutter sails, Redis %v.", redis))
		began := time.Now()
		for heardOf := ""; heardOf != id; {
			select {
			case heardOf = <-heard:
			case <-ctx.Done():
				t.Fatal("the last write was not heard of")
			}
		}
		t.Logf("Redis %v: heard of behind %v", redis, time.Since(began).Round(time.Millisecond))
	}
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

// rememberAs writes under a key and answers the id; empty: nobody knows whether it was written.
func rememberAs(ctx context.Context, c *client.Client, x said) string {
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

// begin writes until the stream has begun, reads it to its end, and answers how many
// memories that made.
func begin(ctx context.Context, t *testing.T, s *server, heard <-chan string) int {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	last, n := "", 0
	for id := ""; id == "" || id != last; { // all that came before the last is read too
		select {
		case id = <-heard:
		case <-tick.C:
			if id != "" {
				break // the stream stands, and the last is on its way
			}
			n++
			x := said{key: fmt.Sprint("begin", n), content: fmt.Sprintf("The log of the harbour has page %d.", n)}
			if last = rememberAs(ctx, s.client(), x); last == "" {
				t.Fatal("the first write was not taken")
			}
		case <-ctx.Done():
			t.Fatal("the stream did not begin")
		}
	}
	return n
}

// countMemories counts what is ACTIVE.
func countMemories(t *testing.T, c *client.Client) int {
	t.Helper()
	var out struct{ Health struct{ Memories int } }
	if err := c.Do(t.Context(), `{health{memories}}`, nil, &out); err != nil {
		t.Fatal(err)
	}
	return out.Health.Memories
}

// follow subscribes to what is created, by server-sent events, and answers the ids. The
// channel closes when the stream ends.
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
