package hnsw

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// world is a set of vectors for searches.
type world struct {
	*rand.Rand
	dim     int
	vectors [][]float32
}

// newWorld makes n vectors of unit length around 40 topics that vary in few directions.
func newWorld(seed uint64, n, dim int) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 5)), dim: dim}
	topics := make([][]float32, 40)
	for i := range topics {
		topics[i] = w.around(nil, 1)
	}
	for range n {
		w.vectors = append(w.vectors, w.around(topics[w.IntN(len(topics))], 0.7))
	}
	return w
}

func (w *world) around(centre []float32, spread float64) []float32 {
	v := make([]float32, w.dim)
	var square float64
	for i := range v {
		x := w.NormFloat64() * spread / math.Sqrt(float64(w.dim))
		if centre != nil {
			x += float64(centre[i])
		}
		v[i] = float32(x)
		square += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(square))
	}
	return v
}

// spaces returns both kinds of spaces with the vectors.
func (w *world) spaces() map[string]testSpace {
	all := map[string]testSpace{"float32": NewFloats(w.dim), "int8": NewCodes(w.dim)}
	for _, s := range all {
		for i, v := range w.vectors {
			s.Set(uint32(i), v)
		}
	}
	return all
}

type testSpace interface {
	Space
	Set(node uint32, v []float32)
	SetQuery(s *Searcher, v []float32)
	Bytes() int
}

// built makes the graph of the first n vectors.
func built(s Space, n int, o Options) *Graph {
	g := New(o)
	for i := range uint32(n) {
		g.Insert(s, i)
	}
	return g
}

// best returns the k nearest to q for which keep is true, by comparing all.
func (w *world) best(q []float32, k int, keep func(node uint32) bool) []Hit {
	var all []Hit
	for i, v := range w.vectors {
		if keep == nil || keep(uint32(i)) {
			all = append(all, Hit{uint32(i), dot(q, v)})
		}
	}
	slices.SortFunc(all, byScore)
	return all[:min(k, len(all))]
}

func dot(a, b []float32) float32 { return kernel.Dot(a, b) }

func byScore(a, b Hit) int {
	switch {
	case a.Score > b.Score:
		return -1
	case a.Score < b.Score:
		return 1
	}
	return int(a.Node) - int(b.Node)
}

// recall returns the share of the 10 nearest that searches find, with exact scores.
func (w *world) recall(t testing.TB, g *Graph, s testSpace, effort int, keep func(node uint32) bool, in Constraints) float64 {
	t.Helper()
	const k, questions = 10, 40
	found, wanted := 0, 0
	for range questions {
		q := w.around(w.vectors[w.IntN(len(w.vectors))], 0.7)
		right := w.best(q, k, keep)
		search := g.Searcher()
		s.SetQuery(search, q)
		hits, finished := search.Search(s, effort, in)
		if !finished {
			t.Fatal("the search stopped without a budget")
		}
		again := slices.Clone(hits)
		search.Free()
		seen := map[uint32]bool{}
		for i, h := range again {
			if keep != nil && !keep(h.Node) {
				t.Fatalf("node %d must not be returned", h.Node)
			}
			if seen[h.Node] {
				t.Fatalf("node %d occurs twice among the hits", h.Node)
			}
			if i > 0 && h.Score > hits[i-1].Score {
				t.Fatal("hits are not best first")
			}
			seen[h.Node] = true
			again[i].Score = dot(q, w.vectors[h.Node])
		}
		slices.SortFunc(again, byScore)
		for _, h := range again[:min(k, len(again))] {
			if slices.ContainsFunc(right, func(r Hit) bool { return r.Node == h.Node }) {
				found++
			}
		}
		wanted += len(right)
	}
	return float64(found) / float64(wanted)
}

func atLeast(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got < want {
		t.Errorf("%s: %.3f, want at least %.3f", what, got, want)
	}
}

// sound checks the invariants of every graph at rest: no list is too long, and every link leads
// to another node of its level.
func sound(t *testing.T, g *Graph) {
	t.Helper()
	n := 0
	in := map[uint32]int32{}
	g.eachNode(func(p *page, node uint32) {
		n++
		for l := g.level(p, node); l >= 0; l-- {
			seen := map[uint32]bool{}
			ended := false
			for _, link := range g.links(p, node, l) {
				if link == noLink {
					ended = true
					continue
				}
				if ended || link == node || seen[link] || !g.Has(link) || g.level(g.page(link), link) < l {
					t.Fatalf("node %d, level %d: bad link to %d in %v", node, l, link, g.links(p, node, l))
				}
				seen[link] = true
				if l == 0 {
					in[link]++
				}
			}
		}
	})
	g.eachNode(func(p *page, node uint32) {
		if got := p.inLinks[node&pageMask].Load(); got != in[node] {
			t.Fatalf("%d links lead to node %d, %d are counted", in[node], node, got)
		}
	})
	if n != g.Len() {
		t.Fatalf("%d nodes, and Len says %d", n, g.Len())
	}
	top, level, ok := g.entry()
	if ok != (n > 0) || ok && (!g.Has(top) || g.level(g.page(top), top) != level) {
		t.Fatalf("the top is %d of level %d (%v), of %d nodes", top, level, ok, n)
	}
}

// set returns the set of nodes for which fn is true.
func set(n int, fn func(node uint32) bool) []uint64 {
	b := make([]uint64, (n+63)/64)
	for i := range uint32(n) {
		if fn(i) {
			b[i>>6] |= 1 << (i & 63)
		}
	}
	return b
}

func each(t *testing.T, w *world, run func(t *testing.T, s testSpace)) {
	for name, s := range w.spaces() {
		t.Run(fmt.Sprint(name), func(t *testing.T) { run(t, s) })
	}
}
