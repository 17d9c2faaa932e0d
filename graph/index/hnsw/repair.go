package hnsw

import (
	"slices"
	"sync/atomic"
)

// Repair takes the nodes of a set, a bit each, out of the graph: who linked to them gets
// the best of what it has left and of what they linked to, and is linked back. It reports
// how many were taken out; their numbers may be inserted again. The space must know every
// node but those of the set. Searches may run meanwhile, insertions may not.
//
// It reads the links of the whole graph, so that no link is missed, and costs little more
// for many than for one: collect before you call it.
func (g *Graph) Repair(space Space, dead []uint64) int {
	r := &repair{Searcher: g.Searcher(), space: space, dead: dead}
	r.within = Within{Limit: absent}
	g.each(func(p *page, node uint32) {
		if !r.isDead(node) {
			for l := g.level(p, node); l >= 0; l-- {
				r.mend(p, node, l)
			}
		}
	})
	r.replaceTop()
	out := 0
	g.each(func(p *page, node uint32) {
		if r.isDead(node) {
			g.remove(p, node)
			out++
		}
	})
	r.lead()
	r.Free()
	slices.Sort(r.lost)
	for _, node := range slices.Compact(r.lost) {
		g.remove(g.page(node), node)
		g.Insert(space, node)
	}
	return out
}

// repair is one under way.
type repair struct {
	*Searcher
	space  Space
	dead   []uint64
	lost   []uint32 // nodes that are inserted again: nothing is left of what they were linked with
	before []uint32 // links of a node as they were
}

func (r *repair) isDead(node uint32) bool {
	w := int(node >> 6)
	return w < len(r.dead) && r.dead[w]&(1<<(node&63)) != 0
}

// each calls fn for every node of the graph, ascending.
func (g *Graph) each(fn func(p *page, node uint32)) {
	for i, p := range *g.pages.Load() {
		for j := range uint32(pageSize) {
			if atomic.LoadUint32(&p.base[int(j)*2*g.opts.M]) != absent {
				fn(p, uint32(i)<<pageBits|j)
			}
		}
	}
}

// mend gives a node new links on a level in place of dead ones.
func (r *repair) mend(p *page, node uint32, level int) {
	list := r.graph.list(p, node, level)
	r.before = r.before[:0]
	hurt := false
	for i := range list {
		l := atomic.LoadUint32(&list[i])
		if l == none {
			break
		}
		hurt = hurt || r.isDead(l)
		r.before = append(r.before, l)
	}
	if !hurt {
		return
	}
	r.begin()
	clear(r.visited)
	r.meet(node)
	r.space.Stand(&r.Probe, node)
	n := 0
	for _, l := range r.before {
		if !r.isDead(l) {
			n = r.consider(l, n)
			continue
		}
		of := r.graph.list(r.graph.page(l), l, level)
		for i := range of {
			next := atomic.LoadUint32(&of[i])
			if next >= absent {
				break
			}
			if !r.isDead(next) {
				n = r.consider(next, n)
			}
		}
	}
	r.rank(n)
	if len(r.pool) == 0 && level == 0 {
		r.lost = append(r.lost, node)
	}
	r.choose(r.space, node, len(list))
	mu := r.graph.lock(node)
	mu.Lock()
	r.graph.store(list, r.keeping, level)
	mu.Unlock()
	// join works where choose did; what was chosen is copied first.
	r.chosen[0] = append(r.chosen[0][:0], r.sorted...)
	for _, e := range r.chosen[0] {
		r.join(r.space, e.node(), entry{e.score, node}, level)
	}
}

// lead has those that too few link to linked to by their neighbours.
func (r *repair) lead() {
	r.graph.each(func(p *page, node uint32) {
		if p.in[node&pageMask].Load() >= fewest {
			return
		}
		n := 0
		for i, list := 0, r.graph.list(p, node, 0); i < len(list); i++ {
			l := atomic.LoadUint32(&list[i])
			if l == none {
				break
			}
			r.fresh[n] = l
			n++
		}
		r.weigh(r.space, node, n)
		r.chosen[0] = append(r.chosen[0][:0], r.pool...)
		for _, e := range r.chosen[0] {
			if p.in[node&pageMask].Load() >= fewest {
				return
			}
			r.join(r.space, e.node(), entry{e.score, node}, 0)
		}
		if p.in[node&pageMask].Load() == 0 {
			r.lost = append(r.lost, node)
		}
	})
}

// consider notes a candidate that was not met, the n-th of a batch.
func (r *repair) consider(node uint32, n int) int {
	if !r.meet(node) {
		return n
	}
	r.fresh[n] = node
	if n++; n < Batch {
		return n
	}
	r.rank(n)
	return 0
}

// rank puts the first n of fresh in their places in the pool.
func (r *repair) rank(n int) {
	r.compare(r.space, n)
	for i, l := range r.fresh[:n] {
		r.insert(entry{r.scores[i], l})
	}
}

// replaceTop begins searches at the highest node that lives, where the top is dead.
func (r *repair) replaceTop() {
	top, _, ok := r.graph.start()
	if !ok || !r.isDead(top) {
		return
	}
	r.graph.top.Store(r.graph.highest(func(node uint32) bool { return !r.isDead(node) }))
}

// highest is the top among the nodes that keep lets through, as it is stored.
func (g *Graph) highest(keep func(node uint32) bool) uint64 {
	var top uint64
	g.each(func(p *page, node uint32) {
		if level := uint64(g.level(p, node)+1) << 32; level > top>>32<<32 && keep(node) {
			top = level | uint64(node)
		}
	})
	return top
}

// remove takes a node out, with its links.
func (g *Graph) remove(p *page, node uint32) {
	if t, _, ok := g.start(); ok && t == node {
		g.top.Store(g.highest(func(other uint32) bool { return other != node }))
	}
	list := g.list(p, node, 0)
	g.store(list, nil, 0)
	atomic.StoreUint32(&list[0], absent)
	if t := p.towers[node&pageMask].Swap(nil); t != nil {
		g.towers.Add(-int64(len(t.links) / g.opts.M))
	}
	g.count.Add(-1)
}
