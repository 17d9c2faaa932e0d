package cluster

import (
	"cmp"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Cosine is the likeness of two unit vectors, [−1,1]; 0 where their lengths differ.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	// Four sums: the additions do not wait for each other.
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

// mean sums vectors by weight.
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

// unit is the sum at length 1; nil where it has none.
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

// Neighbours says which items lie near one.
type Neighbours interface {
	// Near answers the places of the items most like the one at place i, as many as the
	// source looks for, in any order, with or without i itself. An approximate source
	// may miss some.
	Near(i int) []int
}

// idOrder answers the places of items in the order of their ids, and the rank of each
// place in it.
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
