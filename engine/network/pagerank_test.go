package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func built(t testing.TB, n int, edges ...Edge) *Graph {
	t.Helper()
	g, err := New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Solved by hand, as fractions.
func TestPageRank(t *testing.T) {
	for _, c := range []struct {
		name  string
		n     int
		edges []Edge
		want  []float64
	}{
		{"nothing", 0, nil, nil},
		{"alone", 1, nil, []float64{1}},
		{"three strangers", 3, nil, []float64{1. / 3, 1. / 3, 1. / 3}},
		// a = 0.15/2 + 0.85·b/2, because b has no outgoing edge; a + b = 1.
		{"one way", 2, []Edge{{0, 1, 1}}, []float64{20. / 57, 37. / 57}},
		{"a ring", 4, []Edge{{0, 1, 1}, {1, 2, 7}, {2, 3, 1}, {3, 0, 0.001}}, []float64{.25, .25, .25, .25}},
		// hub = 0.05 + 0.85·(1 − hub); each leaf has half of the remainder.
		{"a star, both ways", 3, []Edge{{0, 1, 1}, {1, 0, 1}, {0, 2, 1}, {2, 0, 1}}, []float64{18. / 37, 9.5 / 37, 9.5 / 37}},
		// a = 0.05 + 0.85·(b + c); b = 0.05 + 0.85·a·3/4; c = 0.05 + 0.85·a/4.
		{"by weight", 3, []Edge{{0, 1, 3}, {0, 2, 1}, {1, 0, 1}, {2, 0, 1}}, []float64{18. / 37, 0.05 + 0.85*0.75*18/37, 0.05 + 0.85*0.25*18/37}},
		{"no edge by weight 0", 2, []Edge{{0, 1, 0}}, []float64{.5, .5}},
		{"many edges are one", 2, []Edge{{0, 1, .25}, {0, 1, 9}}, []float64{20. / 57, 37. / 57}},
		{"weights that no sum can hold", 3, []Edge{{0, 1, math.MaxFloat64}, {0, 2, math.MaxFloat64}, {1, 0, 5e-324}, {2, 0, 1}}, []float64{18. / 37, 9.5 / 37, 9.5 / 37}},
	} {
		got := built(t, c.n, c.edges...).PageRank()
		if len(got) != len(c.want) {
			t.Fatalf("%s: %v, want %v", c.name, got, c.want)
		}
		for v, want := range c.want {
			near(t, fmt.Sprintf("%s: node %d", c.name, v), got[v], want, 6e-9)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		n int
		e Edge
	}{{-1, Edge{}}, {0, Edge{0, 0, 1}}, {2, Edge{0, 2, 1}}, {2, Edge{-1, 0, 1}}, {2, Edge{0, 1, -1}}, {2, Edge{0, 1, math.NaN()}}, {2, Edge{0, 1, math.Inf(1)}}} {
		if _, err := New(c.n, []Edge{c.e}); err == nil {
			t.Errorf("%d nodes and %v were accepted", c.n, c.e)
		}
	}
}

func TestNormalised(t *testing.T) {
	if got := Normalised([]float64{.1, .4, .2}); !slices.Equal(got, []float64{.25, 1, .5}) {
		t.Error(got)
	}
	if got := Normalised([]float64{0, 0}); !slices.Equal(got, []float64{0, 0}) {
		t.Error(got)
	}
}

func drawEdges(t *rapid.T, n, most int) []Edge {
	node := rapid.Int32Range(0, int32(n)-1)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Edge {
		return Edge{node.Draw(t, "from"), node.Draw(t, "to"), rapid.SampledFrom([]float64{0, .25, 1, 1, 3.7}).Draw(t, "weight")}
	}), 0, most).Draw(t, "edges")
}

// The power method agrees with elimination over the dense equations
// (I − d·Pᵀ − d·dangling/n) · rank = (1 − d)/n.
func TestPageRankSolvesItsEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		edges := drawEdges(t, n, 30)
		out := make([]float64, n)
		for _, e := range edges {
			out[e.From] += e.Weight
		}
		m := make([][]float64, n) // the right side is the last column
		for i := range m {
			m[i] = make([]float64, n+1)
			m[i][i] = 1
			m[i][n] = .15 / float64(n)
			for j := range n {
				if out[j] == 0 {
					m[i][j] -= .85 / float64(n)
				}
			}
		}
		for _, e := range edges {
			if out[e.From] > 0 {
				m[e.To][e.From] -= .85 * e.Weight / out[e.From]
			}
		}
		want := eliminate(m)
		g, err := New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		got := g.PageRank()
		off, sum := 0.0, 0.0
		for v := range want {
			off += math.Abs(got[v] - want[v])
			sum += got[v]
		}
		if !(off <= 6e-9) || math.Abs(sum-1) > 1e-12 {
			t.Fatalf("%v (sum %v), want %v", got, sum, want)
		}
	})
}

