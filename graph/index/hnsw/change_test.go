package hnsw

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

func TestRecallOutlivesDeletions(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	w := newWorld(21, 1600, 32)
	each(t, w, func(t *testing.T, s testSpace) {
		g := built(s, len(w.vectors), Options{})
		before := w.recall(t, g, s, 60, nil, Constraints{})
		dead := func(node uint32) bool { return node%2 == 1 }
		live := func(node uint32) bool { return !dead(node) }
		if n := g.Repair(s, set(len(w.vectors), dead)); n != 800 || g.Len() != 800 {
			t.Fatalf("%d taken out, %d left", n, g.Len())
		}
		sound(t, g)
		for i := range uint32(1600) {
			if g.Has(i) != live(i) {
				t.Fatalf("node %d: in the graph %v", i, g.Has(i))
			}
		}
		atLeast(t, "recall of the half that is left", w.recall(t, g, s, 60, live, Constraints{}), before-.01)
		for i := range uint32(1600) { // others come in their place
			if dead(i) {
				w.vectors[i] = w.around(w.vectors[w.IntN(1600)], 0.7)
				s.Set(i, w.vectors[i])
				g.Insert(s, i)
			}
		}
		sound(t, g)
		atLeast(t, "recall after half was put again", w.recall(t, g, s, 60, nil, Constraints{}), before-.01)
	})
}

func TestRecallOutlivesManySmallRepairs(t *testing.T) {
	w := newWorld(22, 1200, 24)
	s := w.spaces()["int8"]
	g := built(s, len(w.vectors), Options{})
	before := w.recall(t, g, s, 60, nil, Constraints{})
	for round := range uint32(20) { // more than half, in the end
		gone := func(node uint32) bool { return (node*7+round)%37 == 0 }
		g.Repair(s, set(len(w.vectors), gone))
		for i := range uint32(1200) {
			if gone(i) {
				w.vectors[i] = w.around(w.vectors[w.IntN(1200)], 0.7)
				s.Set(i, w.vectors[i])
				g.Insert(s, i)
			}
		}
	}
	sound(t, g)
	atLeast(t, "recall", w.recall(t, g, s, 60, nil, Constraints{}), before-.02)
}

// Vectors far from all others are among no node's best neighbours.
func TestOutlierIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	w := newWorld(26, 1500, 64)
	for i := range w.vectors { // crowds around a few, and each third somewhere alone
		if i%3 == 0 {
			w.vectors[i] = w.around(nil, 1)
		} else {
			w.vectors[i] = w.around(w.vectors[i%5], 0.1)
		}
	}
	each(t, w, func(t *testing.T, s testSpace) {
		for _, m := range []int{8, 16} {
			g := built(s, 1500, Options{M: m})
			g.Repair(s, set(1500, func(node uint32) bool { return node%4 == 1 }))
			sound(t, g)
			g.eachNode(func(p *page, node uint32) {
				if p.inLinks[node&pageMask].Load() == 0 {
					t.Errorf("M %d: no node links to node %d", m, node)
				}
			})
			search := g.Searcher()
			s.SetQuery(search, w.vectors[2])
			hits, _ := search.Search(s, 2000, Constraints{})
			search.Free()
			atLeast(t, fmt.Sprintf("M %d: share that can be reached", m), float64(len(hits))/float64(g.Len()), .97)
		}
	})
}

func TestAllNodesCanBeRemovedAndAddedAgain(t *testing.T) {
	w := newWorld(23, 500, 8)
	s := w.spaces()["float32"]
	g := built(s, 500, Options{})
	all := func(uint32) bool { return true }
	if n := g.Repair(s, set(500, all)); n != 500 {
		t.Errorf("%d taken out", n)
	}
	sound(t, g)
	if n := g.Repair(s, set(500, all)); n != 0 {
		t.Errorf("%d taken out of nothing", n)
	}
	for i := range uint32(500) {
		g.Insert(s, i)
	}
	sound(t, g)
	atLeast(t, "recall", w.recall(t, g, s, 60, nil, Constraints{}), .97)
	g.Repair(s, set(500, func(node uint32) bool { return node != 77 })) // nothing is left to link to
	sound(t, g)
	if !g.Has(77) || g.Len() != 1 {
		t.Errorf("%d left", g.Len())
	}
}

