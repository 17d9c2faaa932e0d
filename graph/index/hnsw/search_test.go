package hnsw

import (
	"fmt"
	"slices"
	"testing"
)

func TestSearchFindsNearest(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	for _, dim := range []int{3, 20, 96} {
		w := newWorld(uint64(dim), 1500, dim)
		each(t, w, func(t *testing.T, s testSpace) {
			g := built(s, len(w.vectors), Options{})
			sound(t, g)
			atLeast(t, fmt.Sprintf("recall in %d dimensions", dim), w.recall(t, g, s, 100, nil, Constraints{}), .97)
		})
	}
}

func TestEffortAboveNodeCountFindsAll(t *testing.T) {
	w := newWorld(2, 40, 8)
	each(t, w, func(t *testing.T, s testSpace) {
		g := New(Options{M: 4})
		for n := range w.vectors {
			search := g.Searcher()
			s.SetQuery(search, w.vectors[0])
			hits, _ := search.Search(s, 1000, Constraints{})
			if len(hits) != n {
				t.Fatalf("%d hits among %d nodes", len(hits), n)
			}
			search.Free()
			g.Insert(s, uint32(n))
			g.Insert(s, uint32(n)) // once is enough
		}
		sound(t, g)
	})
}

func TestEqualVectorsAreAllFound(t *testing.T) {
	w := newWorld(3, 300, 8)
	for i := range 200 {
		w.vectors[i] = w.vectors[0]
	}
	each(t, w, func(t *testing.T, s testSpace) {
		g := built(s, len(w.vectors), Options{})
		sound(t, g)
		search := g.Searcher()
		defer search.Free()
		s.SetQuery(search, w.vectors[0])
		hits, _ := search.Search(s, 64, Constraints{})
		for _, h := range hits {
			if h.Node >= 200 {
				t.Fatalf("node %d, score %g, before its better", h.Node, h.Score)
			}
		}
		if len(hits) != 64 {
			t.Errorf("%d hits", len(hits))
		}
		// Every equal vector is found, and so is the rest of the world.
		hits, _ = search.Search(s, 1000, Constraints{})
		atLeast(t, "share that can be reached", float64(len(hits))/300, .99)
		for _, i := range []uint32{3, 77, 199} {
			hits, _ = search.Search(s, 10, Constraints{Allowed: set(300, func(node uint32) bool { return node == i })})
			if len(hits) != 1 {
				t.Errorf("node %d is not found alone", i)
			}
		}
	})
}

func TestOnlyPassingNodesAreReturned(t *testing.T) {
	w := newWorld(4, 2000, 32)
	each(t, w, func(t *testing.T, s testSpace) {
		g := built(s, len(w.vectors), Options{})
		for _, one := range []uint32{1, 2, 5, 20} {
			keep := func(node uint32) bool { return node%one == 0 }
			got := w.recall(t, g, s, 80, keep, Constraints{Allowed: set(len(w.vectors), keep)})
			atLeast(t, fmt.Sprintf("recall where one of %d passes", one), got, .97)
		}
		nobody := func(uint32) bool { return false }
		search := g.Searcher()
		defer search.Free()
		s.SetQuery(search, w.vectors[0])
		hits, finished := search.Search(s, 10, Constraints{Allowed: set(len(w.vectors), nobody)})
		if len(hits) != 0 || !finished {
			t.Errorf("%d hits, finished %v, where nothing passes", len(hits), finished)
		}
		if hits, _ := search.Search(s, 10, Constraints{Allowed: []uint64{}}); len(hits) != 0 {
			t.Errorf("%d hits beyond the end of the set", len(hits))
		}
	})
}

func TestSearchStopsAtItsBudget(t *testing.T) {
	w := newWorld(5, 2000, 16)
	s := w.spaces()["float32"]
	g := built(s, len(w.vectors), Options{})
	search := g.Searcher()
	defer search.Free()
	s.SetQuery(search, w.vectors[7])
	few := set(len(w.vectors), func(node uint32) bool { return node == 1999 })
	hits, finished := search.Search(s, 10, Constraints{Allowed: few, Budget: 300})
	if finished || len(hits) > 1 {
		t.Errorf("%d hits, finished %v", len(hits), finished)
	}
	if n := search.Compared(); n < 300 || n > 300+2*Batch {
		t.Errorf("gave up after %d comparisons", n)
	}
	hits, finished = search.Search(s, 10, Constraints{Allowed: few})
	if !finished || len(hits) != 1 || hits[0].Node != 1999 {
		t.Errorf("without a budget: %v, %v", hits, finished)
	}
}