// eliminate solves linear equations by Gauss–Jordan elimination.
func eliminate(m [][]float64) []float64 {
	n := len(m)
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[best][c]) {
				best = r
			}
		}
		m[c], m[best] = m[best], m[c]
		for r := range n {
			if f := m[r][c] / m[c][c]; r != c {
				for k := c; k <= n; k++ {
					m[r][k] -= f * m[c][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = m[i][n] / m[i][i]
	}
	return x
}

// The same graph gives the same bits, in any order of edges and on any number of cores.
func TestPageRankIsDeterministic(t *testing.T) {
	const seed = 7
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	edges := randomEdges(random, 500, 4000)
	first := built(t, 500, edges...).PageRank()
	for _, cores := range []int{1, 2, 8} {
		was := runtime.GOMAXPROCS(cores)
		random.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
		again := built(t, 500, edges...).PageRank()
		runtime.GOMAXPROCS(was)
		if !slices.Equal(first, again) {
			t.Fatalf("on %d cores, in another order, the ranks differ", cores)
		}
	}
}

// randomEdges prefers small nodes, so that there are hubs.
func randomEdges(random *rand.Rand, n, count int) []Edge {
	edges := make([]Edge, count)
	for i := range edges {
		f := random.Float64()
		edges[i] = Edge{int32(random.IntN(n)), int32(f * f * f * float64(n)), random.Float64()}
	}
	return edges
}

func TestCentrality(t *testing.T) {
	got, err := Centrality([]Link{{"b", "hub", 1}, {"hub", "a", 1}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "hub", got["hub"], 1, 0)
	near(t, "a", got["a"], 9.5/18, 3e-8)
	near(t, "b", got["b"], got["a"], 0)
	if len(got) != 3 {
		t.Errorf("%v", got)
	}
	if got, err := Centrality(nil); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Centrality([]Link{{"a", "b", math.NaN()}}); err == nil {
		t.Error("a NaN weight was accepted")
	}
}

func ExampleCentrality() {
	// Both memories mention Oslo, one of them also Ada.
	central, err := Centrality([]Link{
		{A: "memory 1", B: "Oslo", Weight: 1},
		{A: "memory 2", B: "Oslo", Weight: 1},
		{A: "memory 2", B: "Ada", Weight: 1},
	})
	if err != nil {
		panic(err)
	}
	for _, id := range []graph.ID{"memory 1", "memory 2", "Oslo", "Ada"} {
		fmt.Printf("%s %.2f\n", id, central[id])
	}
	// Output:
	// memory 1 0.54
	// memory 2 1.00
	// Oslo 1.00
	// Ada 0.54
}

// Mentions of entities in memories, as in a sleep.
func BenchmarkCentrality(b *testing.B) {
	const memories, mentions, entities = 100_000, 500_000, 20_000
	random := rand.New(rand.NewPCG(5, 6))
	ties := make([]Link, mentions)
	for i := range ties {
		f := random.Float64()
		ties[i] = Link{
			graph.ID(fmt.Sprintf("019c7a3e-0000-7000-8000-%012d", random.IntN(memories))),
			graph.ID(fmt.Sprintf("019c7a3e-0000-7000-9000-%012d", int(f*f*f*entities))), 1,
		}
	}
	for b.Loop() {
		if _, err := Centrality(ties); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPageRank(b *testing.B) {
	const nodes, edges = 100_000, 500_000
	all := randomEdges(rand.New(rand.NewPCG(1, 2)), nodes, edges)
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			built(b, nodes, all...)
		}
	})
	b.Run("rank", func(b *testing.B) {
		g := built(b, nodes, all...)
		for b.Loop() {
			g.PageRank()
		}
	})
	b.Run("rank, both ways", func(b *testing.B) { // as in Centrality
		both := slices.Clone(all)
		for _, e := range all {
			both = append(both, Edge{e.To, e.From, e.Weight})
		}
		g := built(b, nodes, both...)
		for b.Loop() {
			g.PageRank()
		}
	})
}
