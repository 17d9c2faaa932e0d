package cluster

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

// along is a unit vector in the plane at an angle in degrees.
func along(degrees float64) []float32 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return []float32{float32(c), float32(s)}
}

func name(i int) graph.ID { return graph.ID(fmt.Sprintf("m%05d", i)) }

func close(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// shuffled draws an order of n things.
func shuffled(t *rapid.T, n int) []int {
	return rapid.Permutation(sequence(n)).Draw(t, "order")
}

func sequence(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// blob draws unit vectors around a direction with the given spread.
func blob(r *rand.Rand, middle []float32, n int, spread float64) [][]float32 {
	out := make([][]float32, n)
	for i := range out {
		var m mean
		m.add(middle, 1)
		noise := make([]float32, len(middle))
		for k := range noise {
			noise[k] = float32(r.NormFloat64() / math.Sqrt(float64(len(middle))))
		}
		m.add(noise, spread)
		out[i] = m.unit()
	}
	return out
}

// direction draws a random unit vector.
func direction(r *rand.Rand, dim int) []float32 { return blob(r, make([]float32, dim), 1, 1)[0] }

// listed is a neighbour source backed by lists.
type listed [][]int

func (l listed) Near(i int) []int { return l[i] }

// exactNeighbours lists the k most similar vectors of each. Ties go to the lower place.
func exactNeighbours(vectors [][]float32, k int) Neighbours {
	lists := make(listed, len(vectors))
	for i := range vectors {
		list := slices.Delete(sequence(len(vectors)), i, i+1)
		slices.SortStableFunc(list, func(a, b int) int {
			return cmp.Compare(Cosine(vectors[i], vectors[b]), Cosine(vectors[i], vectors[a]))
		})
		lists[i] = list[:min(k, len(list))]
	}
	return lists
}

// none knows no neighbours.
type none struct{}

func (none) Near(int) []int { return nil }
