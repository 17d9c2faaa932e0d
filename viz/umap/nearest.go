package umap

import (
	"slices"
)

// Neighbour is another vector of the set.
type Neighbour struct {
	Index    int32
	Distance float32 // 1 − cosine, in [0,2]
}

// candidate is a candidate neighbour; key increases with the cosine.
type candidate struct {
	key   float32
	index int32
	fresh bool // found in the previous round
}

func (a candidate) better(b candidate) bool {
	return a.key > b.key || a.key == b.key && a.index < b.index
}

// insertBest inserts c into a list of at most cap(list) items, best first. It returns the list
// and whether it changed. c must not be in the list.
func insertBest(list []candidate, c candidate) ([]candidate, bool) {
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

func contains(list []candidate, index int32) bool {
	return slices.ContainsFunc(list, func(c candidate) bool { return c.index == index })
}

// key orders the rows j as neighbours of row i.
func (v *vectors) key(i, j int) float32 { return float32(v.dot(i, j)) * v.inv[j] }

// exactNeighbours finds the k nearest neighbours of every row by comparing all pairs. k is less
// than the number of rows.
func (v *vectors) exactNeighbours(c workerPool, k int) ([][]candidate, error) {
	const block = 8 // rows that are compared with another row while it is in the cache
	n := v.len()
	lists := newLists(n, k)
	err := c.forEach((n+block-1)/block, 1, func(b, _ int) {
		from, to := b*block, min((b+1)*block, n)
		for j := range n {
			for i := from; i < to; i++ {
				list := lists[i]
				if i == j {
					continue
				}
				if key := v.key(i, j); len(list) < k || key > list[k-1].key { // equal keys come in order of index
					lists[i], _ = insertBest(list, candidate{key: key, index: int32(j)})
				}
			}
		}
	})
	return lists, err
}

func newLists(n, k int) [][]candidate {
	all := make([]candidate, n*k)
	lists := make([][]candidate, n)
	for i := range lists {
		lists[i] = all[i*k : i*k : (i+1)*k]
	}
	return lists
}

// neighbours converts the first k candidates of each list.
func (v *vectors) neighbours(lists [][]candidate, k int) [][]Neighbour {
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
