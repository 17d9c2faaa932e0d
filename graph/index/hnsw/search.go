package hnsw

import (
	"math"
	"sync/atomic"
)

// Hit is a node that a search found, with its score in the space. If the space rounds vectors,
// hits are ordered by the rounded scores: compare a few times as many hits as wanted exactly,
// and take the best of those.
type Hit struct {
	Node  uint32
	Score float32
}

// Constraints limit the results and the cost of a search.
type Constraints struct {
	// Allowed is the set of nodes that may be results, one bit each; nil: all. A search passes
	// through the others. Nodes beyond its end are not allowed.
	Allowed []uint64
	// NodeLimit is the first node that the space does not have; 0: it has all.
	NodeLimit uint32
	// Budget is the number of comparisons after which a search gives up; 0: no limit. It is for
	// sets that are small or far from the query, for which a scan is better.
	Budget int
}

// Searcher is a running search and its working memory.
type Searcher struct {
	Probe
	nodeProbe   Probe // a node to compare with others
	graph       *Graph
	visited     []uint64
	candidates  []candidate // the nearest so far, best first
	allowed     int         // number of candidates that may be results
	compared    int
	constraints Constraints
	batch       [Batch]uint32
	scores      [Batch]float32
	hits        []Hit

	neighboursByLevel [maxLevel + 1][]candidate // of an insertion: the neighbours on each level
	spareCandidates   []candidate               // … and all candidates of level 0
	selected          []candidate
	selectedLinks     []uint32
}

// candidate is a node with its score.
type candidate struct {
	score float32
	mark  uint32 // the node and the flags below
}

const (
	expandedMark = 1 << 31 // its neighbours were visited
	disallowed   = 1 << 30 // it may not be a result
	nodeMask     = disallowed - 1
)

func (e candidate) node() uint32 { return e.mark & nodeMask }

// Searcher returns a searcher. The caller sets its probe through the space, calls Search, and
// frees it after reading the hits.
func (g *Graph) Searcher() *Searcher { return g.searchers.Get().(*Searcher) }

// Free clears the searcher and returns it to its pool.
func (s *Searcher) Free() {
	s.Probe.reset()
	s.nodeProbe.reset()
	s.constraints = Constraints{}
	s.graph.searchers.Put(s)
}

// Compared returns the number of nodes that the last search compared.
func (s *Searcher) Compared() int { return s.compared }

// Search finds the nodes nearest to the probe, best first, at most effort of them (ef of the
// paper). A higher effort makes it more likely that the first hits are the nearest of all.
// finished is false if the search exceeded its budget. The hits are valid until the next search.
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

// prepare empties the candidates and sizes the visited set.
func (s *Searcher) prepare() {
	s.visited = resized(s.visited, len(*s.graph.pages.Load())*pageSize/64)
	s.candidates = s.candidates[:0]
}

// visit marks a node as visited; false if it was visited before. Nodes of pages that were added
// after the search began are not in the set. They count as visited, so that no node becomes a
// candidate twice.
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

// descend goes from the entry point down to the level above the given one, on each level to the
// nearest node. It leaves the last one as the only candidate and the only visited node.
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

// greedySearch goes from neighbour to neighbour on one level while the score rises.
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

// spreadStarts begins with nodes spread over those below NodeLimit. It is used if the entry
// point is newer than the vectors of the space.
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

// disallowedMark returns the flag of a node that may not be a result, or 0.
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

// searchLayer is SEARCH-LAYER of the paper, algorithm 2. Candidates and results are one sorted
// list: a node worse than the last of effort allowed nodes is not a candidate either. It returns
// false if the search exceeded its budget.
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
			if !(score > bar) { // also excludes NaN
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

// unvisitedNeighbours puts the unvisited neighbours of a node into batch and returns their
// number.
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

// insertCandidate inserts a candidate by its score and returns its index.
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

// threshold is the score that a node must exceed to become a candidate.
func (s *Searcher) threshold(effort int) float32 {
	if s.allowed < effort {
		return float32(math.Inf(-1))
	}
	return s.candidates[len(s.candidates)-1].score
}

// trim removes the candidates after the last of effort allowed ones.
func (s *Searcher) trim(effort int) {
	last := len(s.candidates) - 1
	for s.allowed > effort || s.candidates[last].mark&disallowed != 0 {
		s.allowed -= s.allowedCount(s.candidates[last])
		last--
	}
	s.candidates = s.candidates[:last+1]
}
