package cluster

import (
	"cmp"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Cosine is the cosine of two unit vectors, [−1,1]; 0 if their dimensions differ.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	// Four independent sums, so that the additions run in parallel.
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return max(-1, min(1, float64(s0)+float64(s1)+float64(s2)+float64(s3)))
}

// mean is a weighted sum of vectors.
type mean struct{ sum []float64 }

func (m *mean) add(v []float32, weight float64) {
	if m.sum == nil {
		m.sum = make([]float64, len(v))
	}
	if len(v) != len(m.sum) {
		return
	}
	for i, x := range v {
		m.sum[i] += weight * float64(x)
	}
}

// length is the Euclidean length of the sum.
func (m *mean) length() float64 {
	s := 0.0
	for _, x := range m.sum {
		s += x * x
	}
	return math.Sqrt(s)
}

// unit is the sum scaled to length 1; nil if its length is 0.
func (m *mean) unit() []float32 {
	n := m.length()
	if n == 0 {
		return nil
	}
	out := make([]float32, len(m.sum))
	for i, x := range m.sum {
		out[i] = float32(x / n)
	}
	return out
}

// Mean is the mean direction of vectors, weighted. The zero Mean has none.
type Mean struct {
	mean
	Members int // vectors added
}

// Add adds a vector, unless it has another dimension than the first one.
func (m *Mean) Add(v []float32, weight float64) {
	if m.add(v, weight); len(v) == len(m.sum) {
		m.Members++
	}
}

// Unit returns the mean at length 1; nil if there is none. The caller may change it.
func (m *Mean) Unit() []float32 { return m.unit() }

// Neighbours finds the nearest neighbours of an item.
type Neighbours interface {
	// Near returns the indices of the items most similar to item i, in any order, with or
	// without i itself. The source chooses how many. An approximate source may miss some.
	Near(i int) []int
}

// NeighbourLists are the indices of the neighbours of each item. They implement Neighbours.
type NeighbourLists [][]int32

// Near implements Neighbours.
func (n NeighbourLists) Near(i int) []int {
	out := make([]int, len(n[i]))
	for k, x := range n[i] {
		out[k] = int(x)
	}
	return out
}

// idOrder returns the indices of items in id order, and the rank of each index in it.
func idOrder(n int, id func(int) graph.ID) (places, rank []int) {
	places = make([]int, n)
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(id(a), id(b)) })
	rank = make([]int, n)
	for r, p := range places {
		rank[p] = r
	}
	return places, rank
}
