package hnsw

import (
	"cmp"
	"slices"
	"sync/atomic"
)

// Insert adds a node, whose vector the space knows; one that is there already stays as it
// is. It is INSERT of the paper, algorithm 1. It may run beside searches and other
// insertions, but not beside another of the same node.
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
	// Where they all had others to keep, whoever is near next can spare a link.
	for _, e := range s.spareCandidates {
		if g.inLinks(node).Load() >= minInLinks {
			break
		}
		s.addLink(space, e.node(), candidate{e.score, node}, 0)
	}
	g.raiseEntryPoint(node, level)
}

// first makes a node the only one of an empty graph.
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

// lift makes a node the top where it stands higher.
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

// plan finds the neighbours of a new node on every level. Nothing is written before all
// are found, for who can reach the node may link to it.
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

// choose takes at most m of the pool, best first: those that are nearer to the node in the
// middle than to any taken before. It is SELECT-NEIGHBORS-HEURISTIC of the paper,
// algorithm 4, without its extensions. The answer is valid until the next call.
//
// Equal vectors, which the paper leaves out, would link to one another only, and be an
// island that no search leaves or enters. So they may take half of the places, and which
// of them do is another draw for every middle: then all of them are linked to by some.
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

// drawTies puts entries of the pool with equal scores in an order drawn for the middle.
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

// apart reports whether an entry is at least as near to the middle as to all that are
// kept, and whether it is just as near to one of them: its twin, or the middle's.
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

// apartAtOnce is how many are compared before it is asked whether more need be: most are
// turned down by one of the first.
const diversityBatch = 4

// merge writes the links of a new node, and keeps those that others made meanwhile.
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

// join adds a link from a node to another. Where it has no room, it chooses anew.
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

// rescue keeps those of the pool that too few others link to, in place of the farthest
// that can be spared; fresh, whose link is not counted yet, where there is room after that.
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

// keep adds a node to those that are kept, or puts it in the place of one that is spared.
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

// weigh makes the pool of the first n of fresh, by how near they are to a node.
func (s *Searcher) rankLinks(space Space, middle uint32, n int) {
	space.Load(&s.nodeProbe, middle)
	space.Compare(&s.nodeProbe, s.batch[:n], s.scores[:])
	s.candidates = s.candidates[:0]
	for i, l := range s.batch[:n] {
		s.insertCandidate(candidate{s.scores[i], l})
	}
}
