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
	level := g.drawn(node)
	if g.first(p, node, level) {
		return
	}
	s := g.Searcher()
	defer s.Free()
	space.Stand(&s.Probe, node)
	s.within = Within{Limit: absent}
	s.plan(space, node, level)
	g.raise(p, node, level)
	_, top, _ := g.start()
	for l := min(level, top); l >= 0; l-- {
		s.keeping = s.keeping[:0]
		for _, e := range s.chosen[l] {
			s.keeping = append(s.keeping, e.node())
		}
		s.merge(g.list(p, node, l), node, l)
	}
	for l := min(level, top); l >= 0; l-- {
		for _, e := range s.chosen[l] {
			s.join(space, e.node(), entry{e.score, node}, l)
		}
	}
	// Where they all had others to keep, whoever is near next can spare a link.
	for _, e := range s.spare {
		if g.in(node).Load() >= fewest {
			break
		}
		s.join(space, e.node(), entry{e.score, node}, 0)
	}
	g.lift(node, level)
}

// first makes a node the only one of an empty graph.
func (g *Graph) first(p *page, node uint32, level int) bool {
	if _, _, ok := g.start(); ok {
		return false
	}
	g.growing.Lock()
	defer g.growing.Unlock()
	if g.top.Load() != 0 {
		return false
	}
	g.raise(p, node, level)
	g.top.Store(uint64(level+1)<<32 | uint64(node))
	return true
}

// lift makes a node the top where it stands higher.
func (g *Graph) lift(node uint32, level int) {
	if _, top, _ := g.start(); level <= top {
		return
	}
	g.growing.Lock()
	defer g.growing.Unlock()
	if _, top, _ := g.start(); level > top {
		g.top.Store(uint64(level+1)<<32 | uint64(node))
	}
}

// plan finds the neighbours of a new node on every level. Nothing is written before all
// are found, for who can reach the node may link to it.
func (s *Searcher) plan(space Space, node uint32, level int) {
	for l := range s.chosen {
		s.chosen[l] = s.chosen[l][:0]
	}
	s.begin()
	s.descend(space, level)
	_, top, _ := s.graph.start()
	s.passing = len(s.pool)
	for l := min(level, top); l >= 0; l-- {
		s.meet(node)
		s.widen(space, l, s.graph.opts.Effort)
		s.chosen[l] = append(s.chosen[l][:0], s.choose(space, node, s.graph.opts.M)...)
		s.spare = append(s.spare[:0], s.pool...)
		clear(s.visited)
		for i := range s.pool {
			s.pool[i].mark = s.pool[i].node()
			s.meet(s.pool[i].mark)
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
func (s *Searcher) choose(space Space, middle uint32, m int) []entry {
	s.drawTies(middle)
	s.sorted, s.keeping = s.sorted[:0], s.keeping[:0]
	twins := m / 2
	for _, e := range s.pool {
		if len(s.sorted) == m {
			break
		}
		apart, twin := s.apart(space, e)
		if !apart || twin && twins == 0 {
			continue
		}
		if twin {
			twins--
		}
		s.sorted = append(s.sorted, entry{e.score, e.node()})
		s.keeping = append(s.keeping, e.node())
	}
	return s.sorted
}

// drawTies puts entries of the pool with equal scores in an order drawn for the middle.
func (s *Searcher) drawTies(middle uint32) {
	for i := 0; i < len(s.pool); {
		j := i + 1
		for j < len(s.pool) && s.pool[j].score == s.pool[i].score {
			j++
		}
		if j > i+1 {
			lot := func(e entry) uint64 { return mix(uint64(middle)<<32 | uint64(e.node())) }
			slices.SortFunc(s.pool[i:j], func(a, b entry) int { return cmp.Compare(lot(a), lot(b)) })
		}
		i = j
	}
}

// apart reports whether an entry is at least as near to the middle as to all that are
// kept, and whether it is just as near to one of them: its twin, or the middle's.
func (s *Searcher) apart(space Space, e entry) (apart, twin bool) {
	if len(s.keeping) == 0 {
		return true, false
	}
	space.Stand(&s.other, e.node())
	for part := range slices.Chunk(s.keeping, apartAtOnce) {
		space.Compare(&s.other, part, s.scores[:])
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
const apartAtOnce = 4

// merge writes the links of a new node, and keeps those that others made meanwhile.
func (s *Searcher) merge(list []uint32, node uint32, level int) {
	mu := s.graph.lock(node)
	mu.Lock()
	defer mu.Unlock()
	for i := range list {
		l := atomic.LoadUint32(&list[i])
		if l == none || len(s.keeping) == len(list) {
			break
		}
		if !slices.Contains(s.keeping, l) {
			s.keeping = append(s.keeping, l)
		}
	}
	s.graph.store(list, s.keeping, level)
}

// join adds a link from a node to another. Where it has no room, it chooses anew.
func (s *Searcher) join(space Space, from uint32, to entry, level int) {
	g := s.graph
	mu := g.lock(from)
	mu.Lock()
	defer mu.Unlock()
	list := g.list(g.page(from), from, level)
	n := 0
	for ; n < len(list); n++ {
		l := atomic.LoadUint32(&list[n])
		if l == none || l == absent {
			break
		}
		if l == to.node() {
			return
		}
		s.fresh[n] = l
	}
	if n < len(list) {
		if level == 0 {
			g.in(to.node()).Add(1)
		}
		atomic.StoreUint32(&list[n], to.node())
		return
	}
	s.weigh(space, from, n)
	s.insert(to)
	s.choose(space, from, len(list))
	if level == 0 {
		s.rescue(to.node(), len(list))
	}
	g.store(list, s.keeping, level)
}

// rescue keeps those of the pool that too few others link to, in place of the farthest
// that can be spared; fresh, whose link is not counted yet, where there is room after that.
func (s *Searcher) rescue(fresh uint32, places int) {
	for _, e := range s.pool {
		if e.node() != fresh && s.graph.in(e.node()).Load() <= fewest {
			s.keep(e.node(), fresh, places)
		}
	}
	if s.graph.in(fresh).Load() < fewest {
		s.keep(fresh, fresh, places)
	}
}

// keep adds a node to those that are kept, or puts it in the place of one that is spared.
func (s *Searcher) keep(node, fresh uint32, places int) {
	if slices.Contains(s.keeping, node) {
		return
	}
	if len(s.keeping) < places {
		s.keeping = append(s.keeping, node)
		return
	}
	for i := len(s.keeping) - 1; i >= 0; i-- {
		if other := s.keeping[i]; other == fresh || s.graph.in(other).Load() > fewest {
			s.keeping[i] = node
			return
		}
	}
}

// weigh makes the pool of the first n of fresh, by how near they are to a node.
func (s *Searcher) weigh(space Space, middle uint32, n int) {
	space.Stand(&s.other, middle)
	space.Compare(&s.other, s.fresh[:n], s.scores[:])
	s.pool = s.pool[:0]
	for i, l := range s.fresh[:n] {
		s.insert(entry{s.scores[i], l})
	}
}
