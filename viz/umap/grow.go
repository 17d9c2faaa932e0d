package umap

import (
	"context"
	"fmt"
	"math"
)

const (
	growEpochs = 50
	oldPace    = 0.02 // of known points, beside new ones: docs/benchmarks.md has what it was chosen by
)

// Grow draws the map of a set that has changed since the last map. known answers the
// place a vector had; one it does not know starts among its neighbours. All then move
// through a few epochs, the known ones slowly, and the map is turned and shifted, never
// scaled, to lie on the one before. [Map.Drift] says how far the known ones went. Where
// nothing is known, it is a [Fit].
func Grow(ctx context.Context, in [][]float32, known func(i int) ([3]float32, bool), o Options) (*Map, error) {
	places, placed, pace := make([][3]float32, len(in)), make([]bool, len(in)), make([]float32, len(in))
	var old []int
	for i := range in {
		if places[i], placed[i] = known(i); !placed[i] {
			pace[i] = 1
			continue
		}
		for d, x := range places[i] {
			if x != x || math.IsInf(float64(x), 0) {
				return nil, fmt.Errorf("umap: the known place of vector %d is not finite", i)
			}
			if d == 2 && o.Dims == 2 {
				places[i][d] = 0
			}
		}
		pace[i] = oldPace
		old = append(old, i)
	}
	if len(old) == 0 {
		return Fit(ctx, in, o)
	}
	if o.Epochs == 0 {
		o.Epochs = growEpochs
	}
	m, c, err := prepare(ctx, in, o)
	if err != nil {
		return nil, err
	}
	before := pick(places, old)
	m.settle(places, placed)
	if m.Places, err = m.layout(c, places, pace, startRate); err != nil {
		return nil, err
	}
	t := Procrustes(pick(m.Places, old), before, Alignment{})
	for i, p := range m.Places {
		m.Places[i] = t.Apply(p)
	}
	m.Drift = Displacement(before, pick(m.Places, old))
	return m, nil
}

func pick(places [][3]float32, which []int) [][3]float32 {
	out := make([][3]float32, len(which))
	for k, i := range which {
		out[k] = places[i]
	}
	return out
}

// settle gives a place to the points that have none: among their neighbours that have
// one, round by round outwards; where a whole island has none, beside the point that is
// most like its first.
func (m *Map) settle(places [][3]float32, placed []bool) {
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
			for _, e := range m.graph.of(i) {
				if placed[e.to] {
					have = append(have, e)
				}
			}
			if len(have) == 0 {
				still = append(still, i)
				continue
			}
			put(i, between(have, places))
			done = append(done, i)
		}
		if len(done) == 0 {
			i := still[0]
			best := likely{key: -3 * unitScale}
			for j, p := range placed {
				if c := (likely{key: m.vectors.key(i, j), index: int32(j)}); p && c.better(best) {
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
