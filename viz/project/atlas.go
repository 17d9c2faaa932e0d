package project

import (
	"math"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// Atlas knows the places of a growing set of memories. The map is fitted to the
// first memories by id, which is by age; later ones are placed on it and move
// nothing. Whenever the set has grown by half it is fitted again. So places are a
// function of the set: a restart draws the same map.
type Atlas struct {
	New func() Projection // nil: Landmarks

	mu     sync.Mutex
	fitted []graph.ID // the memories the map was fitted to
	proj   Projection
	places map[graph.ID][3]float32
}

// Point is a memory with its vector; nil while its embedding is still to come.
type Point struct {
	ID     graph.ID
	Vector []float32
}

// Places are the places of the points, in their order. Points without a vector
// stand on a shell outside the map until they have one.
func (a *Atlas) Places(points []Point) [][3]float32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	order := make([]int, 0, len(points))
	for i, p := range points {
		if p.Vector != nil {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(x, y int) int {
		switch p, q := points[x].ID, points[y].ID; {
		case p < q:
			return -1
		case p > q:
			return 1
		}
		return 0
	})
	a.refit(points, order[:fitSize(len(order))])

	out := make([][3]float32, len(points))
	var fresh []int
	for i, p := range points {
		switch at, known := a.places[p.ID]; {
		case p.Vector == nil:
			out[i] = shell(p.ID)
		case known:
			out[i] = at
		default:
			fresh = append(fresh, i)
		}
	}
	each(len(fresh), func(k int) {
		p, i := points[fresh[k]], fresh[k]
		out[i] = a.proj.Place(p.Vector)
		for d, x := range direction(p.ID) { // memories that say the same stand side by side
			out[i][d] += x * Radius / 150
		}
	})
	for _, i := range fresh {
		a.places[points[i].ID] = out[i]
	}
	return out
}

// refit draws the map anew where it was fitted to other memories.
func (a *Atlas) refit(points []Point, order []int) {
	same := a.proj != nil && len(order) == len(a.fitted)
	for k := 0; same && k < len(order); k++ {
		same = points[order[k]].ID == a.fitted[k]
	}
	if same {
		return
	}
	a.fitted, a.places = make([]graph.ID, len(order)), map[graph.ID][3]float32{}
	vectors := make([][]float32, len(order))
	for k, i := range order {
		a.fitted[k], vectors[k] = points[i].ID, points[i].Vector
	}
	if a.proj = Projection(&Landmarks{}); a.New != nil {
		a.proj = a.New()
	}
	a.proj.Fit(vectors)
}

// fitSize is how many of n memories the map is fitted to: all of the first 16, then
// the largest of 16, 24, 36, 54 … that n reaches.
func fitSize(n int) int {
	size := 16
	if n < size {
		return n
	}
	for size+size/2 <= n {
		size += size / 2
	}
	return size
}

// shell is a place outside the map that depends on nothing but the id.
func shell(id graph.ID) [3]float32 {
	at := direction(id)
	for d := range at {
		at[d] *= Radius * 1.2
	}
	return at
}

// direction is a unit vector that depends on nothing but the id.
func direction(id graph.ID) [3]float32 {
	seed := mix(0xcbf29ce484222325)
	for _, c := range []byte(id) {
		seed = (seed ^ mix(c)) * 0x100000001b3
	}
	z := float64(seed.signed())
	turn, ring := math.Pi*float64(seed.signed()), math.Sqrt(1-z*z)
	return [3]float32{float32(ring * math.Cos(turn)), float32(ring * math.Sin(turn)), float32(z)}
}
