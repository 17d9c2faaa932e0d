package umap

import (
	"context"
	"fmt"
	"math"
)

const (
	growEpochs = 50
	drawnRate  = 0.012 // of known points, beside new ones: docs/benchmarks.md has what it was chosen by
)

// PointState is what is known of a point before its map is drawn again.
type PointState uint8

const (
	Unknown PointState = iota // it starts among its neighbours
	Placed                    // it has a place, but none that was drawn: it may leave it
	Drawn                     // it has a place on the map before: it stays about there
)

// Grow draws the map of a set that has changed since the last map. known answers how
// every vector stands, and where. All move through a few epochs, those that were drawn
// before slowly, and the map is turned and shifted, never scaled, to lie on the one
// before. [Map.Drift] says how far the drawn ones went.
//
// Where none was drawn before, all move through the epochs of a [Fit], from the places
// they have; where none has a place, it is a [Fit].
func Grow(ctx context.Context, in [][]float32, known func(i int) ([3]float32, PointState), o Options) (*Map, error) {
	b, err := newStartState(len(in), known, o.Dims)
	if err != nil {
		return nil, err
	}
	if len(b.anchors) == 0 {
		return Fit(ctx, in, o)
	}
	if o.Epochs == 0 && b.drawn {
		o.Epochs = growEpochs
	}
	m, c, err := prepare(ctx, in, o)
	if err != nil {
		return nil, err
	}
	before := selectPlaces(b.places, b.anchors)
	m.placeUnknown(b.places, b.placed)
	if m.Places, err = m.layout(c, b.places, b.rateFactor, startRate); err != nil {
		return nil, err
	}
	t := Procrustes(selectPlaces(m.Places, b.anchors), before, Alignment{})
	for i, p := range m.Places {
		m.Places[i] = t.Apply(p)
	}
	if b.drawn {
		m.Drift = Displacement(before, selectPlaces(m.Places, b.anchors))
	}
	return m, nil
}

// Restore is the map of vectors that have their places already, to put others on it.
func Restore(ctx context.Context, in [][]float32, places [][3]float32, o Options) (*Map, error) {
	if len(places) != len(in) {
		return nil, fmt.Errorf("umap: %d places of %d vectors", len(places), len(in))
	}
	b, err := newStartState(len(in), func(i int) ([3]float32, PointState) { return places[i], Drawn }, o.Dims)
	if err != nil {
		return nil, err
	}
	m, _, err := prepare(ctx, in, o)
	if err != nil {
		return nil, err
	}
	m.Places = b.places
	return m, nil
}

// startState is how the points of a map stand.
type startState struct {
	places     [][3]float32
	placed     []bool
	rateFactor []float32 // what the rate of a point is multiplied by
	drawn      bool      // some were
	anchors    []int     // points to align the map by: the drawn ones, or else the placed ones
}

func newStartState(n int, known func(i int) ([3]float32, PointState), dims int) (*startState, error) {
	b := &startState{places: make([][3]float32, n), placed: make([]bool, n), rateFactor: make([]float32, n)}
	var drawn, placed []int
	for i := range n {
		at, standing := known(i)
		b.rateFactor[i] = 1
		switch standing {
		case Unknown:
			continue
		case Placed:
			placed = append(placed, i)
		case Drawn:
			drawn = append(drawn, i)
			b.rateFactor[i] = drawnRate
		default:
			return nil, fmt.Errorf("umap: the standing of vector %d is unknown: %d", i, standing)
		}
		if dims == 2 {
			at[2] = 0
		}
		for _, x := range at {
			if x != x || math.IsInf(float64(x), 0) {
				return nil, fmt.Errorf("umap: the place of vector %d is not finite", i)
			}
		}
		b.places[i], b.placed[i] = at, true
	}
	b.drawn, b.anchors = len(drawn) > 0, drawn
	if !b.drawn {
		b.anchors = placed
	}
	return b, nil
}

func selectPlaces(places [][3]float32, which []int) [][3]float32 {
	out := make([][3]float32, len(which))
	for k, i := range which {
		out[k] = places[i]
	}
	return out
}

// placeUnknown gives a place to the points that have none: among their neighbours that have
// one, round by round outwards; where a whole island has none, beside the point that is
// most like its first.
func (m *Map) placeUnknown(places [][3]float32, placed []bool) {
	var waiting []int
	for i, p := range placed {
		if !p {
			waiting = append(waiting, i)
		}
	}
	put := func(i int, at [3]float32) {
		noise := seeded(m.options.Seed, streamStart, i)
		for d := range m.options.Dims {
			at[d] += float32(noise.signed() * 1e-2)
		}
		places[i] = at
	}
	for len(waiting) > 0 {
		var done, still []int
		for _, i := range waiting {
			var have []edge
			for _, e := range m.graph.edgesOf(i) {
				if placed[e.to] {
					have = append(have, e)
				}
			}
			if len(have) == 0 {
				still = append(still, i)
				continue
			}
			put(i, weightedMean(have, places))
			done = append(done, i)
		}
		if len(done) == 0 {
			i := still[0]
			best := candidate{key: -3 * unitScale}
			for j, p := range placed {
				if c := (candidate{key: m.vectors.key(i, j), index: int32(j)}); p && c.better(best) {
					best = c
				}
			}
			put(i, places[best.index])
			done, still = still[:1], still[1:]
		}
		for _, i := range done {
			placed[i] = true
		}
		waiting = still
	}
}
