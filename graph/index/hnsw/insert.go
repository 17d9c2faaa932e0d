package hnsw

import (
	"cmp"
	"slices"
	"sync/atomic"
)

// Insert adds a node, whose vector the space has; a node that is already in the graph is
// unchanged. It is INSERT of the paper, algorithm 1. It may run in parallel with searches and
// other insertions, but not with an insertion of the same node.
func (g *Graph) Insert(space Space, node uint32) {
	if g.Has(node) {
		return
	}
	p := g.grow(node)
	level := g.randomLevel(node)
	if g.addFirst(p, node, level) {
		return
	}
	s := g.Searcher()
	defer s.Free()
	space.Load(&s.Probe, node)
	s.constraints = Constraints{NodeLimit: noNode}
	s.findNeighbours(space, node, level)
	g.addNode(p, node, level)
	_, top, _ := g.entry()
	for l := min(level, top); l >= 0; l-- {
		s.selectedLinks = s.selectedLinks[:0]
		for _, e := range s.neighboursByLevel[l] {
			s.selectedLinks = append(s.selectedLinks, e.node())
		}
		s.writeLinks(g.links(p, node, l), node, l)
	}
	for l := min(level, top); l >= 0; l-- {
		for _, e := range s.neighboursByLevel[l] {
			s.addLink(space, e.node(), candidate{e.score, node}, l)
		}
	}
	// If the chosen neighbours kept other links, the next nearest nodes may have room for a
	// link.
	for _, e := range s.spareCandidates {
		if g.inLinks(node).Load() >= minInLinks {
			break
		}
		s.addLink(space, e.node(), candidate{e.score, node}, 0)
	}
	g.raiseEntryPoint(node, level)
}

// addFirst makes a node the only one of an empty graph.
func (g *Graph) addFirst(p *page, node uint32, level int) bool {
	if _, _, ok := g.entry(); ok {
		return false
	}
	g.growMu.Lock()
	defer g.growMu.Unlock()
	if g.entryPoint.Load() != 0 {
		return false
	}
	g.addNode(p, node, level)
	g.entryPoint.Store(uint64(level+1)<<32 | uint64(node))
	return true
}

// raiseEntryPoint makes a node the entry point if its level is higher.
func (g *Graph) raiseEntryPoint(node uint32, level int) {
	if _, top, _ := g.entry(); level <= top {
		return
	}
	g.growMu.Lock()
	defer g.growMu.Unlock()
	if _, top, _ := g.entry(); level > top {
		g.entryPoint.Store(uint64(level+1)<<32 | uint64(node))
	}
}

// findNeighbours finds the neighbours of a new node on every level. Nothing is written before
// all are found, because other insertions may link to the node as soon as they can reach it.
func (s *Searcher) findNeighbours(space Space, node uint32, level int) {
	for l := range s.neighboursByLevel {
		s.neighboursByLevel[l] = s.neighboursByLevel[l][:0]
	}
	s.prepare()
	s.descend(space, level)
	_, top, _ := s.graph.entry()
	s.allowed = len(s.candidates)
	for l := min(level, top); l >= 0; l-- {
		s.visit(node)
		s.searchLayer(space, l, s.graph.opts.Effort)
		s.neighboursByLevel[l] = append(s.neighboursByLevel[l][:0], s.selectNeighbours(space, node, s.graph.opts.M)...)
		s.spareCandidates = append(s.spareCandidates[:0], s.candidates...)
		clear(s.visited)
		for i := range s.candidates {
			s.candidates[i].mark = s.candidates[i].node()
			s.visit(s.candidates[i].mark)
		}
	}
}

// selectNeighbours takes at most m of the candidates, best first: those that are nearer to the
// middle node than to any taken before. It is SELECT-NEIGHBORS-HEURISTIC of the paper, algorithm
// 4, without its extensions. The result is valid until the next call.
//
// The paper does not consider equal vectors. They would link only to one another and form an
// island that no search enters or leaves. So equal vectors may take half of the places, and a
// draw for each middle node chooses which of them do. Then each of them gets links from some
// nodes.
func (s *Searcher) selectNeighbours(space Space, middle uint32, m int) []candidate {
	s.shuffleTies(middle)
	s.selected, s.selectedLinks = s.selected[:0], s.selectedLinks[:0]
	twins := m / 2
	for _, e := range s.candidates {
		if len(s.selected) == m {
			break
		}
		apart, twin := s.isDiverse(space, e)
		if !apart || twin && twins == 0 {
			continue
		}
		if twin {
			twins--
		}
		s.selected = append(s.selected, candidate{e.score, e.node()})
		s.selectedLinks = append(s.selectedLinks, e.node())
	}
	return s.selected
}

