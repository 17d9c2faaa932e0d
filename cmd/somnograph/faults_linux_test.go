package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/dgraphtest"
	"github.com/somnograph/somnograph/internal/nettest"
	"github.com/somnograph/somnograph/internal/redistest"
)

// Lines between two servers, a Dgraph and a Redis are cut, one after the other, under
// writers and readers at both. Who has a way to the store goes on; who has none says what is
// away, and when the line is back writes flow again unaided. What was acknowledged is there
// once, at both.
func TestLinesAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	cutLines(t, 1, 0)
}

// isle is a network with a Dgraph, a Redis and two servers, each on a node of its own.
type isle struct {
	t       *testing.T
	net     *nettest.Net
	zero    *nettest.Node
	alphas  []*nettest.Node
	redis   *nettest.Node
	dgraph  *dgraphtest.Spread
	bell    *redistest.Server
	servers []*isleServer
}

// isleServer is a server on its node and who writes to it.
type isleServer struct {
	*server
	node *nettest.Node
	api  *client.Client

	mu    sync.Mutex
	acked map[string]string // what was acknowledged: content by id
	last  time.Time         // when a write was acknowledged last
	stall time.Duration     // longest time between two that were, since reset
	slow  time.Duration     // longest search, found or refused
	more  chan struct{}     // closed when one is
}

func newIsle(t *testing.T, alphas int) *isle {
	t.Helper()
	n := nettest.New(t)
	w := &isle{t: t, net: n, zero: n.Node("zero")}
	var places []dgraphtest.Place
	for i := range alphas {
		d := n.Node(fmt.Sprint("alpha", i+1))
		w.alphas, places = append(w.alphas, d), append(places, d)
	}
	var err error
	if w.dgraph, err = dgraphtest.StartSpread(t.Context(), t.TempDir(), w.zero, places...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.dgraph.Stop(); err != nil {
			t.Error(err)
		}
	})
	w.redis = n.Node("redis")
	w.bell = redistest.StartAt(t, w.redis)
	for _, name := range []string{"a", "b"} {
		args := []string{"--store", "dgraph", "--redis-addr", w.bell.Addr, "--log-level", "warn"}
		for _, addr := range w.dgraph.Addrs() {
			args = append(args, "--dgraph", addr)
		}
		w.servers = append(w.servers, startOn(t, n.Node(name), args...))
	}
	return w
}

// startOn starts a server on a node. Its loopback is that of the node.
func startOn(t *testing.T, node *nettest.Node, args ...string) *isleServer {
	t.Helper()
	plain := serving(t, t.TempDir(), args...)
	cmd := node.Command(plain.Path, plain.Args[1:]...)
	cmd.Env, cmd.SysProcAttr = plain.Env, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s := &isleServer{server: begun(t, &server{t: t, cmd: cmd, dial: node.DialContext}), node: node, acked: map[string]string{}, more: make(chan struct{})}
	s.api = s.client()
	return s
}

// load writes and reads at every server until stop is called, which waits for what is
// under way. A write that got no answer is sent again under its key to the same server.
func (w *isle) load(ctx context.Context) (stop func()) {
	const writers = 2
	var over atomic.Bool
	var wg sync.WaitGroup
	for n, s := range w.servers {
		for i := range writers {
			wg.Go(func() {
				pace := time.NewTicker(50 * time.Millisecond) // a load, not a measure of speed
				defer pace.Stop()
				for k := 0; !over.Load(); k++ {
					x := said{key: fmt.Sprintf("k%d.%d.%d", n, i, k), content: fmt.Sprintf("Writer %d at quay %d saw boat %d pass buoy %d.", i, n, k, k*writers+i)}
					for x.id == "" {
						if <-pace.C; ctx.Err() != nil {
							w.t.Errorf("server %s acknowledges nothing", s.node.Name)
							return
						}
						x.id = rememberAs(ctx, s.api, x)
					}
					s.acknowledged(x)
				}
			})
		}
		wg.Go(func() {
			pace := time.NewTicker(200 * time.Millisecond)
			defer pace.Stop()
			for !over.Load() {
				<-pace.C
				began := time.Now()
				_, _ = s.api.Search(ctx, client.Search{Query: "which boat passes a buoy", TopK: 3}) // a part may be away
				s.searched(time.Since(began))
			}
		})
	}
	return func() { over.Store(true); wg.Wait() }
}

