package cluster

import (
	"cmp"
	"math"
	"slices"
)

// links are the neighbour lists of all points in one block of memory, by rank: the most similar
// neighbour first, ties by rank. No point is a neighbour of itself, and none is listed twice.
type links struct {
	start  []int32 // by rank: where its list begins; one more entry than points
	to     []int32
	cosine []float32
}

// neighbour is one entry of a list.
type neighbour struct {
	to     int32
	cosine float32
}

// newLinks reads the lists of all points. cosine is that of two ranks.
func newLinks(near Neighbours, places, rank []int, cosine func(a, b int32) float64) links {
	l := links{start: make([]int32, 1, len(places)+1)}
	var list []neighbour
	for r, p := range places {
		list = list[:0]
		for _, q := range near.Near(p) {
			if q != p {
				list = append(list, neighbour{int32(rank[q]), float32(cosine(int32(r), int32(rank[q])))})
			}
		}
		slices.SortFunc(list, compareNeighbours)
		list = slices.Compact(list)
		if r == 0 {
			l.to, l.cosine = make([]int32, 0, len(list)*len(places)), make([]float32, 0, len(list)*len(places))
		}
		for _, x := range list {
			l.to, l.cosine = append(l.to, x.to), append(l.cosine, x.cosine)
		}
		l.start = append(l.start, int32(len(l.to)))
	}
	return l
}

func compareNeighbours(x, y neighbour) int {
	return cmp.Or(cmp.Compare(y.cosine, x.cosine), cmp.Compare(x.to, y.to))
}

// usable removes the points that have no usable vector from all lists.
func (l links) usable(inverse []float32) links {
	out := links{start: make([]int32, 1, len(l.start)), to: make([]int32, 0, len(l.to)), cosine: make([]float32, 0, len(l.to))}
	for r := range inverse {
		to, cosines := l.of(r)
		for i, o := range to {
			if inverse[r] > 0 && inverse[o] > 0 {
				out.to, out.cosine = append(out.to, o), append(out.cosine, cosines[i])
			}
		}
		out.start = append(out.start, int32(len(out.to)))
	}
	return out
}

// under returns the same lists with the cosines of another space.
func (l links) under(s *space) links {
	out := links{start: l.start, to: make([]int32, 0, len(l.to)), cosine: make([]float32, 0, len(l.to))}
	var list []neighbour
	for r := range len(l.start) - 1 {
		list = list[:0]
		to, _ := l.of(r)
		for _, o := range to {
			list = append(list, neighbour{o, float32(s.cosine(int32(r), o))})
		}
		slices.SortFunc(list, compareNeighbours)
		for _, x := range list {
			out.to, out.cosine = append(out.to, x.to), append(out.cosine, x.cosine)
		}
	}
	return out
}

// longest is the length of the longest list.
func (l links) longest() int {
	n := 0
	for r := range len(l.start) - 1 {
		n = max(n, int(l.start[r+1]-l.start[r]))
	}
	return n
}

// exactLinks lists the k nearest neighbours of all points of a space.
func (s *space) exactLinks(k int) links {
	n := len(s.vectors)
	cosines := make([]float32, n*n)
	for a := range n {
		for b := range a {
			x := float32(s.cosine(int32(a), int32(b)))
			cosines[a*n+b], cosines[b*n+a] = x, x
		}
	}
	l := links{start: make([]int32, 1, n+1)}
	var list []neighbour
	for r := range n {
		list = list[:0]
		for o, x := range cosines[r*n : (r+1)*n] {
			if o == r || s.inverse[r] == 0 || s.inverse[o] == 0 || len(list) == k && x <= list[k-1].cosine {
				continue
			}
			y := neighbour{int32(o), x}
			at, _ := slices.BinarySearchFunc(list, y, compareNeighbours)
			list = slices.Insert(list[:min(len(list), k-1)], at, y)
		}
		for _, x := range list {
			l.to, l.cosine = append(l.to, x.to), append(l.cosine, x.cosine)
		}
		l.start = append(l.start, int32(len(l.to)))
	}
	return l
}

// of returns the list of a rank.
func (l links) of(r int) (to []int32, cosine []float32) {
	from, end := l.start[r], l.start[r+1]
	return l.to[from:end], l.cosine[from:end]
}

// chord is the distance of two unit vectors, √(2−2·cosine), at least minDistance.
func chord(cosine float32) float32 {
	return float32(max(minDistance, math.Sqrt(max(0, 2-2*float64(cosine)))))
}