// limited is a space that has only the nodes below a limit.
type limited struct {
	testSpace
	limit uint32
	t     *testing.T
}

func (l limited) Compare(p *Probe, nodes []uint32, scores []float32) {
	for _, n := range nodes {
		if n >= l.limit {
			l.t.Fatalf("asked about node %d, limit %d", n, l.limit)
		}
	}
	l.testSpace.Compare(p, nodes, scores)
}

func TestNewerNodesAreIgnored(t *testing.T) {
	w := newWorld(6, 1600, 16)
	s := w.spaces()["float32"]
	g := built(s, len(w.vectors), Options{})
	top, _, _ := g.entry()
	for _, limit := range []uint32{800, top, 100} { // with and without the top
		keep := func(node uint32) bool { return node < limit }
		got := w.recall(t, g, limited{s, limit, t}, 200, keep, Constraints{NodeLimit: limit})
		atLeast(t, fmt.Sprintf("recall below %d", limit), got, .8)
	}
}

func TestSameInsertionOrderMakesSameGraph(t *testing.T) {
	w := newWorld(7, 500, 24)
	s := w.spaces()["int8"]
	a, b := built(s, 500, Options{Seed: 5}), built(s, 500, Options{Seed: 5})
	bytes := func(g *Graph) []byte { return g.AppendNodes(g.AppendHead(nil), 0, g.Bound()) }
	if !slices.Equal(bytes(a), bytes(b)) {
		t.Error("the same insertions made another graph")
	}
	if slices.Equal(bytes(a), bytes(built(s, 500, Options{Seed: 6}))) {
		t.Error("the seed changes nothing")
	}
}

func TestLevelsThinOutByM(t *testing.T) {
	for _, m := range []int{2, 16, 32} {
		g := New(Options{M: m})
		var on [maxLevel + 2]float64
		const n = 200_000
		for i := range uint32(n) {
			for l := g.randomLevel(i); l >= 0; l-- {
				on[l]++
			}
		}
		if got, want := on[1]/n, 1/float64(m); got < .9*want || got > 1.1*want {
			t.Errorf("M %d: %.4f of the nodes are above level 0, want %.4f", m, got, want)
		}
	}
}

func TestSearchAllocatesNothing(t *testing.T) {
	w := newWorld(8, 2000, 48)
	each(t, w, func(t *testing.T, s testSpace) {
		g := built(s, len(w.vectors), Options{})
		search := g.Searcher() // held, for a pool may be emptied at any time
		defer search.Free()
		pass := set(2000, func(node uint32) bool { return node%3 > 0 })
		ask := func() {
			s.SetQuery(search, w.vectors[9])
			search.Search(s, 50, Constraints{})
			search.Search(s, 50, Constraints{Allowed: pass, NodeLimit: 1900, Budget: 1 << 20})
		}
		ask()
		if n := testing.AllocsPerRun(50, ask); n > 0 {
			t.Errorf("%g allocations", n)
		}
	})
}

func TestSearchKeepsNoReferenceToQuery(t *testing.T) {
	w := newWorld(9, 100, 48)
	each(t, w, func(t *testing.T, s testSpace) {
		g := built(s, len(w.vectors), Options{})
		search := g.Searcher()
		s.SetQuery(search, w.vectors[9])
		search.Search(s, 50, Constraints{})
		search.Free()
		for _, v := range search.Floats[:cap(search.Floats)] {
			if v != 0 {
				t.Fatal("the question is still there")
			}
		}
		for _, row := range search.Rows {
			if row != nil {
				t.Fatal("a row is still held")
			}
		}
		if slices.ContainsFunc(search.Codes, func(c int8) bool { return c != 0 }) {
			t.Fatal("codes of the question are still there")
		}
	})
}

func TestGraphSizeWithCodes(t *testing.T) {
	w := newWorld(10, 2*pageSize, 384)
	spaces := w.spaces()
	size := func(s testSpace) float64 {
		return float64(s.Bytes() + built(s, len(w.vectors), Options{Effort: 20}).Bytes())
	}
	if share := size(spaces["int8"]) / size(spaces["float32"]); share > .4 {
		t.Errorf("%.3f of the memory of float32", share)
	}
}