func (s *isleServer) acknowledged(x said) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if !s.last.IsZero() {
		s.stall = max(s.stall, now.Sub(s.last))
	}
	s.acked[x.id], s.last = x.content, now
	close(s.more)
	s.more = make(chan struct{})
}

func (s *isleServer) searched(took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow = max(s.slow, took)
}

// flows waits for writes that are acknowledged from now on, and answers how long the first
// one took.
func (s *isleServer) flows(ctx context.Context) time.Duration {
	s.t.Helper()
	began, first := time.Now(), time.Duration(0)
	for range 5 {
		s.mu.Lock()
		more := s.more
		s.mu.Unlock()
		select {
		case <-more:
			if first == 0 {
				first = time.Since(began)
			}
		case <-ctx.Done():
			s.t.Fatalf("writes do not flow at server %s:\n%s", s.node.Name, s.log)
		}
	}
	return first
}

// longest answers the longest stall since it was asked before, to now, and the longest search.
func (s *isleServer) longest() (stall, search time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stall, search = max(s.stall, time.Since(s.last)), s.slow
	s.stall, s.slow = 0, 0
	return stall, search
}

// away answers which parts health names as away, once that has changed to what is wanted.
func (s *isleServer) away(ctx context.Context, want ...string) time.Duration {
	s.t.Helper()
	began := time.Now()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		var out struct {
			Health struct {
				Status  string
				Details json.RawMessage
			}
		}
		var details struct{ Away []string }
		err := s.api.Do(ctx, `{health{status details}}`, nil, &out)
		if err == nil {
			err = json.Unmarshal(out.Health.Details, &details)
		}
		if err == nil && slices.Equal(details.Away, want) && (len(want) == 0 || out.Health.Status != "HEALTHY") {
			return time.Since(began)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			s.t.Fatalf("server %s names %+v as away, want %q (%v):\n%s", s.node.Name, out, want, err, s.log)
		}
	}
}

// refuses fails the test unless a search and a write say within half the time that a request
// may take that the store is away.
func (s *isleServer) refuses(ctx context.Context) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	var e *client.Error
	if _, err := s.api.Search(ctx, client.Search{Query: "which boat", TopK: 3}); !errors.As(err, &e) || e.Code != "UNAVAILABLE" {
		s.t.Errorf("without the store a search at %s answers %v", s.node.Name, err)
	}
	var out any
	err := s.api.Do(ctx, `mutation($i:RememberInput!){remember(input:$i){memory{id}}}`,
		map[string]any{"i": map[string]any{"content": "Nobody takes this.", "consent": "EXPLICIT"}}, &out)
	if !errors.As(err, &e) || e.Code != "UNAVAILABLE" {
		s.t.Errorf("without the store a write at %s answers %v", s.node.Name, err)
	}
}

// fault is something that happens to the isle, and what each server names as away meanwhile.
type fault struct {
	name     string
	do, mend func()
	away     [2][]string
}

// cutLines cuts one line after the other.
func cutLines(t *testing.T, alphas int, lasting time.Duration) {
	w := newIsle(t, alphas)
	a, b := w.servers[0].node, w.servers[1].node
	cut := func(name string, from *nettest.Node, to []*nettest.Node, away ...[]string) fault {
		return fault{
			name: name + " cut",
			do: func() {
				for _, d := range to {
					w.net.Cut(from, d)
				}
			},
			mend: func() {
				for _, d := range to {
					w.net.Mend(from, d)
				}
			},
			away: [2][]string(away),
		}
	}
	faults := []fault{
		cut("server a and Dgraph", a, w.alphas, []string{"STORE"}, nil),
		cut("server a and Redis", a, []*nettest.Node{w.redis}, []string{"REDIS"}, nil),
		cut("server b and everything", b, w.net.Others(b), nil, []string{"REDIS", "STORE"}),
		cut("all alphas and the zero", w.zero, w.alphas, []string{"STORE"}, []string{"STORE"}),
	}
	if alphas > 1 {
		faults = append(faults,
			cut("the first alpha and the second", w.alphas[0], w.alphas[1:2], nil, nil),
			cut("the first alpha and everything", w.alphas[0], w.net.Others(w.alphas[0]), nil, nil),
		)
	}
	w.suffer(faults, lasting)
}

