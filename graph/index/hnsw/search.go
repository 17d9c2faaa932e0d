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
type Constraints struct {
	// Pass is the set of nodes that may be answered, a bit each; nil: all. The others are
	// walked over. Nodes behind its end do not pass.
	Allowed []uint64
	// Limit is the first node that the space does not know; 0: it knows all.
	NodeLimit uint32
	// Budget is after how many comparisons a search gives up; 0: never. It is there for
	// sets that are few or far from the question, which are better gone through.
	Budget int
}

// Searcher is a search under way, and the memory that it works in.
type Searcher struct {
	Probe
	nodeProbe   Probe // a node that is compared with others
	graph       *Graph
	visited     []uint64
	candidates  []candidate // the nearest so far, best first
	allowed     int         // of the pool
	compared    int
	constraints Constraints
	batch       [Batch]uint32
	scores      [Batch]float32
	hits        []Hit

	neighboursByLevel [maxLevel + 1][]candidate // of an insertion: the neighbours on each level
	spareCandidates   []candidate               // … and all that were considered on level 0
	selected          []candidate
	selectedLinks     []uint32
}

// entry is a node of the pool.
type candidate struct {
	score float32
	mark  uint32 // the node, and the marks below
}

const (
	expandedMark = 1 << 31 // its neighbours were looked at
	disallowed   = 1 << 30 // it may not be answered
	nodeMask     = disallowed - 1
)

func (e candidate) node() uint32 { return e.mark & nodeMask }

// Searcher gives one, to be freed when its hits were read. Ask the space to fill in its
// probe, then call Search.
func (g *Graph) Searcher() *Searcher { return g.searchers.Get().(*Searcher) }

// Free gives the searcher back.
func (s *Searcher) Free() {
	s.Probe.reset()
	s.nodeProbe.reset()
	s.constraints = Constraints{}
	s.graph.searchers.Put(s)
}

// Compared is how many nodes the last search compared.
func (s *Searcher) Compared() int { return s.compared }

// Search finds the nodes nearest to the probe, best first, at most effort of them (ef of
// the paper): the more effort, the surer that the first are the nearest of all. It answers
// false where it gave up for its budget. The hits are valid until the next search.
func (s *Searcher) Search(space Space, effort int, in Constraints) (hits []Hit, finished bool) {
	s.constraints, s.compared = in, 0
	if in.NodeLimit == 0 {
		s.constraints.NodeLimit = noNode
	}
	effort = max(1, effort)
	s.prepare()
	s.descend(space, 0)
	s.allowed = 0
	for i := range s.candidates {
		s.candidates[i].mark = s.candidates[i].node() | s.disallowedMark(s.candidates[i].node())
		s.allowed += s.allowedCount(s.candidates[i])
	}
	finished = s.searchLayer(space, 0, effort)
	s.hits = s.hits[:0]
	for _, e := range s.candidates {
		if e.mark&disallowed == 0 {
			s.hits = append(s.hits, Hit{e.node(), e.score})
		}
	}
	return s.hits, finished
}

// begin empties what a search fills.
func (s *Searcher) prepare() {
	s.visited = resized(s.visited, len(*s.graph.pages.Load())*pageSize/64)
	s.candidates = s.candidates[:0]
}

// meet notes a node; false where it was met before. Pages that were added since the
// search began are not in the set and met as often as they are linked to; a node that
// stands in the pool twice is prevented by treating them as met.
func (s *Searcher) visit(node uint32) bool {
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
	node, level, ok := s.graph.entry()
	if !ok {
		return
	}
	if node >= s.constraints.NodeLimit {
		s.spreadStarts(space)
		return
	}
	best := candidate{s.scoreOne(space, node), node}
	for ; level > above; level-- {
		best = s.greedySearch(space, level, best)
	}
	clear(s.visited)
	if s.visit(best.node()) {
		s.candidates = append(s.candidates, best)
	}
}

