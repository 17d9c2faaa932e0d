package umap

import (
	"cmp"
	"context"
)

// Options configure a map. The zero value is ready to use.
type Options struct {
	Workers int // maximum processors; 0: all. It does not change the map

	epochs int // epochs of the layout; 0: 500 for up to 10,000 points, 200 for more, and 50 in Grow
}

const (
	dims           = 3    // dimensions of the map
	neighbourCount = 15   // k, the size of a neighbourhood including its point
	mapSeed        = 0    // seed of the random numbers
	exactLimit     = 4096 // vectors above which the exact search is slower
	manyPoints     = 10_000
	startRate      = 0.5 // initial rate of the layout, falling linearly to 0
)

// epochCount is the number of epochs of the layout of n points.
func (o Options) epochCount(n int) int {
	if n > manyPoints {
		return cmp.Or(o.epochs, 200)
	}
	return cmp.Or(o.epochs, 500)
}

// Map is a drawn map. It keeps the vectors, rounded to 16 bits an entry, to place others. It is
// safe for concurrent use as long as Places is not modified.
type Map struct {
	Places [][3]float32 // one for each vector
	Drift  float64      // in Grow: median move of the drawn points, in radii of the previous map

	epochs  int
	vectors *vectors
	forest  []*tree // nil: the map is small enough for exhaustive search
	graph   *fuzzyGraph
}

// Fit draws a map of any number of finite vectors of one dimension. Zero vectors are similar to
// each other only. The mean of the positions is the origin; the size results from the layout
// and is some tens. An error names an invalid vector or the end of the context.
func Fit(ctx context.Context, in [][]float32, o Options) (*Map, error) {
	m, c, err := prepare(ctx, in, o)
	if err != nil {
		return nil, err
	}
	m.Places, err = m.vectors.initialLayout(c)
	if err != nil {
		return nil, err
	}
	m.Places, err = m.layout(c, m.Places, nil, startRate)
	if err != nil {
		return nil, err
	}
	centre(m.Places)
	return m, nil
}

// prepare makes a map without positions.
func prepare(ctx context.Context, in [][]float32, o Options) (*Map, workerPool, error) {
	c := newWorkerPool(ctx, o.Workers)
	m := &Map{epochs: o.epochCount(len(in))}
	var err error
	if m.vectors, err = quantise(c, in); err != nil {
		return nil, c, err
	}
	if len(in) > exactLimit {
		if m.forest, err = m.vectors.growForest(c); err != nil {
			return nil, c, err
		}
	}
	near, err := m.neighbourhoods(c, min(neighbourCount-1, max(len(in)-1, 0)))
	if err != nil {
		return nil, c, err
	}
	m.graph, err = buildFuzzyGraph(c, near, float64(m.epochs))
	return m, c, err
}

// neighbourhoods are the k nearest neighbours of each vector.
func (m *Map) neighbourhoods(c workerPool, k int) ([][]Neighbour, error) {
	if k == 0 {
		return make([][]Neighbour, m.vectors.len()), nil
	}
	var lists [][]candidate
	var err error
	if m.forest == nil {
		lists, err = m.vectors.exactNeighbours(c, k)
	} else {
		lists, err = m.vectors.approximateNeighbours(c, k, m.forest)
	}
	if err != nil {
		return nil, err
	}
	return m.vectors.neighbours(lists, k), nil
}

// centre moves the mean of the positions to the origin.
func centre(places [][3]float32) {
	middle := mean(places)
	for i := range places {
		for d, x := range middle {
			places[i][d] = float32(float64(places[i][d]) - x)
		}
	}
}

func mean(places [][3]float32) (middle [3]float64) {
	for d := range middle {
		for _, p := range places {
			middle[d] += float64(p[d])
		}
		middle[d] /= float64(max(len(places), 1))
	}
	return middle
}
