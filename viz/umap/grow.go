package umap

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

const (
	growEpochs = 50
	drawnRate  = 0.012 // rate of points that were on the map, relative to new ones; see docs/benchmarks.md
)

// PointState is the state of a point before its map is redrawn.
type PointState uint8

const (
	Unknown PointState = iota // no position; it starts among its neighbours
	Placed                    // a position from placing; it may move
	Drawn                     // a position from a drawing; it stays near it
)

// Grow draws the map of a set that has changed. known returns the position and state of every
// vector. All points move through a few epochs, drawn ones slowly. Then the map is rotated and
// translated, but not scaled, to match the previous one. [Map.Drift] is the move of the drawn
// points.
//
// If no point was drawn before, all move through the epochs of a [Fit], from their positions;
// if none has a position, it is a [Fit].
func Grow(ctx context.Context, in [][]float32, known func(i int) ([3]float32, PointState), o Options) (*Map, error) {
	b, err := newStartState(len(in), known)
	if err != nil {
		return nil, err
	}
	if len(b.anchors) == 0 {
		return Fit(ctx, in, o)
	}
	if b.drawn {
		o.epochs = cmp.Or(o.epochs, growEpochs)
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
	t := Procrustes(selectPlaces(m.Places, b.anchors), before)
	for i, p := range m.Places {
		m.Places[i] = t.Apply(p)
	}
	if b.drawn {
		m.Drift = Displacement(before, selectPlaces(m.Places, b.anchors))
	}
	return m, nil
}

// Restore makes a map of vectors with known positions, on which others can be placed.
func Restore(ctx context.Context, in [][]float32, places [][3]float32, o Options) (*Map, error) {
	if len(places) != len(in) {
		return nil, fmt.Errorf("umap: %d positions for %d vectors", len(places), len(in))
	}
	b, err := newStartState(len(in), func(i int) ([3]float32, PointState) { return places[i], Drawn })
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

// startState is the state of the points before the layout.
type startState struct {
	places     [][3]float32
	placed     []bool
	rateFactor []float32 // factor of each point's rate
	drawn      bool      // whether any point was drawn
	anchors    []int     // points by which the map is aligned: the drawn ones, else the placed ones
}

func newStartState(n int, known func(i int) ([3]float32, PointState)) (*startState, error) {
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
			return nil, fmt.Errorf("umap: vector %d has the unknown state %d", i, standing)
		}
		for _, x := range at {
			if x != x || math.IsInf(float64(x), 0) {
				return nil, fmt.Errorf("umap: the position of vector %d is not finite", i)
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

// placeUnknown gives positions to the points without one: at the mean of their neighbours, in
// rounds from known positions outwards. If a whole component has none, its first point gets the
// position of the most similar point.
func (m *Map) placeUnknown(places [][3]float32, placed []bool) {
	var waiting []int
	for i, p := range placed {
		if !p {
			waiting = append(waiting, i)
		}
	}
	put := func(i int, at [3]float32) {
		noise := seeded(mapSeed, streamStart, i)
		for d := range at {
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
