package dgraphstore

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// While no alpha answers, a call with a deadline fails long before it, and one without waits.
// A waiting write is committed once after Dgraph is back.
func TestUnavailableCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	own := dgraphtest.Run(t, t.TempDir())
	s, err := Open(t.Context(), []string{own.Addr}, Options{RetryFor: 5 * time.Minute, UnavailableAfter: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	sc := scope(t)
	bounded, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	kept := 0 // writes that must be stored
	write := func(ctx context.Context) error {
		_, err := s.Update(ctx, sc, func(tx graph.Tx) error { return add(tx) })
		return err
	}
	must[int](t)(0, write(bounded))
	kept++

	if err := own.SignalAlpha(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	stopped := time.Now()
	var waits sync.WaitGroup
	var maybe int // writes with an unknown outcome
	waits.Go(func() {
		if err := write(t.Context()); err != nil {
			t.Errorf("a call without a deadline does not wait: %v", err)
		}
	})
	select {
	case <-s.Alive().Done():
	case <-bounded.Done():
		t.Fatal("no alpha answers, and the store is not unavailable")
	}
	t.Logf("unavailable after %v", time.Since(stopped).Round(time.Millisecond))
	kept++
	none := func(graph.Reader) error { return nil }
	for what, err := range map[string]error{
		"Ready": s.Ready(bounded),
		"View": s.View(bounded, sc, func(r graph.Reader) error {
			_, err := r.Setting("counter")
			return err
		}),
		"ViewRecent": s.ViewRecent(bounded, sc, func(graph.Reader, graph.Cursor) error { return nil }),
		"Update":     write(bounded),
		"CountUses":  s.CountUses(bounded, sc, []graph.ID{"01890a5d-ac96-774b-bcce-b302099a8057"}, graph.Use{At: time.Now()}),
	} {
		if errors.Is(err, graph.ErrUncertain) {
			maybe++
		}
		if !errors.Is(err, graph.ErrUnavailable) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := s.View(bounded, sc, none); err != nil {
		t.Errorf("a call without a query fails: %v", err)
	}
	if bounded.Err() != nil {
		t.Error("the calls waited for their deadline")
	}

	if err := own.SignalAlpha(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	waits.Wait()
	for n := 1; ; n++ {
		err := write(bounded)
		if err == nil {
			kept++
			break
		}
		if !errors.Is(err, graph.ErrUnavailable) {
			t.Fatal(err)
		}
		if err := calls.Pause(bounded, backoff(n)); err != nil {
			t.Fatal(err)
		}
	}
	if n := int(counter(t, s, sc)); n < kept || n > kept+maybe {
		t.Errorf("%d writes count, %d were acknowledged and %d unknown", n, kept, maybe)
	}
}
