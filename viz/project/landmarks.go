package project

import (
	"math"
	"slices"
)

const (
	maxLandmarks = 768 // of which the map is drawn; every memory while there are no more
	maxAxes      = 32  // in which landmarks are looked up
	neighbours   = 12  // of a landmark that pull it
	shortlist    = 24  // landmarks by axes, of which the nearest by vector are chosen
	anchors      = 4   // landmarks that place a vector
)

// Landmarks is a projection that draws a map of at most 768 landmarks, pulled
// together by likeness and pushed apart by place, and puts every other vector
// between the landmarks it is most like. The zero value is ready to fit.
type Landmarks struct {
	axes    axes
	vectors [][]float32 // of the landmarks, unit length
	coords  [][]float32 // of the landmarks along the axes
	places  [][3]float32
}

// Fit draws the map. Of more vectors than landmarks, evenly spaced ones are taken.
func (l *Landmarks) Fit(vectors [][]float32) {
	*l = Landmarks{}
	n := min(len(vectors), maxLandmarks)
	l.vectors = make([][]float32, n)
	for i := range l.vectors {
		l.vectors[i] = unit(vectors[i*len(vectors)/n])
	}
	l.axes = fitAxes(l.vectors, maxAxes)
	l.coords = make([][]float32, n)
	each(n, func(i int) { l.coords[i] = l.axes.coordinates(l.vectors[i]) })
	l.places = spread(start(l.coords), likeness(l.vectors))
}

// Place puts a vector between its nearest landmarks; a vector unlike all of them
// stands further out than one that is much like some.
func (l *Landmarks) Place(vector []float32) [3]float32 {
	if len(l.places) == 0 {
		return [3]float32{}
	}
	v := unit(vector)
	near := l.nearest(v)
	if near[0].cosine > 0.9999 {
		return l.places[near[0].index]
	}
	var at [3]float32
	var total float64
	for _, n := range near {
		w := math.Exp(12 * float64(n.cosine-near[0].cosine))
		total += w
		for d := range at {
			at[d] += float32(w) * l.places[n.index][d]
		}
	}
	shift := aside(v)
	loose := Radius * 0.06 * (1 - near[0].cosine)
	for d := range at {
		at[d] = at[d]/float32(total) + shift[d]*loose
	}
	return at
}

type neighbour struct {
	index  int
	cosine float32
}

// nearest are the landmarks most like v, best first: a shortlist by the axes, then
// by the whole vector.
func (l *Landmarks) nearest(v []float32) []neighbour {
	c := l.axes.coordinates(v)
	list := make([]neighbour, 0, shortlist+1)
	for i, o := range l.coords {
		var d2 float32
		for j, x := range c {
			d2 += (x - o[j]) * (x - o[j])
		}
		list = keep(list, neighbour{i, -d2}, shortlist)
	}
	for i, n := range list {
		list[i].cosine = dot(v, l.vectors[n.index])
	}
	slices.SortFunc(list, byCosine)
	return list[:min(anchors, len(list))]
}

// keep inserts n into a list sorted by byCosine and holds it at most limit long.
func keep(list []neighbour, n neighbour, limit int) []neighbour {
	if len(list) == limit && byCosine(list[limit-1], n) < 0 {
		return list
	}
	i, _ := slices.BinarySearchFunc(list, n, byCosine)
	list = slices.Insert(list, i, n)
	return list[:min(len(list), limit)]
}

func byCosine(a, b neighbour) int {
	switch {
	case a.cosine > b.cosine:
		return -1
	case a.cosine < b.cosine:
		return 1
	}
	return a.index - b.index
}

func unit(v []float32) []float32 {
	n := norm(v)
	if n == 0 {
		return v
	}
	out := make([]float32, len(v))
	for d, x := range v {
		out[d] = x / n
	}
	return out
}

// aside is a direction that depends on nothing but the vector: what falls on one
// spot is told apart by it.
func aside(v []float32) [3]float32 {
	seed := mix(0xcbf29ce484222325)
	for _, x := range v {
		seed = (seed ^ mix(math.Float32bits(x))) * 0x100000001b3
	}
	return [3]float32{seed.signed(), seed.signed(), seed.signed()}
}
