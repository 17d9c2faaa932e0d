package umap

const (
	extraCandidates = 6     // neighbours searched for beyond those asked for: it raises the recall
	maxRounds       = 12    // of the descent at most
	minChange       = 0.001 // it ends when fewer of the neighbours change in a round
)

// approximateNeighbours finds the k nearest others of every row but a few in a hundred:
// candidates from a forest, then neighbours of neighbours until little changes
// (NN-descent, Dong, Moses and Li 2011). Every row reads the lists of the round before
// and writes its own, so that the result does not depend on who is faster.
func (v *vectors) approximateNeighbours(c workerPool, k int, forest []*tree, seed uint64, progress func(share float64)) ([][]candidate, error) {
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
		for noise := seeded(seed, streamFill, i); len(list) < k; {
			add(int32(noise.below(n)))
		}
		lists[i] = list
	}); err != nil {
		return nil, err
	}
	seen := make([][]uint32, c.workers) // which row looked at a row last
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
		progress(float64(round+1) / (maxRounds + 1))
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

// reversed lists, for each row, the rows that hold it in their list: the k best.
func reversed(lists [][]candidate, k int) [][]candidate {
	from := newLists(len(lists), k)
	for i, list := range lists {
		for _, c := range list {
			from[c.index], _ = insertBest(from[c.index], candidate{c.key, int32(i), c.fresh})
		}
	}
	return from
}