// climb goes from neighbour to neighbour of one level while that leads nearer.
func (s *Searcher) greedySearch(space Space, level int, best candidate) candidate {
	for {
		page := s.graph.page(best.node())
		n := 0
		for i, list := 0, s.graph.links(page, best.node(), level); i < len(list); i++ {
			l := atomic.LoadUint32(&list[i])
			if l == noLink {
				break
			}
			if l < s.constraints.NodeLimit {
				s.batch[n] = l
				n++
			}
		}
		s.scoreBatch(space, n)
		found := best
		for i, score := range s.scores[:n] {
			if score > found.score {
				found = candidate{score, s.batch[i]}
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
func (s *Searcher) spreadStarts(space Space) {
	clear(s.visited)
	const starts = 16
	for i := range uint64(starts) {
		node := uint32(i * uint64(s.constraints.NodeLimit) / starts)
		if s.graph.Has(node) && s.visit(node) {
			s.insertCandidate(candidate{s.scoreOne(space, node), node})
		}
	}
}

func (s *Searcher) scoreOne(space Space, node uint32) float32 {
	s.batch[0] = node
	s.scoreBatch(space, 1)
	return s.scores[0]
}

func (s *Searcher) scoreBatch(space Space, n int) {
	if n > 0 {
		space.Compare(&s.Probe, s.batch[:n], s.scores[:])
		s.compared += n
	}
}

// side is the mark of a node that may not be answered, or 0.
func (s *Searcher) disallowedMark(node uint32) uint32 {
	if pass := s.constraints.Allowed; pass != nil {
		if w := int(node >> 6); w >= len(pass) || pass[w]&(1<<(node&63)) == 0 {
			return disallowed
		}
	}
	return 0
}

func (s *Searcher) allowedCount(e candidate) int {
	if e.mark&disallowed != 0 {
		return 0
	}
	return 1
}

// widen is SEARCH-LAYER of the paper, algorithm 2. Candidates and results are one sorted
// list: what is worse than the last of the effort that may be answered is no candidate
// either.
func (s *Searcher) searchLayer(space Space, level, effort int) bool {
	for at := 0; at < len(s.candidates); {
		if s.candidates[at].mark&expandedMark != 0 {
			at++
			continue
		}
		if s.constraints.Budget > 0 && s.compared > s.constraints.Budget {
			return false
		}
		node := s.candidates[at].node()
		s.candidates[at].mark |= expandedMark
		n := s.unvisitedNeighbours(node, level)
		s.scoreBatch(space, n)
		next, bar := at+1, s.threshold(effort)
		for i, score := range s.scores[:n] {
			if !(score > bar) { // nor is what cannot be compared
				continue
			}
			e := candidate{score, s.batch[i] | s.disallowedMark(s.batch[i])}
			next = min(next, s.insertCandidate(e))
			if s.allowed += s.allowedCount(e); s.allowed >= effort {
				s.trim(effort)
				bar = s.threshold(effort)
			}
		}
		at = next
	}
	return true
}

// neighbours puts those of a node that were not met into fresh and counts them.
func (s *Searcher) unvisitedNeighbours(node uint32, level int) int {
	list := s.graph.links(s.graph.page(node), node, level)
	n := 0
	for i := range list {
		l := atomic.LoadUint32(&list[i])
		if l >= s.constraints.NodeLimit {
			if l >= noNode {
				break
			}
			continue
		}
		if s.visit(l) {
			s.batch[n] = l
			n++
		}
	}
	return n
}

// insert puts an entry in its place and returns that.
func (s *Searcher) insertCandidate(e candidate) int {
	from, to := 0, len(s.candidates)
	for from < to {
		if mid := (from + to) / 2; s.candidates[mid].score >= e.score {
			from = mid + 1
		} else {
			to = mid
		}
	}
	s.candidates = append(s.candidates, candidate{})
	copy(s.candidates[from+1:], s.candidates[from:])
	s.candidates[from] = e
	return from
}

// bar is the score that a node must beat to enter the pool.
func (s *Searcher) threshold(effort int) float32 {
	if s.allowed < effort {
		return float32(math.Inf(-1))
	}
	return s.candidates[len(s.candidates)-1].score
}

// shed takes off the pool what is behind the last of the effort that may be answered.
func (s *Searcher) trim(effort int) {
	last := len(s.candidates) - 1
	for s.allowed > effort || s.candidates[last].mark&disallowed != 0 {
		s.allowed -= s.allowedCount(s.candidates[last])
		last--
	}
	s.candidates = s.candidates[:last+1]
}
