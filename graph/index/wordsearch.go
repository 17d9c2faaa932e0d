package index

import (
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/text"
)

// The words channel first scores every memory by itself. It then scores some memories with the
// neighbour boost: those with the highest scores over all partitions, and their neighbours in
// the session. So it can miss a memory with a low score of its own that several average
// neighbours boost. An exhaustive query scores every memory with its boost.
//
// For each wanted candidate, rerankFactor memories and their neighbours are scored with the
// boost; in an approximate query approximateRerankFactor memories.
const rerankFactor, approximateRerankFactor = 8, 2

// wordSearch is the words channel of a recall. A nil wordSearch finds nothing.
type wordSearch struct {
	*recall
	questions []wordQuery
	groups    [][]relatedGroup
	rerank    int           // memories that are scored with their boost, for each question
	next      atomic.Int64  // partition to score next
	unscored  atomic.Int64  // partitions not yet scored
	hits      [][]slots.Hit // by partition

	mu      sync.Mutex
	highest []*slots.TopK   // by question: the highest scores over the partitions so far, without boost
	picked  [][][]slots.Hit // by partition and question: the memories to score with their boost
}

// newWordSearch analyses the texts of the query. It returns nil if they contain no words.
func (r *recall) newWordSearch(x *Index) *wordSearch {
	if len(r.query.Texts) == 0 {
		return nil
	}
	a := x.analysers.Get().(*text.Analyser)
	defer x.analysers.Put(a)
	s := &wordSearch{recall: r, questions: parseWordQueries(a, r.query.Texts), rerank: rerankFactor * r.query.Limit}
	if r.query.Approximate {
		s.rerank = approximateRerankFactor * r.query.Limit
	}
	s.groups = make([][]relatedGroup, len(s.questions))
	for i, q := range s.questions {
		if len(r.query.Related) > 0 {
			s.groups[i] = relatedGroups(a, q, r.query.Related)
		}
		m := newTopicProfile(q, x.opts.Topics)
		if i == 0 {
			r.topics, r.result.HasTopics = m, m.hasTopics()
		}
		if r.query.Topics {
			s.questions[i] = m.expand(q)
		}
	}
	if len(s.questions) == 0 {
		return nil
	}
	s.hits, s.picked = make([][]slots.Hit, len(r.parts)), make([][][]slots.Hit, len(r.parts))
	s.unscored.Store(int64(len(r.parts)))
	for range s.questions {
		s.highest = append(s.highest, slots.NewTopK(s.rerank, slots.ByNumber))
	}
	return s
}

// work scores partitions until none is left. Several goroutines may call it. The goroutine that
// scores the last partition also scores the picked memories with their boost. The result does
// not depend on the order.
func (s *wordSearch) work() {
	if s == nil {
		return
	}
	for i := int(s.next.Add(1)) - 1; i < len(s.parts); i = int(s.next.Add(1)) - 1 {
		s.score(i)
		if s.unscored.Add(-1) == 0 && !s.query.Exhaustive {
			s.boostPicked()
		}
	}
}

// score scores the memories of a partition by themselves and picks the highest. In an exhaustive
// query it scores all of them with the boost at once.
func (s *wordSearch) score(i int) {
	p := s.parts[i]
	p.words = p.view.scoreWords(s.questions, s.groups, p.matches.all)
	if s.query.Exhaustive {
		best := s.newBoosted(p)
		for _, own := range p.words.texts {
			for _, slot := range own.touched {
				best.addWithNeighbours(slot)
			}
		}
		s.hits[i] = best.Hits
		return
	}
	s.picked[i] = make([][]slots.Hit, len(s.questions))
	for j, own := range p.words.texts {
		s.mu.Lock()
		threshold := s.highest[j].Threshold()
		s.mu.Unlock()
		picked := own.highest(s.rerank, threshold)
		s.mu.Lock()
		for _, h := range picked {
			s.highest[j].Offer(h.Slot, h.Score)
		}
		s.mu.Unlock()
		s.picked[i][j] = picked
	}
}

// boostPicked scores the picked memories of all partitions with the boost.
func (s *wordSearch) boostPicked() {
	for i, p := range s.parts {
		best := s.newBoosted(p)
		for j, picked := range s.picked[i] {
			threshold := s.highest[j].Threshold()
			for _, h := range picked {
				if h.Score >= threshold {
					best.addWithNeighbours(h.Slot)
				}
			}
		}
		s.hits[i] = best.Hits
	}
}

// boostedHits are the best memories of a partition with the neighbour boost.
type boostedHits struct {
	*slots.TopK
	words *wordScores
}

func (s *wordSearch) newBoosted(p *partitionQuery) *boostedHits {
	return &boostedHits{slots.NewTopK(s.query.Limit, p.view.orderedBefore), p.words}
}

// addWithNeighbours scores a memory and its neighbours in the session.
func (b *boostedHits) addWithNeighbours(slot uint32) {
	b.add(slot)
	var buf [2 * boostSteps]lender
	for _, l := range b.words.view.lenders(buf[:0], slot, b.words.pass) {
		b.add(l.slot)
	}
}

// add scores a memory that is not scored yet.
func (b *boostedHits) add(slot uint32) {
	if b.words.boosted[slot] == 0 {
		b.Offer(slot, b.words.of(slot))
	}
}

// finish adds the hits to the candidates. It is called after all work has ended.
func (s *wordSearch) finish() {
	if s == nil {
		return
	}
	all := s.topHits(s.collectHits(s.hits))
	if len(all) > 0 {
		s.bestWordScore = all[0].score
	}
	s.result.Keyword = len(all)
	for i, f := range all {
		s.candidate(f).Ranks.Keyword = i + 1
	}
}
