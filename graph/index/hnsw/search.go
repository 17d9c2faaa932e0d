package hnsw

import (
	"math"
	"sync/atomic"
)

// Hit is a node that a search found, with its score in the space. Where the space rounds,
// the order of hits is that of the rounded scores: compare the first few times as many as
// are wanted exactly, and take the best of those.
type Hit struct {
	Node  uint32
	Score float32
}

// Within says what a search may answer.
type Within struct {
	// Pass is the set of nodes that may be answered, a bit each; nil: all. The others are
	// walked over. Nodes behind its end do not pass.
	Pass []uint64
	// Limit is the first node that the space does not know; 0: it knows all.
	Limit uint32
	// Budget is after how many comparisons a search gives up; 0: never. It is there for
	// sets that are few or far from the question, which are better gone through.
	Budget int
}

// Searcher is a search under way, and the memory that it works in.
type Searcher struct {
	Probe
	other    Probe // a node that is compared with others
	graph    *Graph
	visited  []uint64
	pool     []entry // the nearest so far, best first
	passing  int     // of the pool
	compared int
	within   Within
	fresh    [Batch]uint32
	scores   [Batch]float32
	hits     []Hit

	chosen  [maxLevel + 1][]entry // of an insertion: the neighbours on each level
	spare   []entry               // … and all that were considered on level 0
	sorted  []entry
	keeping []uint32
}

// entry is a node of the pool.
type entry struct {
	score float32
	mark  uint32 // the node, and the marks below
}

const (
	expanded = 1 << 31 // its neighbours were looked at
	outside  = 1 << 30 // it may not be answered
	nodeMask = outside - 1
)

func (e entry) node() uint32 { return e.mark & nodeMask }

// Searcher gives one, to be freed when its hits were read. Ask the space to fill in its
// probe, then call Search.
func (g *Graph) Searcher() *Searcher { return g.scratch.Get().(*Searcher) }

// Free gives the searcher back.
func (s *Searcher) Free() {
	s.forget()
	s.other.forget()
	s.within = Within{}
	s.graph.scratch.Put(s)
}

// Compared is how many nodes the last search compared.
func (s *Searcher) Compared() int { return s.compared }

// Search finds the nodes nearest to the probe, best first, at most effort of them (ef of
// the paper): the more effort, the surer that the first are the nearest of all. It answers
// false where it gave up for its budget. The hits are valid until the next search.
func (s *Searcher) Search(space Space, effort int, in Within) (hits []Hit, finished bool) {
	s.within, s.compared = in, 0
	if in.Limit == 0 {
		s.within.Limit = absent
	}
	effort = max(1, effort)
	s.begin()
	s.descend(space, 0)
	s.passing = 0
	for i := range s.pool {
		s.pool[i].mark = s.pool[i].node() | s.side(s.pool[i].node())
		s.passing += s.counts(s.pool[i])
	}
	finished = s.widen(space, 0, effort)
	s.hits = s.hits[:0]
	for _, e := range s.pool {
		if e.mark&outside == 0 {
			s.hits = append(s.hits, Hit{e.node(), e.score})
		}
	}
	return s.hits, finished
}

// begin empties what a search fills.
func (s *Searcher) begin() {
	s.visited = sized(s.visited, len(*s.graph.pages.Load())*pageSize/64)
	s.pool = s.pool[:0]
}

// meet notes a node; false where it was met before. Pages that were added since the
// search began are not in the set and met as often as they are linked to; a node that
// stands in the pool twice is prevented by treating them as met.
func (s *Searcher) meet(node uint32) bool {
	w := int(node >> 6)
	if w >= len(s.visited) {
		return false
	}
	bit := uint64(1) << (node & 63)
	if s.visited[w]&bit != 0 {
		return false
	}
	s.visited[w] |= bit
	return true
}

// descend walks from the top to the level above the one given, each time to the nearest
// node, and leaves that one in the pool with only itself met.
func (s *Searcher) descend(space Space, above int) {
	node, level, ok := s.graph.start()
	if !ok {
		return
	}
	if node >= s.within.Limit {
		s.anywhere(space)
		return
	}
	best := entry{s.one(space, node), node}
	for ; level > above; level-- {
		best = s.climb(space, level, best)
	}
	clear(s.visited)
	if s.meet(best.node()) {
		s.pool = append(s.pool, best)
	}
}

