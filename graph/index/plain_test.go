package index

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// What is kept of the plainest question is what a new look gives, at any later or earlier
// instant and for any statuses, while times to live run out.
func TestWhatPassesPlainlyIsKeptNoLongerThanItHolds(t *testing.T) {
	f, rnd := newFeed(), rand.New(rand.NewPCG(3, 9))
	for i := range 400 {
		at := epoch.Add(time.Duration(i) * time.Minute)
		f.put(f.memory(at, "a note", func(m *graph.Memory) {
			if rnd.IntN(3) == 0 {
				m.ExpiresAt = at.Add(time.Duration(rnd.IntN(600)) * time.Minute)
			}
			if rnd.IntN(5) == 0 {
				m.SetState(at.Add(time.Minute), func(s *graph.State) { s.Status = graph.Archived })
			}
		}), nil)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	v := x.at(world).reach(nil)[0].view.Load()
	kept := 0
	for range 500 {
		now := epoch.Add(time.Duration(rnd.IntN(1100))*time.Minute + time.Duration(rnd.IntN(3)-1)*time.Millisecond)
		filter := Filter{Statuses: [][]graph.Status{nil, {graph.Archived}, {graph.Active, graph.Expired}}[rnd.IntN(3)]}
		if p := v.plain.Load(); p != nil && p.from <= millis(now) && millis(now) < p.until {
			kept++
		}
		got := v.sift(&filter, now)
		v.plain.Store(nil)
		want := v.sift(&filter, now)
		if got.count != want.count || !slices.Equal(got.all, want.all) || !slices.Equal(got.vectors, want.vectors) {
			t.Fatalf("at %s for %v: %d pass, want %d", now, filter.Statuses, got.count, want.count)
		}
	}
	if kept == 0 {
		t.Error("nothing was ever kept")
	}
}

// Slots in order of id say so, and one that came late ends it.
func TestOrderOfSlots(t *testing.T) {
	f := newFeed()
	late := f.memory(epoch, "late")
	for range 3 {
		f.put(f.memory(epoch.Add(time.Minute), "in order"), nil)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	view := func() *view { return x.at(world).reach(nil)[0].view.Load() }
	if v := view(); !v.ordered || !v.before(0, 1) || v.before(2, 1) {
		t.Error("slots in order of id are not known to be")
	}
	f.put(late, nil)
	settle(t, x, f)
	if v := view(); v.ordered || !v.before(3, 0) || v.before(0, 3) {
		t.Error("what came late does not stand before the others")
	}
}
