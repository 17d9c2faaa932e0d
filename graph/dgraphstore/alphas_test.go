package dgraphstore

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// wireTo forwards connections to an address until it is cut: then they hang, and new ones are
// accepted and never answered, as after a partition.
type wireTo struct {
	net.Listener
	to string

	mu    sync.Mutex
	cut   chan struct{} // closed: nothing passes
	conns []net.Conn
}

func newWire(t *testing.T, to string) *wireTo {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wireTo{Listener: l, to: to, cut: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close() // the client sees it
				continue
			}
			w.mu.Lock()
			w.conns = append(w.conns, in, out)
			w.mu.Unlock()
			wg.Go(func() { w.carry(in, out) })
			wg.Go(func() { w.carry(out, in) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		w.mu.Lock()
		for _, c := range w.conns {
			_ = c.Close()
		}
		w.mu.Unlock()
		wg.Wait()
	})
	return w
}

func (w *wireTo) carry(from, to net.Conn) {
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		select {
		case <-w.cut:
			_, _ = io.Copy(io.Discard, from) // until the test ends
			return
		default:
		}
		if err != nil {
			_ = to.Close()
			return
		}
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

// An alpha that falls silent stops neither reads nor writes as long as another one answers;
// acknowledged writes are stored once.
func TestUnresponsiveAlphaIsSkipped(t *testing.T) {
	w := newWire(t, cluster.Addr)
	s, err := Open(t.Context(), []string{w.Addr().String(), cluster.Addr}, Options{RetryFor: waitLimit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	sc := scope(t)
	const times = 30
	longest := time.Duration(0)
	err = s.View(t.Context(), sc, func(r graph.Reader) error { // a snapshot that outlives the alpha that it began at
		if _, err := r.Setting("counter"); !errors.Is(err, graph.ErrNotFound) {
			return err
		}
		for i := range times {
			if i == times/3 {
				close(w.cut)
			}
			began := time.Now()
			m := memory(t, time.Duration(i)*time.Second)
			if _, err := s.Update(t.Context(), sc, func(tx graph.Tx) error { return errors.Join(put(m)(tx), add(tx)) }); err != nil {
				return err
			}
			if n := counter(t, s, sc); n != byte(i+1) {
				t.Errorf("after %d writes the counter is %d", i+1, n)
			}
			longest = max(longest, time.Since(began))
		}
		if _, err := r.Setting("counter"); !errors.Is(err, graph.ErrNotFound) {
			t.Errorf("the snapshot shows a later commit: %v", err)
		}
		return s.Ready(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the longest write took %v", longest.Round(time.Millisecond))
	if changes := must[[]graph.Change](t)(open(t, Options{}).Changes(t.Context(), sc, 0, 0)); len(changes) != times {
		t.Errorf("%d changes, want %d", len(changes), times)
	}
}