// climb goes from neighbour to neighbour of one level while that leads nearer.
func (s *Searcher) climb(space Space, level int, best entry) entry {
	for {
		page := s.graph.page(best.node())
		n := 0
		for i, list := 0, s.graph.list(page, best.node(), level); i < len(list); i++ {
			l := atomic.LoadUint32(&list[i])
			if l == none {
				break
			}
			if l < s.within.Limit {
				s.fresh[n] = l
				n++
			}
		}
		s.compare(space, n)
		found := best
		for i, score := range s.scores[:n] {
			if score > found.score {
				found = entry{score, s.fresh[i]}
			}
		}
		if found == best {
			return best
		}
		best = found
	}
}

// anywhere begins with nodes spread over those below the limit: the top is newer than
// what the space knows.
func (s *Searcher) anywhere(space Space) {
	clear(s.visited)
	const starts = 16
	for i := range uint64(starts) {
		node := uint32(i * uint64(s.within.Limit) / starts)
		if s.graph.Has(node) && s.meet(node) {
			s.insert(entry{s.one(space, node), node})
		}
	}
}

func (s *Searcher) one(space Space, node uint32) float32 {
	s.fresh[0] = node
	s.compare(space, 1)
	return s.scores[0]
}

func (s *Searcher) compare(space Space, n int) {
	if n > 0 {
		space.Compare(&s.Probe, s.fresh[:n], s.scores[:])
		s.compared += n
	}
}

// side is the mark of a node that may not be answered, or 0.
func (s *Searcher) side(node uint32) uint32 {
	if pass := s.within.Pass; pass != nil {
		if w := int(node >> 6); w >= len(pass) || pass[w]&(1<<(node&63)) == 0 {
			return outside
		}
	}
	return 0
}

func (s *Searcher) counts(e entry) int {
	if e.mark&outside != 0 {
		return 0
	}
	return 1
}

// widen is SEARCH-LAYER of the paper, algorithm 2. Candidates and results are one sorted
// list: what is worse than the last of the effort that may be answered is no candidate
// either.
func (s *Searcher) widen(space Space, level, effort int) bool {
	for at := 0; at < len(s.pool); {
		if s.pool[at].mark&expanded != 0 {
			at++
			continue
		}
		if s.within.Budget > 0 && s.compared > s.within.Budget {
			return false
		}
		node := s.pool[at].node()
		s.pool[at].mark |= expanded
		n := s.neighbours(node, level)
		s.compare(space, n)
		next, bar := at+1, s.bar(effort)
		for i, score := range s.scores[:n] {
			if !(score > bar) { // nor is what cannot be compared
				continue
			}
			e := entry{score, s.fresh[i] | s.side(s.fresh[i])}
			next = min(next, s.insert(e))
			if s.passing += s.counts(e); s.passing >= effort {
				s.shed(effort)
				bar = s.bar(effort)
			}
		}
		at = next
	}
	return true
}

// neighbours puts those of a node that were not met into fresh and counts them.
func (s *Searcher) neighbours(node uint32, level int) int {
	list := s.graph.list(s.graph.page(node), node, level)
	n := 0
	for i := range list {
		l := atomic.LoadUint32(&list[i])
		if l >= s.within.Limit {
			if l >= absent {
				break
			}
			continue
		}
		if s.meet(l) {
			s.fresh[n] = l
			n++
		}
	}
	return n
}

// insert puts an entry in its place and returns that.
func (s *Searcher) insert(e entry) int {
	from, to := 0, len(s.pool)
	for from < to {
		if mid := (from + to) / 2; s.pool[mid].score >= e.score {
			from = mid + 1
		} else {
			to = mid
		}
	}
	s.pool = append(s.pool, entry{})
	copy(s.pool[from+1:], s.pool[from:])
	s.pool[from] = e
	return from
}

// bar is the score that a node must beat to enter the pool.
func (s *Searcher) bar(effort int) float32 {
	if s.passing < effort {
		return float32(math.Inf(-1))
	}
	return s.pool[len(s.pool)-1].score
}

// shed takes off the pool what is behind the last of the effort that may be answered.
func (s *Searcher) shed(effort int) {
	last := len(s.pool) - 1
	for s.passing > effort || s.pool[last].mark&outside != 0 {
		s.passing -= s.counts(s.pool[last])
		last--
	}
	s.pool = s.pool[:last+1]
}
