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

// newLinks reads the lists of all points. Neighbours whose usable entry is false, and those of
// unusable points, are left out; nil: all are usable.
func newLinks(vectors [][]float32, near Neighbours, places, rank []int, usable []bool) links {
	l := links{start: make([]int32, 1, len(places)+1)}
	var list []neighbour
	for r, p := range places {
		list = list[:0]
		if usable == nil || usable[p] {
			for _, q := range near.Near(p) {
				if q != p && (usable == nil || usable[q]) {
					list = append(list, neighbour{int32(rank[q]), float32(Cosine(vectors[p], vectors[q]))})
				}
			}
		}
		slices.SortFunc(list, func(x, y neighbour) int {
			return cmp.Or(cmp.Compare(y.cosine, x.cosine), cmp.Compare(x.to, y.to))
		})
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

// of returns the list of a rank.
func (l links) of(r int) (to []int32, cosine []float32) {
	from, end := l.start[r], l.start[r+1]
	return l.to[from:end], l.cosine[from:end]
}

// chord is the distance of two unit vectors, √(2−2·cosine), at least minDistance.
func chord(cosine float32) float32 {
	return float32(max(minDistance, math.Sqrt(max(0, 2-2*float64(cosine)))))
}
