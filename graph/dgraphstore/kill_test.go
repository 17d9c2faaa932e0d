package dgraphstore

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// TestKill kills the alpha, the zero and both while writers run, and starts them again. An
// acknowledged write must be stored once; any other at most once.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	killRounds(t, 3, 60)
}

// killRounds kills so many times, each after so many more acknowledged writes.
func killRounds(t *testing.T, rounds, each int) {
	own := dgraphtest.Run(t, t.TempDir())
	s, err := Open(t.Context(), []string{own.Addr}, Options{RetryFor: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	const writers = 4
	sc := scope(t)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	var acked sync.Map // id of the memory → cursor
	var count atomic.Int64
	written := make(chan struct{}, 1)
	var enough atomic.Bool
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := 0; !enough.Load(); i++ {
				m := memory(t, time.Duration(w*1_000_000+i)*time.Millisecond)
				c, err := s.Update(ctx, sc, put(m))
				switch {
				case err == nil:
					acked.Store(m.ID, c)
					count.Add(1)
					select {
					case written <- struct{}{}:
					default:
					}
				case !errors.Is(err, graph.ErrUncertain) && !errors.Is(err, graph.ErrUnavailable):
					t.Error(err)
					return
				}
			}
		})
	}
	alive := func(n int64) {
		for count.Load() < n {
			select {
			case <-written:
			case <-ctx.Done():
				t.Fatalf("%d writes acknowledged, waited for %d", count.Load(), n)
			}
		}
	}
	for round := range rounds {
		alive(int64((round + 1) * each))
		before, began := count.Load(), time.Now()
		var errs []error
		if round%3 != 0 {
			errs = append(errs, own.KillZero())
		}
		if round%3 != 1 {
			errs = append(errs, own.KillAlpha())
		}
		if round%3 != 0 {
			errs = append(errs, own.StartZero(ctx))
		}
		if round%3 != 1 {
			errs = append(errs, own.StartAlpha(ctx))
		}
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		healthy := time.Since(began)
		during := count.Load() - before
		alive(before + during + 1)
		t.Logf("round %d: healthy again after %v, writing again %v later; %d were acknowledged meanwhile",
			round, healthy.Round(time.Millisecond), (time.Since(began) - healthy).Round(time.Millisecond), during)
	}
	alive(int64((rounds + 1) * each))
	enough.Store(true)
	wg.Wait()

	seen := map[graph.ID]graph.Cursor{}
	for after := graph.Cursor(0); ; {
		changes := must[[]graph.Change](t)(s.Changes(ctx, sc, after, 0))
		if len(changes) == 0 {
			break
		}
		for _, c := range changes {
			if _, twice := seen[c.ID]; twice || c.Cursor <= after {
				t.Errorf("change %+v after %d, seen before: %v", c, after, twice)
			}
			seen[c.ID], after = c.Cursor, c.Cursor
		}
	}
	lost := 0
	acked.Range(func(id, cursor any) bool {
		if seen[id.(graph.ID)] != cursor.(graph.Cursor) {
			lost++
		}
		return true
	})
	listed := 0
	for q := (graph.MemoryQuery{}); ; {
		var page []*graph.Memory
		err := s.View(ctx, sc, func(r graph.Reader) (err error) { page, err = r.ListMemories(q); return err })
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, m := range page {
			if seen[m.ID] == 0 {
				t.Errorf("%s is stored and was never in the feed", m.ID)
			}
		}
		listed += len(page)
		q.After = page[len(page)-1].ID
	}
	if lost > 0 || listed != len(seen) {
		t.Errorf("%d of %d acknowledged writes lost; %d memories, %d changes", lost, count.Load(), listed, len(seen))
	}
}
