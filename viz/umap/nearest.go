package umap

import (
	"slices"
)

// Neighbour is another vector of the set.
type Neighbour struct {
	Index    int32
	Distance float32 // 1 − cosine, in [0,2]
}

// likely is a candidate for a neighbour; key grows with the cosine.
type likely struct {
	key   float32
	index int32
	fresh bool // found in the round before
}

func (a likely) better(b likely) bool { return a.key > b.key || a.key == b.key && a.index < b.index }

// keep inserts c into a list of at most cap(list), best first. It answers the list and
// whether it changed. The caller has made sure that c is not in it.
func keep(list []likely, c likely) ([]likely, bool) {
	if len(list) == cap(list) {
		if len(list) == 0 || !c.better(list[len(list)-1]) {
			return list, false
		}
		list = list[:len(list)-1]
	}
	i := len(list)
	list = append(list, c)
	for ; i > 0 && c.better(list[i-1]); i-- {
		list[i] = list[i-1]
	}
	list[i] = c
	return list, true
}

func holds(list []likely, index int32) bool {
	return slices.ContainsFunc(list, func(c likely) bool { return c.index == index })
}

// key orders the rows j as neighbours of the row i.
func (v *vectors) key(i, j int) float32 { return float32(v.dot(i, j)) * v.inv[j] }

// exactly finds the k nearest others of every row by looking at all of them. k is
// less than the number of rows.
func (v *vectors) exactly(c crew, k int) ([][]likely, error) {
	const block = 8 // rows that look at another while it is in the cache
	n := v.len()
	lists := newLists(n, k)
	err := c.each((n+block-1)/block, 1, func(b, _ int) {
		from, to := b*block, min((b+1)*block, n)
		for j := range n {
			for i := from; i < to; i++ {
				list := lists[i]
				if i == j {
					continue
				}
				if key := v.key(i, j); len(list) < k || key > list[k-1].key { // equal keys come by rising index
					lists[i], _ = keep(list, likely{key: key, index: int32(j)})
				}
			}
		}
	})
	return lists, err
}

func newLists(n, k int) [][]likely {
	all := make([]likely, n*k)
	lists := make([][]likely, n)
	for i := range lists {
		lists[i] = all[i*k : i*k : (i+1)*k]
	}
	return lists
}

// neighbours turns the first k of each list into neighbours.
func (v *vectors) neighbours(lists [][]likely, k int) [][]Neighbour {
	out := make([][]Neighbour, len(lists))
	for i, list := range lists {
		list = list[:min(k, len(list))]
		out[i] = make([]Neighbour, len(list))
		for j, c := range list {
			out[i][j] = Neighbour{c.index, distance(v.dot(i, int(c.index)), v.square[i], v.square[c.index])}
		}
	}
	return out
}
