package project

import (
	"math"
	"slices"
)

const (
	steps    = 300 // of the layout; enough for the picture to settle
	bend     = 1.6 // of the curve that turns distance on the map into likeness
	apart    = 5.0 // how many strangers push for each neighbour that pulls
	maxForce = 4.0 // along one axis, in one step
)

// start is the first three axes, each scaled to a deviation of 5, so that no axis is
// a thin one.
func start(coords [][]float32) [][3]float32 {
	places := make([][3]float32, len(coords))
	for d := range 3 {
		var square float64
		for _, c := range coords {
			if d < len(c) {
				square += float64(c[d]) * float64(c[d])
			}
		}
		if square == 0 {
			continue
		}
		scale := float32(5 / math.Sqrt(square/float64(len(coords))))
		for i, c := range coords {
			if d < len(c) {
				places[i][d] = c[d] * scale
			}
		}
	}
	for i := range places { // those on one spot need a direction to part in
		noise := mix(i)
		for d := range 3 {
			places[i][d] += noise.signed() / 20
		}
	}
	return places
}

// spread moves places until neighbours stand together and strangers apart. It lowers
// the cross-entropy between likeness in the vectors and on the map, as UMAP does
// (McInnes, Healy and Melville 2018, section 3.2), with likeness 1/(1+bend·d²) on the
// map and with the push of all others in place of sampled ones. Every place is moved
// by what it gathers from the places before the step, so the result does not depend
// on the number of processors.
func spread(places [][3]float32, pulls [][]pull) [][3]float32 {
	n := len(places)
	if n < 2 {
		return places
	}
	for step := range steps {
		rate := 1 - float32(step)/steps
		next := make([][3]float32, n)
		each(n, func(i int) { next[i] = moved(i, places, pulls[i], rate) })
		places = next
	}
	return framed(places)
}

// moved is where the place i goes in one step.
func moved(i int, places [][3]float32, pulls []pull, rate float32) [3]float32 {
	at := places[i]
	var f [3]float32
	var degree float32
	for _, p := range pulls {
		x, y, z := at[0]-places[p.index][0], at[1]-places[p.index][1], at[2]-places[p.index][2]
		w := -2 * bend * p.weight / (1 + bend*(x*x+y*y+z*z))
		f[0], f[1], f[2] = f[0]+w*x, f[1]+w*y, f[2]+w*z
		degree += p.weight
	}
	push := 2 * apart * degree / float32(len(places))
	for j := range places {
		if j == i {
			continue
		}
		x, y, z := at[0]-places[j][0], at[1]-places[j][1], at[2]-places[j][2]
		d2 := x*x + y*y + z*z
		w := push / ((0.01 + d2) * (1 + bend*d2))
		f[0], f[1], f[2] = f[0]+w*x, f[1]+w*y, f[2]+w*z
	}
	for d := range at {
		at[d] += rate * min(max(f[d], -maxForce), maxForce)
	}
	return at
}

// pull is what draws a place to another.
type pull struct {
	index  int
	weight float32 // (0,1]
}

// likeness is how strongly every vector is drawn to its nearest ones: 1 to the
// nearest of all, less to the others, so that in a loose crowd as in a dense one each
// has a few neighbours (UMAP, section 3.1: the fuzzy union of local neighbourhoods).
func likeness(vectors [][]float32) [][]pull {
	near := make([][]neighbour, len(vectors))
	each(len(vectors), func(i int) {
		list := make([]neighbour, 0, neighbours+1)
		for j, o := range vectors {
			if j != i {
				list = keep(list, neighbour{j, dot(vectors[i], o)}, neighbours)
			}
		}
		near[i] = list
	})
	weights := make([]map[int]float32, len(vectors))
	for i, list := range near {
		weights[i] = make(map[int]float32, len(list))
		width := width(list)
		for _, n := range list {
			weights[i][n.index] = float32(math.Exp(float64(n.cosine-list[0].cosine) / width))
		}
	}
	out := make([][]pull, len(vectors))
	for i, list := range near {
		for _, n := range list {
			a, back := weights[i][n.index], weights[n.index]
			b, mutual := back[i]
			out[i] = append(out[i], pull{n.index, a + b - a*b})
			if !mutual {
				out[n.index] = append(out[n.index], pull{i, a})
			}
		}
	}
	return out
}

// width is the scale at which the weights of a neighbourhood sum to log₂ of its size.
func width(list []neighbour) float64 {
	if len(list) == 0 {
		return 1
	}
	low, high := 1e-4, 2.0
	want := math.Log2(float64(len(list)) + 1)
	for range 40 {
		middle := math.Sqrt(low * high)
		var sum float64
		for _, n := range list {
			sum += math.Exp(float64(n.cosine-list[0].cosine) / middle)
		}
		if sum > want {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// framed moves the middle of the places to the origin and scales them so that
// nineteen in twenty lie within the radius.
func framed(places [][3]float32) [][3]float32 {
	var centre [3]float64
	for _, p := range places {
		for d, x := range p {
			centre[d] += float64(x) / float64(len(places))
		}
	}
	reach := make([]float64, len(places))
	for i := range places {
		for d := range centre {
			places[i][d] -= float32(centre[d])
		}
		reach[i] = float64(norm(places[i][:]))
	}
	slices.Sort(reach)
	far := reach[len(reach)*19/20]
	if far == 0 {
		return places
	}
	for i := range places {
		for d := range places[i] {
			places[i][d] *= float32(Radius / far)
		}
	}
	return places
}