func TestSearchDuringChanges(t *testing.T) {
	const n, half = 1200, 600
	w := newWorld(24, n, 16)
	each(t, w, func(t *testing.T, s testSpace) {
		g := built(s, half, Options{})
		var next atomic.Uint32
		next.Store(half)
		var done atomic.Bool
		var writers, readers sync.WaitGroup
		for range 3 {
			writers.Go(func() {
				for i := next.Add(1) - 1; i < n; i = next.Add(1) - 1 {
					g.Insert(s, i)
				}
			})
		}
		for r := range 2 {
			readers.Go(func() {
				for i := r; !done.Load(); i += 17 {
					search := g.Searcher()
					s.SetQuery(search, w.vectors[i%n])
					hits, _ := search.Search(s, 30, Constraints{})
					if len(hits) == 0 {
						t.Error("nothing found meanwhile")
					}
					search.Free()
				}
			})
		}
		writers.Wait()
		dead := func(node uint32) bool { return node%5 == 0 }
		g.Repair(s, set(n, dead)) // beside the searches, too
		copied := g.Renumber(identity(n))
		done.Store(true)
		readers.Wait()
		sound(t, g)
		sound(t, copied)
		keep := func(node uint32) bool { return !dead(node) }
		atLeast(t, "recall", w.recall(t, g, s, 100, keep, Constraints{}), .96)
	})
}

func identity(n int) []uint32 {
	to := make([]uint32, n)
	for i := range to {
		to[i] = uint32(i)
	}
	return to
}

func TestRenumberedGraphFindsTheSame(t *testing.T) {
	w := newWorld(25, 900, 24)
	s := w.spaces()["float32"]
	g := built(s, 900, Options{})
	turned := &world{Rand: w.Rand, dim: w.dim, vectors: make([][]float32, 900)}
	to := make([]uint32, 900)
	for i := range to {
		to[i] = uint32(899 - i)
		turned.vectors[899-i] = w.vectors[i]
	}
	r := g.Renumber(to)
	sound(t, r)
	other := turned.spaces()["float32"]
	for i := range uint32(50) {
		a, b := g.Searcher(), r.Searcher()
		s.SetQuery(a, w.vectors[i*9])
		other.SetQuery(b, w.vectors[i*9])
		x, _ := a.Search(s, 40, Constraints{})
		y, _ := b.Search(other, 40, Constraints{})
		same := 0
		for _, h := range x {
			for _, k := range y {
				if k.Node == to[h.Node] && k.Score == h.Score {
					same++
				}
			}
		}
		if same < 39 { // they may begin at another top
			t.Errorf("question %d: %d of %d alike", i, same, len(x))
		}
		a.Free()
		b.Free()
	}
	for i := range to { // a third leaves
		if i%3 == 0 {
			to[i] = Removed
		}
	}
	short := g.Renumber(to[:600])
	sound(t, short)
	if short.Len() != 600-200 {
		t.Errorf("%d nodes", short.Len())
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	for _, m := range []int{-1, 1, MaxM + 1} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("M %d was taken", m)
				}
			}()
			New(Options{M: m})
		}()
	}
	g := New(Options{M: 20, Effort: 3})
	if g.opts.Effort != 20 {
		t.Errorf("effort %d is less than M", g.opts.Effort)
	}
}

func BenchmarkInsert(b *testing.B) {
	w := newWorld(30, 20_000, 384)
	for name, s := range w.spaces() {
		b.Run(name, func(b *testing.B) {
			g := New(Options{})
			for i := range b.N {
				if i%len(w.vectors) == 0 {
					g = New(Options{})
				}
				g.Insert(s, uint32(i%len(w.vectors)))
			}
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	w := newWorld(31, 20_000, 384)
	for name, s := range w.spaces() {
		g := built(s, len(w.vectors), Options{})
		for _, effort := range []int{20, 50, 200, 400} {
			b.Run(fmt.Sprintf("%s/%d", name, effort), func(b *testing.B) {
				b.ReportAllocs()
				search := g.Searcher()
				defer search.Free()
				for i := 0; b.Loop(); i++ {
					s.SetQuery(search, w.vectors[i%len(w.vectors)])
					search.Search(s, effort, Constraints{})
				}
				b.ReportMetric(float64(search.Compared()), "compared")
			})
		}
	}
}
