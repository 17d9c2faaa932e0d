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

// Network connections between two servers, a Dgraph and a Redis are cut, one after the other,
// while clients write and read at both servers. A server that reaches the store goes on. One
// that does not reports it, and recovers by itself. Every acknowledged memory is there once,
// at both servers.
func TestLinesAreCut(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	cutLines(t, 1, 0)
}

// clusterNet is a network with a Dgraph, a Redis and two servers, each on its own node.
type clusterNet struct {
	t           *testing.T
	net         *nettest.Net
	zero        *nettest.Node
	alphas      []*nettest.Node
	redis       *nettest.Node
	dgraph      *dgraphtest.Spread
	redisServer *redistest.Server
	servers     []*nodeServer
}

// nodeServer is a server on a node, with the state of its writers.
type nodeServer struct {
	*server
	node *nettest.Node
	api  *client.Client

	mu    sync.Mutex
	acked map[string]string // acknowledged content by id
	last  time.Time         // time of the last acknowledgement
	stall time.Duration     // longest time between two acknowledgements, since reset
	slow  time.Duration     // longest search, successful or not
	more  chan struct{}     // closed at the next acknowledgement
}

func newClusterNet(t *testing.T, alphas int) *clusterNet {
	t.Helper()
	n := nettest.New(t)
	w := &clusterNet{t: t, net: n, zero: n.Node("zero")}
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
	w.redisServer = redistest.StartAt(t, w.redis)
	for _, name := range []string{"a", "b"} {
		args := []string{"--store", "dgraph", "--redis-addr", w.redisServer.Addr, "--log-level", "warn"}
		for _, addr := range w.dgraph.Addrs() {
			args = append(args, "--dgraph", addr)
		}
		w.servers = append(w.servers, startOn(t, n.Node(name), args...))
	}
	return w
}

// startOn starts a server on a node. Its loopback is that of the node.
func startOn(t *testing.T, node *nettest.Node, args ...string) *nodeServer {
	t.Helper()
	plain := serveCommand(t, t.TempDir(), args...)
	cmd := node.Command(plain.Path, plain.Args[1:]...)
	cmd.Env, cmd.SysProcAttr = plain.Env, &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s := &nodeServer{server: waitReady(t, &server{t: t, cmd: cmd, dial: node.DialContext}), node: node, acked: map[string]string{}, more: make(chan struct{})}
	s.api = s.client()
	return s
}

// load writes and reads at every server until stop is called, which waits for requests in
// flight. A write without an answer is sent again with the same key to the same server.
func (w *clusterNet) load(ctx context.Context) (stop func()) {
	const writers = 2
	var over atomic.Bool
	var wg sync.WaitGroup
	for n, s := range w.servers {
		for i := range writers {
			wg.Go(func() {
				pace := time.NewTicker(50 * time.Millisecond) // a constant load
				defer pace.Stop()
				for k := 0; !over.Load(); k++ {
					x := keyedWrite{key: fmt.Sprintf("k%d.%d.%d", n, i, k), content: fmt.Sprintf("Writer %d at quay %d saw boat %d pass buoy %d.", i, n, k, k*writers+i)}
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
				_, _ = s.api.Search(ctx, client.Search{Query: "which boat passes a buoy", TopK: 3}) // a part may be unavailable
				s.searched(time.Since(began))
			}
		})
	}
	return func() { over.Store(true); wg.Wait() }
}

func (s *nodeServer) acknowledged(x keyedWrite) {
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

func (s *nodeServer) searched(took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow = max(s.slow, took)
}

// flows waits for acknowledgements from now on, and returns the time until the first one.
func (s *nodeServer) flows(ctx context.Context) time.Duration {
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

// longest returns the longest stall and the longest search since the last call.
func (s *nodeServer) longest() (stall, search time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stall, search = max(s.stall, time.Since(s.last)), s.slow
	s.stall, s.slow = 0, 0
	return stall, search
}

// away waits until health reports the wanted parts as away, and returns them.
func (s *nodeServer) away(ctx context.Context, want ...string) time.Duration {
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

// refuses fails the test unless a search and a write fail with UNAVAILABLE within half of the
// request deadline.
func (s *nodeServer) refuses(ctx context.Context) {
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

// fault is an event on the network, and the parts that each server reports as away during it.
type fault struct {
	name     string
	do, mend func()
	away     [2][]string
}

// cutLines cuts one connection after the other.
func cutLines(t *testing.T, alphas int, lasting time.Duration) {
	w := newClusterNet(t, alphas)
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
	w.runFaults(faults, lasting)
}

// Dgraph and Redis are stopped, and killed and restarted, while clients write and read at one
// server. The server reports what is away, and requests fail long before their deadline.
func TestPartsFallSilent(t *testing.T) {
	cluster, redisServer := startDgraph(t), redistest.Start(t)
	s := &nodeServer{
		server: start(t, t.TempDir(), "--store", "dgraph", "--dgraph", cluster.Addr, "--redis-addr", redisServer.Addr, "--rate-limit", "1000000", "--log-level", "warn"),
		node:   &nettest.Node{Name: "a"}, acked: map[string]string{}, more: make(chan struct{}),
	}
	s.api = s.client()
	w := &clusterNet{t: t, servers: []*nodeServer{s}}
	well := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	store, redis := [2][]string{{"STORE"}}, [2][]string{{"REDIS"}}
	w.runFaults([]fault{
		{"the alpha stopped", func() { well(cluster.SignalAlpha(syscall.SIGSTOP)) }, func() { well(cluster.SignalAlpha(syscall.SIGCONT)) }, store},
		{"the alpha killed", func() { well(cluster.KillAlpha()) }, func() { well(cluster.StartAlpha(t.Context())) }, store},
		{"Redis stopped", func() { redisServer.Signal(syscall.SIGSTOP) }, func() { redisServer.Signal(syscall.SIGCONT) }, redis},
		{"Redis killed", redisServer.Kill, redisServer.Restart, redis},
	}, 0)
}

// runFaults runs the faults one after the other under load, each until the servers report it
// and for at least the given time.
func (w *clusterNet) runFaults(faults []fault, lasting time.Duration) {
	t := w.t
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout+10*lasting)
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
				line += fmt.Sprintf("; %s names %q after %v", s.node.Name, f.away[i], s.away(ctx, f.away[i]...).Round(100*time.Millisecond))
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
		line += fmt.Sprintf("; mended after %v", time.Since(began).Round(100*time.Millisecond))
		for _, s := range w.servers {
			stall, search := s.longest()
			line += fmt.Sprintf("; at %s longest without a write %v, longest search %v", s.node.Name, stall.Round(10*time.Millisecond), search.Round(10*time.Millisecond))
		}
		f.mend()
		for _, s := range w.servers {
			line += fmt.Sprintf("; %s writes again after %v", s.node.Name, s.flows(ctx).Round(10*time.Millisecond))
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
		mustHold(t, s.api, want)
		if n := countMemories(t, s.api); n != len(want) {
			t.Errorf("the index of %s has %d memories, %d were acknowledged", s.node.Name, n, len(want))
		}
	}
	t.Logf("%d writes acknowledged", len(want))
	for _, s := range w.servers {
		s.stop()
	}
}

// mustHold fails the test unless the export of a server has exactly the wanted memories.
func mustHold(t *testing.T, c *client.Client, want map[string]string) {
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
