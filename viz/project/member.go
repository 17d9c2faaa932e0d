package project

import (
	"cmp"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// member is a memory that can be drawn.
type member struct {
	id          graph.ID
	vector      []float32
	fingerprint uint64 // of the vector
	index       int    // in the given points
}

// members are the points whose vectors are finite and of the most common dimension, by
// ascending id, so that positions don't depend on the order of the points.
func members(points []Point) []member {
	counts, dim := map[int]int{}, 0
	for _, p := range points {
		if n := len(p.Vector); n > 0 {
			counts[n]++
			if counts[n] > counts[dim] || counts[n] == counts[dim] && n > dim {
				dim = n
			}
		}
	}
	prints, ok := make([]uint64, len(points)), make([]bool, len(points))
	parallelFor(len(points), func(i int) {
		if v := points[i].Vector; dim > 0 && len(v) == dim {
			prints[i], ok[i] = vectorFingerprint(v)
		}
	})
	all := make([]member, 0, len(points))
	for i, p := range points {
		if ok[i] {
			all = append(all, member{p.ID, p.Vector, prints[i], i})
		}
	}
	slices.SortFunc(all, func(a, b member) int { return cmp.Compare(a.id, b.id) })
	return all
}

// vectorFingerprint is equal for equal vectors; false for one that is not finite.
func vectorFingerprint(v []float32) (uint64, bool) {
	h := uint64(0xcbf29ce484222325)
	finite := true
	for _, x := range v {
		b := math.Float32bits(x)
		finite = finite && b>>23&0xff != 0xff
		h = (h ^ uint64(b)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h, finite
}

func vectors(all []member) [][]float32 {
	out := make([][]float32, len(all))
	for k, m := range all {
		out[k] = m.vector
	}
	return out
}

// evenSample returns the list, or limit evenly spaced items of it.
func evenSample(all []member, limit int) []member {
	if len(all) <= limit {
		return all
	}
	out := make([]member, limit)
	for k := range out {
		out[k] = all[k*len(all)/limit]
	}
	return out
}

// outerRadius is the distance from the centre within which 95 % of the positions lie, at least
// 1.
func outerRadius(places [][3]float32) float64 {
	if len(places) == 0 {
		return 1
	}
	far := make([]float64, len(places))
	for i, p := range places {
		for _, x := range p {
			far[i] += float64(float64(x) * float64(x))
		}
		far[i] = math.Sqrt(far[i])
	}
	slices.Sort(far)
	return max(far[len(far)*19/20], 1)
}

// shellPosition is a position outside the map that depends on the id only.
func shellPosition(id graph.ID) [3]float32 {
	at := direction(id)
	for d := range at {
		at[d] *= Radius * 1.2
	}
	return at
}

// direction is a unit vector that depends on the id only.
func direction(id graph.ID) [3]float32 {
	seed := splitmix(0xcbf29ce484222325)
	for _, c := range []byte(id) {
		seed = (seed ^ splitmix(c)) * 0x100000001b3
	}
	z := float64(seed.signed())
	turn, ring := math.Pi*float64(seed.signed()), math.Sqrt(1-z*z)
	return [3]float32{float32(ring * math.Cos(turn)), float32(ring * math.Sin(turn)), float32(z)}
}
