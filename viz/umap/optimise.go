package umap

// sampledEdge is an edge for the optimiser.
type sampledEdge struct {
	to   int32
	rate uint32 // share of epochs in which it is sampled, in units of 2⁻³²
}

// sampledEdges turns weights into rates: an edge of weight w is sampled in w/top of the epochs,
// evenly spaced (section 3.2 samples edges by weight).
func sampledEdges(edges []edge, top float32) []sampledEdge {
	out := make([]sampledEdge, len(edges))
	for i, e := range edges {
		out[i] = sampledEdge{e.to, uint32(min(float64(e.weight)/float64(top)*(1<<32), 1<<32-1))}
	}
	return out
}

// maxWeight is the largest weight.
func maxWeight(edges []edge) (top float32) {
	for _, e := range edges {
		top = max(top, e.weight)
	}
	return top
}

// negativeSamples is the number of random points that repel for each edge that attracts.
const negativeSamples = 5

// advance moves a position along its edges for one epoch while all others stay. Repulsion is
// clipped at 4 along each axis, as in the reference implementation; attraction never reaches
// that.
func advance(at [3]float32, steps []sampledEdge, places [][3]float32, epoch int, rate float32, noise splitmix) [3]float32 {
	x, y, z := at[0], at[1], at[2]
	for _, s := range steps {
		if uint32(epoch)*s.rate+s.rate/2 >= s.rate {
			continue // the product has not wrapped around since the last epoch
		}
		o := &places[s.to]
		dx, dy, dz := x-o[0], y-o[1], z-o[2]
		d2 := float32(dx*dx) + float32(dy*dy) + float32(dz*dz)
		w := float32(rate * attraction[forceIndex(d2)].at(d2))
		x += float32(w * dx)
		y += float32(w * dy)
		z += float32(w * dz)
		var fx, fy, fz float32
		for range negativeSamples {
			o := &places[noise.below(len(places))]
			dx, dy, dz := x-o[0], y-o[1], z-o[2]
			d2 := float32(dx*dx) + float32(dy*dy) + float32(dz*dz)
			w := repulsion[forceIndex(d2)].at(d2)
			gx, gy, gz := float32(w*dx), float32(w*dy), float32(w*dz)
			if d2 < 0.13 {
				gx, gy, gz = clip(gx), clip(gy), clip(gz)
			}
			fx, fy, fz = fx+gx, fy+gy, fz+gz
		}
		x += float32(rate * fx)
		y += float32(rate * fy)
		z += float32(rate * fz)
	}
	return [3]float32{x, y, z}
}

func clip(x float32) float32 { return max(-4, min(x, 4)) }

// layout runs the epochs of a map (algorithm 5) at a rate that falls linearly to 0. pace is a
// factor of each point's rate; nil: 1. It may write to places.
func (m *Map) layout(c workerPool, places [][3]float32, pace []float32, rate float32) ([][3]float32, error) {
	g, epochs := m.graph, m.epochs
	all := sampledEdges(g.edges, maxWeight(g.edges))
	next := make([][3]float32, len(places))
	for e := range epochs {
		now := rate * (1 - float32(e)/float32(epochs))
		if err := c.forEach(len(places), 128, func(i, _ int) {
			own := now
			if pace != nil {
				own *= pace[i]
			}
			next[i] = advance(places[i], all[g.start[i]:g.start[i+1]], places, e, own, seeded(mapSeed, streamWalk+e, i))
		}); err != nil {
			return nil, err
		}
		places, next = next, places
	}
	return places, nil
}