// shuffleTies orders candidates with equal scores by a draw that depends on the middle node.
func (s *Searcher) shuffleTies(middle uint32) {
	for i := 0; i < len(s.candidates); {
		j := i + 1
		for j < len(s.candidates) && s.candidates[j].score == s.candidates[i].score {
			j++
		}
		if j > i+1 {
			lot := func(e candidate) uint64 { return splitMix64(uint64(middle)<<32 | uint64(e.node())) }
			slices.SortFunc(s.candidates[i:j], func(a, b candidate) int { return cmp.Compare(lot(a), lot(b)) })
		}
		i = j
	}
}

// isDiverse reports whether a candidate is at least as near to the middle node as to all
// selected nodes (apart), and whether it is exactly as near to one of them (twin): it then
// equals that node or the middle node.
func (s *Searcher) isDiverse(space Space, e candidate) (apart, twin bool) {
	if len(s.selectedLinks) == 0 {
		return true, false
	}
	space.Load(&s.nodeProbe, e.node())
	for part := range slices.Chunk(s.selectedLinks, diversityBatch) {
		space.Compare(&s.nodeProbe, part, s.scores[:])
		for _, score := range s.scores[:len(part)] {
			if score > e.score {
				return false, false
			}
			twin = twin || score == e.score
		}
	}
	return true, twin
}

// diversityBatch is how many selected nodes are compared at once: one of the first usually
// rejects the candidate.
const diversityBatch = 4

// writeLinks writes the links of a new node and keeps those that other insertions added
// meanwhile.
func (s *Searcher) writeLinks(list []uint32, node uint32, level int) {
	mu := s.graph.lock(node)
	mu.Lock()
	defer mu.Unlock()
	for i := range list {
		l := atomic.LoadUint32(&list[i])
		if l == noLink || len(s.selectedLinks) == len(list) {
			break
		}
		if !slices.Contains(s.selectedLinks, l) {
			s.selectedLinks = append(s.selectedLinks, l)
		}
	}
	s.graph.storeLinks(list, s.selectedLinks, level)
}

// addLink adds a link from a node to another. If the node has no room, its neighbours are
// selected again.
func (s *Searcher) addLink(space Space, from uint32, to candidate, level int) {
	g := s.graph
	mu := g.lock(from)
	mu.Lock()
	defer mu.Unlock()
	list := g.links(g.page(from), from, level)
	n := 0
	for ; n < len(list); n++ {
		l := atomic.LoadUint32(&list[n])
		if l == noLink || l == noNode {
			break
		}
		if l == to.node() {
			return
		}
		s.batch[n] = l
	}
	if n < len(list) {
		if level == 0 {
			g.inLinks(to.node()).Add(1)
		}
		atomic.StoreUint32(&list[n], to.node())
		return
	}
	s.rankLinks(space, from, n)
	s.insertCandidate(to)
	s.selectNeighbours(space, from, len(list))
	if level == 0 {
		s.keepRarelyLinked(to.node(), len(list))
	}
	g.storeLinks(list, s.selectedLinks, level)
}

// keepRarelyLinked keeps the candidates that have too few incoming links, in place of the
// farthest links that can be spared. Then it also keeps fresh if that has too few; the link to
// fresh is not counted yet.
func (s *Searcher) keepRarelyLinked(fresh uint32, places int) {
	for _, e := range s.candidates {
		if e.node() != fresh && s.graph.inLinks(e.node()).Load() <= minInLinks {
			s.keepLink(e.node(), fresh, places)
		}
	}
	if s.graph.inLinks(fresh).Load() < minInLinks {
		s.keepLink(fresh, fresh, places)
	}
}

// keepLink adds a node to the selected links, or replaces a link that can be spared.
func (s *Searcher) keepLink(node, fresh uint32, places int) {
	if slices.Contains(s.selectedLinks, node) {
		return
	}
	if len(s.selectedLinks) < places {
		s.selectedLinks = append(s.selectedLinks, node)
		return
	}
	for i := len(s.selectedLinks) - 1; i >= 0; i-- {
		if other := s.selectedLinks[i]; other == fresh || s.graph.inLinks(other).Load() > minInLinks {
			s.selectedLinks[i] = node
			return
		}
	}
}

// rankLinks makes the first n nodes of batch the candidates, by their similarity to a node.
func (s *Searcher) rankLinks(space Space, middle uint32, n int) {
	space.Load(&s.nodeProbe, middle)
	space.Compare(&s.nodeProbe, s.batch[:n], s.scores[:])
	s.candidates = s.candidates[:0]
	for i, l := range s.batch[:n] {
		s.insertCandidate(candidate{s.scores[i], l})
	}
}