// Dgraph and Redis fall silent, and are killed and started again, under writers and readers
// of one server: what is away is named, and what has a deadline is refused long before it.
func TestPartsFallSilent(t *testing.T) {
	cluster, bell := startDgraph(t), redistest.Start(t)
	s := &isleServer{
		server: start(t, t.TempDir(), "--store", "dgraph", "--dgraph", cluster.Addr, "--redis-addr", bell.Addr, "--rate-limit", "1000000", "--log-level", "warn"),
		node:   &nettest.Node{Name: "a"}, acked: map[string]string{}, more: make(chan struct{}),
	}
	s.api = s.client()
	w := &isle{t: t, servers: []*isleServer{s}}
	well := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	store, redis := [2][]string{{"STORE"}}, [2][]string{{"REDIS"}}
	w.suffer([]fault{
		{"the alpha stopped", func() { well(cluster.SignalAlpha(syscall.SIGSTOP)) }, func() { well(cluster.SignalAlpha(syscall.SIGCONT)) }, store},
		{"the alpha killed", func() { well(cluster.KillAlpha()) }, func() { well(cluster.StartAlpha(t.Context())) }, store},
		{"Redis stopped", func() { bell.Signal(syscall.SIGSTOP) }, func() { bell.Signal(syscall.SIGCONT) }, redis},
		{"Redis killed", bell.Kill, bell.Restart, redis},
	}, 0)
}

// suffer lets one fault happen after the other under a load, each until what is away is
// named and for as long as it is told to.
func (w *isle) suffer(faults []fault, lasting time.Duration) {
	t := w.t
	ctx, cancel := context.WithTimeout(t.Context(), patiently+10*lasting)
	defer cancel()
	stop := w.load(ctx)
	for _, s := range w.servers {
		s.flows(ctx)
	}
	for _, f := range faults {
		for _, s := range w.servers {
			s.longest()
		}
		began := time.Now()
		f.do()
		line := f.name
		for i, s := range w.servers {
			if len(f.away[i]) > 0 {
				line += fmt.Sprintf("; %s names %q behind %v", s.node.Name, f.away[i], s.away(ctx, f.away[i]...).Round(100*time.Millisecond))
			}
			if slices.Contains(f.away[i], "STORE") {
				s.refuses(ctx)
			} else {
				s.flows(ctx)
			}
		}
		select {
		case <-time.After(lasting - time.Since(began)):
		case <-ctx.Done():
		}
		line += fmt.Sprintf("; mended behind %v", time.Since(began).Round(100*time.Millisecond))
		for _, s := range w.servers {
			stall, search := s.longest()
			line += fmt.Sprintf("; at %s longest without a write %v, longest search %v", s.node.Name, stall.Round(10*time.Millisecond), search.Round(10*time.Millisecond))
		}
		f.mend()
		for _, s := range w.servers {
			line += fmt.Sprintf("; %s writes again behind %v", s.node.Name, s.flows(ctx).Round(10*time.Millisecond))
			s.away(ctx)
		}
		t.Log(line)
	}
	stop()
	want := map[string]string{}
	for _, s := range w.servers {
		for id, content := range s.acked {
			if _, twice := want[id]; twice {
				t.Errorf("%s was acknowledged for two writes", id)
			}
			want[id] = content
		}
	}
	for _, s := range w.servers {
		holds(t, s.api, want)
		if n := countMemories(t, s.api); n != len(want) {
			t.Errorf("the index of %s has %d memories, %d were acknowledged", s.node.Name, n, len(want))
		}
	}
	t.Logf("%d writes acknowledged", len(want))
	for _, s := range w.servers {
		s.stop()
	}
}

// holds fails the test unless a server's export has all that is wanted, and nothing else.
func holds(t *testing.T, c *client.Client, want map[string]string) {
	t.Helper()
	var all bytes.Buffer
	if err := c.Export(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	found := 0
	for l := range bytes.Lines(all.Bytes()) {
		var line struct{ Memory *struct{ ID, Content string } }
		if err := json.Unmarshal(l, &line); err != nil {
			t.Fatal(err)
		}
		if line.Memory == nil {
			continue
		}
		if found++; want[line.Memory.ID] != line.Memory.Content {
			t.Errorf("%s says %q, acknowledged was %q", line.Memory.ID, line.Memory.Content, want[line.Memory.ID])
		}
	}
	if found != len(want) {
		t.Errorf("%d memories are stored, %d were acknowledged", found, len(want))
	}
}
