package project

import (
	"math"
	"slices"
)

// steps of the layout; enough for the picture to settle.
const steps = 220

// start is the first three axes, each scaled to a deviation of a third of the
// radius, so that no axis is a thin one.
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
		scale := float32(Radius / 3 / math.Sqrt(square/float64(len(coords))))
		for i, c := range coords {
			places[i][d] = c[d] * scale
		}
	}
	for i := range places { // those on one spot need a direction to part in
		noise := mix(i)
		for d := range 3 {
			places[i][d] += noise.signed() * Radius / 1000
		}
	}
	return places
}

// spread moves places until alike ones stand together and the rest keep their
// distance: along every likeness a spring, between all pairs a push that falls with
// the square of the distance (Fruchterman and Reingold 1991, with a cooling step).
// Every place is moved by what it gathers from the places before the step, so the
// result does not depend on the number of processors.
func spread(places [][3]float32, near [][]neighbour) [][3]float32 {
	n := len(places)
	if n < 2 {
		return places
	}
	ideal := Radius * 1.1 / math.Cbrt(float64(n)) // room of one place in a full sphere
	pulls := mutual(near)
	for step := range steps {
		limit := float32(ideal * 1.5 * math.Pow(1-float64(step)/steps, 1.2))
		next := make([][3]float32, n)
		each(n, func(i int) { next[i] = moved(i, places, pulls[i], float32(ideal), limit) })
		places = next
	}
	return framed(places)
}

// moved is where the place i goes in one step, at most limit away.
func moved(i int, places [][3]float32, pulls []neighbour, ideal, limit float32) [3]float32 {
	at := places[i]
	var f [3]float32
	push := ideal * ideal * ideal
	for j, o := range places {
		if j == i {
			continue
		}
		x, y, z := at[0]-o[0], at[1]-o[1], at[2]-o[2]
		d2 := x*x + y*y + z*z + ideal*ideal*0.01
		w := push / (d2 * float32(math.Sqrt(float64(d2))))
		f[0] += x * w
		f[1] += y * w
		f[2] += z * w
	}
	for _, p := range pulls {
		o := places[p.index]
		x, y, z := o[0]-at[0], o[1]-at[1], o[2]-at[2]
		w := p.cosine * norm([]float32{x, y, z}) / (2 * ideal)
		f[0] += x * w
		f[1] += y * w
		f[2] += z * w
	}
	for d := range f { // a mild pull to the centre keeps loose ends in sight
		f[d] -= at[d] * 0.02
	}
	if size := norm(f[:]); size > limit {
		for d := range f {
			f[d] *= limit / size
		}
	}
	for d := range at {
		at[d] += f[d]
	}
	return at
}

// mutual makes every pull act on both ends. Its strength is how far the likeness
// stands out from the weakest one kept, so that a tight group pulls harder than a
// loose one.
func mutual(near [][]neighbour) [][]neighbour {
	out := make([][]neighbour, len(near))
	for i, list := range near {
		for _, n := range list {
			w := max(n.cosine, 0)
			w = w*w + 0.05
			out[i] = append(out[i], neighbour{n.index, w})
			out[n.index] = append(out[n.index], neighbour{i, w})
		}
	}
	return out
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
