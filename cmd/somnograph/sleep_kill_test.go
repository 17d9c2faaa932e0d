package main

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore"
)

// asleep is the status of a sleep, at any server of the store.
type asleep struct {
	Phase       *string
	Done, Total int
	Interrupted bool
	Last        *struct{ Complete bool }
}

func sleepStatus(t *testing.T, s *server) asleep {
	t.Helper()
	var out struct{ SleepStatus asleep }
	if err := s.client().Do(t.Context(), `{sleepStatus{phase done total interrupted last{complete}}}`, nil, &out); err != nil {
		t.Fatal(err)
	}
	return out.SleepStatus
}

// advance moves the clock of a server.
func advance(t *testing.T, s *server, seconds int) {
	t.Helper()
	var out any
	if err := s.client().Do(t.Context(), fmt.Sprintf(`mutation{advanceClock(seconds:%d)}`, seconds), nil, &out); err != nil {
		t.Fatal(err)
	}
}

// A server is killed during a sleep. Another server of the store continues the sleep when the
// lease has expired, and completes it. No memory is lost, and one more sleep changes nothing.
func TestASleepGoesOnAtAnotherServer(t *testing.T) {
	cluster := startDgraph(t)
	over := []string{"--store", "dgraph", "--dgraph", cluster.Addr, "--simulated-clock", "--log-level", "warn"}
	first, second := start(t, t.TempDir(), over...), start(t, t.TempDir(), over...)
	acked := map[string]string{}
	for at := 0; at < 240; at += 80 {
		var batch []importer.Memory
		for i := range 80 {
			batch = append(batch, importer.Memory{
				Content: fmt.Sprintf("The cargo of barge %d is gravel from quarry %d.", (at+i)/2, (at+i)/2*7), Consent: "EXPLICIT", OnDuplicate: "INSERT",
			})
		}
		out, err := first.client().RememberMany(t.Context(), batch)
		if err != nil {
			t.Fatal(err)
		}
		for i, one := range out {
			if one.Err != nil {
				t.Fatal(one.Err)
			}
			acked[one.ID] = batch[i].Content
		}
	}
	for _, s := range []*server{first, second} {
		advance(t, s, 40*24*3600)
	}
	ctx, stop := context.WithTimeout(t.Context(), testTimeout)
	defer stop()
	go func() {
		var out any
		_ = first.client().Do(ctx, `mutation($i:SleepInput!){sleep(input:$i){report{id}}}`, map[string]any{"i": map[string]any{"deep": true, "wait": true}}, &out) // it is killed
	}()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if now := sleepStatus(t, second); now.Phase != nil && (*now.Phase != "N1" || now.Done > 0) {
			t.Logf("killed in %s, %d of %d done", *now.Phase, now.Done, now.Total)
			break
		} else if now.Last != nil {
			t.Fatal("the sleep was over before it could be cut short")
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatal("the sleep did not begin")
		}
	}
	first.signal(syscall.SIGKILL)
	first.exit()
	if now := sleepStatus(t, second); now.Phase == nil || now.Last != nil {
		t.Fatalf("the sleep has already ended: %+v", now)
	}
	advance(t, second, 120) // the lease expires
	if now := sleepStatus(t, second); !now.Interrupted {
		t.Errorf("the other server does not say that the sleep was cut short: %+v", now)
	}
	if out, errs, code := output(t, "sleep", "--addr", second.url); code != exitOK {
		t.Fatalf("%s%s", out, errs)
	}
	if now := sleepStatus(t, second); now.Phase != nil || now.Interrupted || now.Last == nil || !now.Last.Complete {
		t.Errorf("the night did not end: %+v", now)
	}
	compare(t, second.client(), acked)
	if n := countConsolidated(t, second.client()); n == 0 {
		t.Error("the sleep merged nothing")
	}

	store, err := dgraphstore.Open(t.Context(), []string{cluster.Addr}, dgraphstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	digest := func() string {
		d, err := enginetest.Digest(t.Context(), store, graph.Scope{Tenant: engine.Loopback().Tenant})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	before := digest()
	if out, errs, code := output(t, "sleep", "--addr", second.url); code != exitOK {
		t.Fatalf("%s%s", out, errs)
	}
	if after := digest(); after != before {
		t.Errorf("one more sleep changed\n%s\ninto\n%s", before, after)
	}
	second.stop()
}

// countConsolidated counts CONSOLIDATED memories.
func countConsolidated(t *testing.T, c *client.Client) int {
	t.Helper()
	var out struct {
		Memories struct {
			Edges []struct{ Node struct{ ID string } }
		}
	}
	if err := c.Do(t.Context(), `{memories(filter:{statuses:[CONSOLIDATED]},first:100){edges{node{id}}}}`, nil, &out); err != nil {
		t.Fatal(err)
	}
	return len(out.Memories.Edges)
}
