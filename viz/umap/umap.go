package umap

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Options configure a map. The zero value is ready to use.
type Options struct {
	Dims       int    // dimensions of the map, 2 or 3; 0: 3
	Neighbours int    // k, the size of a neighbourhood including its point, 2 to 256; 0: 15
	Epochs     int    // epochs of the layout; 0: 500 for up to 10,000 points, 200 for more, and 50 in Grow
	Seed       uint64 // seed of the random numbers
	Workers    int    // maximum processors; 0: all. It does not change the map

	// Nearest returns the k nearest neighbours of each vector, nearest first, or all others if
	// there are fewer. nil: the built-in search, which is exact for up to 4,096 vectors and
	// finds nearly all neighbours for more.
	Nearest func(ctx context.Context, k int) ([][]Neighbour, error)

	// Progress is called with the share of the work done, in (0,1] and increasing, by the
	// goroutine that draws.
	Progress func(share float64)
}

const (
	exactLimit  = 4096 // vectors above which the exact search is slower
	manyPoints  = 10_000
	startRate   = 0.5 // initial rate of the layout, falling linearly to 0
	searchShare = 0.4 // share of the work, for Progress
)

func (o Options) withDefaults(n int) (Options, error) {
	o.Dims, o.Neighbours = cmp.Or(o.Dims, 3), cmp.Or(o.Neighbours, 15)
	if o.Epochs == 0 {
		o.Epochs = 500
		if n > manyPoints {
			o.Epochs = 200
		}
	}
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	switch {
	case o.Dims != 2 && o.Dims != 3:
		return o, fmt.Errorf("umap: dims must be 2 or 3, not %d", o.Dims)
	case o.Neighbours < 2 || o.Neighbours > 256:
		return o, fmt.Errorf("umap: neighbours must be 2 to 256, not %d", o.Neighbours)
	case o.Workers < 0:
		return o, fmt.Errorf("umap: workers must not be negative, not %d", o.Workers)
	case o.Epochs < 0:
		return o, fmt.Errorf("umap: epochs must not be negative, not %d", o.Epochs)
	}
	return o, nil
}

// Map is a drawn map. It keeps the vectors, rounded to 16 bits an entry, to place others. It is
// safe for concurrent use as long as Places is not modified.
type Map struct {
	Places [][3]float32 // one for each vector; on a two-dimensional map the last entry is 0
	Drift  float64      // in Grow: median move of the drawn points, in radii of the previous map

	options Options
	vectors *vectors
	forest  []*tree // nil: the map is small enough for exhaustive search
	graph   *fuzzyGraph
}

// Fit draws a map of any number of finite vectors of one dimension. Zero vectors are similar to
// each other only. The mean of the positions is the origin; the size results from the layout
// and is some tens. An error names an invalid vector, an option out of range, or the end of the
// context.
func Fit(ctx context.Context, in [][]float32, o Options) (*Map, error) {
	m, c, err := prepare(ctx, in, o)
	if err != nil {
		return nil, err
	}
	m.Places, err = m.vectors.initialLayout(c, m.options.Dims, m.options.Seed)
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
	o, err := o.withDefaults(len(in))
	if err != nil {
		return nil, workerPool{}, err
	}
	c := newWorkerPool(ctx, o.Workers)
	m := &Map{options: o}
	if m.vectors, err = quantise(c, in); err != nil {
		return nil, c, err
	}
	if len(in) > exactLimit {
		if m.forest, err = m.vectors.growForest(c, o.Seed); err != nil {
			return nil, c, err
		}
	}
	near, err := m.neighbourhoods(c, min(o.Neighbours-1, max(len(in)-1, 0)))
	if err != nil {
		return nil, c, err
	}
	m.graph, err = buildFuzzyGraph(c, near, float64(max(o.Epochs, 1)))
	return m, c, err
}

// neighbourhoods are the k nearest neighbours of each vector.
func (m *Map) neighbourhoods(c workerPool, k int) ([][]Neighbour, error) {
	n := m.vectors.len()
	if m.options.Nearest != nil {
		near, err := m.options.Nearest(c.ctx, k)
		if err != nil {
			return nil, err
		}
		return near, checkNeighbours(near, n, k)
	}
	progress := func(share float64) { m.options.Progress(share * searchShare) }
	if k == 0 {
		return make([][]Neighbour, n), nil
	}
	var lists [][]candidate
	var err error
	if m.forest == nil {
		lists, err = m.vectors.exactNeighbours(c, k)
	} else {
		lists, err = m.vectors.approximateNeighbours(c, k, m.forest, m.options.Seed, progress)
	}
	if err != nil {
		return nil, err
	}
	progress(1)
	return m.vectors.neighbours(lists, k), nil
}

func checkNeighbours(near [][]Neighbour, n, k int) error {
	if len(near) != n {
		return fmt.Errorf("umap: neighbours of %d vectors, want %d", len(near), n)
	}
	for i, list := range near {
		if len(list) != k {
			return fmt.Errorf("umap: %d neighbours of vector %d, want %d", len(list), i, k)
		}
		before := float32(0)
		for j, o := range list {
			if o.Index < 0 || int(o.Index) >= n || int(o.Index) == i || slices.ContainsFunc(list[:j], func(n Neighbour) bool { return n.Index == o.Index }) {
				return fmt.Errorf("umap: neighbour %d of vector %d is no other vector, or named twice", j, i)
			}
			if !(o.Distance >= before) || math.IsInf(float64(o.Distance), 0) {
				return fmt.Errorf("umap: neighbour %d of vector %d is at distance %g, less than the previous %g", j, i, o.Distance, before)
			}
			before = o.Distance
		}
	}
	return nil
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
