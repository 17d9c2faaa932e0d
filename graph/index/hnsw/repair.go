package hnsw

import (
	"slices"
	"sync/atomic"
)

// Repair removes the nodes of a set, one bit each, from the graph. A node that linked to them
// gets the best of its remaining neighbours and of theirs, and is linked back. Repair returns
// the number of removed nodes; their numbers may be inserted again. The space must have the
// vectors of all other nodes. Searches may run in parallel, insertions may not.
//
// Repair reads the links of the whole graph to find every link to a removed node. Many nodes
// cost little more than one, so callers should collect nodes.
func (g *Graph) Repair(space Space, dead []uint64) int {
	r := &repairRun{Searcher: g.Searcher(), space: space, dead: dead}
	r.constraints = Constraints{NodeLimit: noNode}
	g.eachNode(func(p *page, node uint32) {
		if !r.isDead(node) {
			for l := g.level(p, node); l >= 0; l-- {
				r.repairLinks(p, node, l)
			}
		}
	})
	r.replaceEntryPoint()
	out := 0
	g.eachNode(func(p *page, node uint32) {
		if r.isDead(node) {
			g.removeNode(p, node)
			out++
		}
	})
	r.linkRarelyLinked()
	r.Free()
	slices.Sort(r.unlinked)
	for _, node := range slices.Compact(r.unlinked) {
		g.removeNode(g.page(node), node)
		g.Insert(space, node)
	}
	return out
}

// repairRun is one running Repair.
type repairRun struct {
	*Searcher
	space    Space
	dead     []uint64
	unlinked []uint32 // nodes to insert again, because they lost all links from or to other nodes
	oldLinks []uint32 // previous links of a node
}

func (r *repairRun) isDead(node uint32) bool {
	w := int(node >> 6)
	return w < len(r.dead) && r.dead[w]&(1<<(node&63)) != 0
}

// eachNode calls fn for every node of the graph, ascending.
func (g *Graph) eachNode(fn func(p *page, node uint32)) {
	for i, p := range *g.pages.Load() {
		for j := range uint32(pageSize) {
			if atomic.LoadUint32(&p.base[int(j)*2*g.opts.M]) != noNode {
				fn(p, uint32(i)<<pageBits|j)
			}
		}
	}
}

// repairLinks replaces the links of a node to dead nodes on a level.
func (r *repairRun) repairLinks(p *page, node uint32, level int) {
	list := r.graph.links(p, node, level)
	r.oldLinks = r.oldLinks[:0]
	hurt := false
	for i := range list {
		l := atomic.LoadUint32(&list[i])
		if l == noLink {
			break
		}
		hurt = hurt || r.isDead(l)
		r.oldLinks = append(r.oldLinks, l)
	}
	if !hurt {
		return
	}
	r.prepare()
	clear(r.visited)
	r.visit(node)
	r.space.Load(&r.Probe, node)
	n := 0
	for _, l := range r.oldLinks {
		if !r.isDead(l) {
			n = r.addCandidate(l, n)
			continue
		}
		of := r.graph.links(r.graph.page(l), l, level)
		for i := range of {
			next := atomic.LoadUint32(&of[i])
			if next >= noNode {
				break
			}
			if !r.isDead(next) {
				n = r.addCandidate(next, n)
			}
		}
	}
	r.rankBatch(n)
	if len(r.candidates) == 0 && level == 0 {
		r.unlinked = append(r.unlinked, node)
	}
	r.selectNeighbours(r.space, node, len(list))
	mu := r.graph.lock(node)
	mu.Lock()
	r.graph.storeLinks(list, r.selectedLinks, level)
	mu.Unlock()
	// addLink reuses the buffers of selectNeighbours, so the selection is copied first.
	r.neighboursByLevel[0] = append(r.neighboursByLevel[0][:0], r.selected...)
	for _, e := range r.neighboursByLevel[0] {
		r.addLink(r.space, e.node(), candidate{e.score, node}, level)
	}
}

// linkRarelyLinked adds links from neighbours to the nodes with too few incoming links.
func (r *repairRun) linkRarelyLinked() {
	r.graph.eachNode(func(p *page, node uint32) {
		if p.inLinks[node&pageMask].Load() >= minInLinks {
			return
		}
		n := 0
		for i, list := 0, r.graph.links(p, node, 0); i < len(list); i++ {
			l := atomic.LoadUint32(&list[i])
			if l == noLink {
				break
			}
			r.batch[n] = l
			n++
		}
		r.rankLinks(r.space, node, n)
		r.neighboursByLevel[0] = append(r.neighboursByLevel[0][:0], r.candidates...)
		for _, e := range r.neighboursByLevel[0] {
			if p.inLinks[node&pageMask].Load() >= minInLinks {
				return
			}
			r.addLink(r.space, e.node(), candidate{e.score, node}, 0)
		}
		if p.inLinks[node&pageMask].Load() == 0 {
			r.unlinked = append(r.unlinked, node)
		}
	})
}

// addCandidate adds an unvisited node as the n-th of a batch, ranks a full batch, and returns
// the new n.
func (r *repairRun) addCandidate(node uint32, n int) int {
	if !r.visit(node) {
		return n
	}
	r.batch[n] = node
	if n++; n < Batch {
		return n
	}
	r.rankBatch(n)
	return 0
}

// rankBatch inserts the first n nodes of batch into the candidates.
func (r *repairRun) rankBatch(n int) {
	r.scoreBatch(r.space, n)
	for i, l := range r.batch[:n] {
		r.insertCandidate(candidate{r.scores[i], l})
	}
}

// replaceEntryPoint makes the highest live node the entry point, if the present one is dead.
func (r *repairRun) replaceEntryPoint() {
	top, _, ok := r.graph.entry()
	if !ok || !r.isDead(top) {
		return
	}
	r.graph.entryPoint.Store(r.graph.highestNode(func(node uint32) bool { return !r.isDead(node) }))
}

// highestNode returns the entry point value of the highest node for which keep is true.
func (g *Graph) highestNode(keep func(node uint32) bool) uint64 {
	var top uint64
	g.eachNode(func(p *page, node uint32) {
		if level := uint64(g.level(p, node)+1) << 32; level > top>>32<<32 && keep(node) {
			top = level | uint64(node)
		}
	})
	return top
}

// removeNode removes a node with its links.
func (g *Graph) removeNode(p *page, node uint32) {
	if t, _, ok := g.entry(); ok && t == node {
		g.entryPoint.Store(g.highestNode(func(other uint32) bool { return other != node }))
	}
	list := g.links(p, node, 0)
	g.storeLinks(list, nil, 0)
	atomic.StoreUint32(&list[0], noNode)
	if t := p.upperLinks[node&pageMask].Swap(nil); t != nil {
		g.upperLevels.Add(-int64(len(t.links) / g.opts.M))
	}
	g.count.Add(-1)
}
