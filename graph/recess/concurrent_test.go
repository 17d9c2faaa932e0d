package recess

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func statMode(path string) (os.FileMode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// Appends, reads, searches, seals, withdrawals and erasures at once: an acknowledged engram
// can be read at any later moment, an erased one never.
func TestConcurrentCalls(t *testing.T) {
	var a alarms
	r := open(t, Options{Dir: t.TempDir(), Rand: chacha(1), Alarm: a.raise, Cache: 4})
	const writers, each = 4, 10
	var writing, background sync.WaitGroup
	var acknowledged sync.Map
	var stop atomic.Bool
	lists := make([][]Engram, writers)
	for i := range lists {
		lists[i] = newMaker(uint64(i+1)).engrams(each, 5)
		for j := range lists[i] {
			lists[i][j].Vector = []float32{1, float32(i), float32(j)}
		}
	}
	for i, list := range lists {
		writing.Go(func() {
			for j, e := range list {
				if err := r.Append(ctx, kiwi, e); err != nil {
					t.Error(err)
					return
				}
				switch {
				case j%10 == 3:
					if _, err := r.Erase(ctx, kiwi, e.Memory.ID); err != nil {
						t.Error(err)
					}
				case j%10 == 7:
					if err := r.Withdraw(ctx, kiwi, e.Memory.ID); err != nil {
						t.Error(err)
					}
				default:
					acknowledged.Store(e.Memory.ID, i)
				}
			}
		})
	}
	background.Go(func() {
		for !stop.Load() {
			if _, err := r.Seal(ctx, kiwi); err != nil {
				t.Error(err)
			}
		}
	})
	background.Go(func() {
		for !stop.Load() {
			acknowledged.Range(func(id, _ any) bool {
				if _, err := r.Read(ctx, kiwi, id.(graph.ID)); err != nil {
					t.Errorf("read: %v", err)
				}
				return !stop.Load()
			})
		}
	})
	background.Go(func() {
		for !stop.Load() {
			f, err := r.Search(ctx, kiwi, Query{Vector: []float32{1, 2, 3}, K: 20})
			if err != nil || f.Unreadable > 0 {
				t.Errorf("search: %+v %v", f, err)
			}
			if _, err := r.Stats(ctx, kiwi); err != nil {
				t.Error(err)
			}
		}
	})
	writing.Wait()
	stop.Store(true)
	background.Wait()
	for _, list := range lists {
		for j, e := range list {
			_, err := r.Read(ctx, kiwi, e.Memory.ID)
			if gone := j%10 == 3 || j%10 == 7; gone != errors.Is(err, graph.ErrNotFound) || !gone && err != nil {
				t.Fatalf("%d: %v", j, err)
			}
		}
	}
	report, err := r.Scrub(ctx)
	if err != nil || len(report.Damaged) > 0 || a.count() > 0 {
		t.Fatalf("%+v %v %+v", report, err, a.list)
	}
}

// Concurrent appends of one engram are one engraving.
func TestConcurrentAppendsOfOneEngram(t *testing.T) {
	r := open(t, Options{Dir: t.TempDir(), Rand: chacha(1)})
	e := newMaker(1).engram("tea")
	other := e
	other.Memory.Content, other.Memory.Checksum = "Something else.", ""
	var wg sync.WaitGroup
	var refused atomic.Int32
	for i := range 16 {
		wg.Go(func() {
			x := e
			if i%4 == 0 {
				x = other
			}
			switch err := r.Append(ctx, kiwi, x); {
			case graph.CodeOf(err) == graph.CodeVersionConflict:
				refused.Add(1)
			case err != nil:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s, err := r.Seal(ctx, kiwi)
	must(t, err)
	if n := refused.Load(); s.Engrams != 1 || n != 4 && n != 12 {
		t.Errorf("%+v, %d refused", s, n)
	}
}
