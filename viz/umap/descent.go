package umap

const (
	extraCandidates = 6     // additional neighbours to search for, which raises the recall
	maxRounds       = 12    // maximum rounds of the descent
	minChange       = 0.001 // share of changed neighbours in a round below which it ends
)

// approximateNeighbours finds nearly all of the k nearest neighbours of every row: candidates
// from a forest, then neighbours of neighbours until little changes (NN-descent, Dong, Moses
// and Li 2011). Every row reads the lists of the previous round and writes its own, so the
// result does not depend on scheduling.
func (v *vectors) approximateNeighbours(c workerPool, k int, forest []*tree) ([][]candidate, error) {
	n := v.len()
	k = min(k+extraCandidates, n-1)
	lists, next := newLists(n, k), newLists(n, k)
	in := leavesByRow(forest, n)
	if err := c.forEach(n, 64, func(i, _ int) {
		list := lists[i]
		add := func(j int32) {
			if int(j) != i {
				o := candidate{v.key(i, int(j)), j, true}
				if (len(list) < k || o.better(list[k-1])) && !contains(list, j) {
					list, _ = insertBest(list, o)
				}
			}
		}
		for _, members := range in[i] {
			for _, j := range members {
				add(j)
			}
		}
		for noise := seeded(mapSeed, streamFill, i); len(list) < k; {
			add(int32(noise.below(n)))
		}
		lists[i] = list
	}); err != nil {
		return nil, err
	}
	seen := make([][]uint32, c.workers) // the row that was compared with each row last
	for w := range seen {
		seen[w] = make([]uint32, n)
	}
	changed := make([]int, n)
	for round := range maxRounds {
		from := reversed(lists, k)
		stamp := uint32(round*n) + 1
		if err := c.forEach(n, 64, func(i, worker int) {
			mark, own := seen[worker], stamp+uint32(i)
			list := next[i][:len(lists[i])]
			copy(list, lists[i])
			mark[i] = own
			for j := range list {
				list[j].fresh = false
				mark[list[j].index] = own
			}
			changed[i] = 0
			look := func(via candidate) {
				try := func(o candidate) {
					if !via.fresh && !o.fresh || mark[o.index] == own {
						return
					}
					mark[o.index] = own
					var better bool
					if list, better = insertBest(list, candidate{v.key(i, int(o.index)), o.index, true}); better {
						changed[i]++
					}
				}
				try(via)
				for _, c := range lists[via.index] {
					try(c)
				}
				for _, c := range from[via.index] {
					try(c)
				}
			}
			for _, c := range lists[i] {
				look(c)
			}
			for _, c := range from[i] {
				look(c)
			}
			next[i] = list
		}); err != nil {
			return nil, err
		}
		lists, next = next, lists
		total := 0
		for _, c := range changed {
			total += c
		}
		if float64(total) < minChange*float64(n)*float64(k) {
			break
		}
	}
	return lists, nil
}

// reversed lists, for each row, the k best rows that have it in their list.
func reversed(lists [][]candidate, k int) [][]candidate {
	from := newLists(len(lists), k)
	for i, list := range lists {
		for _, c := range list {
			from[c.index], _ = insertBest(from[c.index], candidate{c.key, int32(i), c.fresh})
		}
	}
	return from
}
