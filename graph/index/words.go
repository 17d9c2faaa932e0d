package index

import (
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/text"
)

// BM25 (Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework", eq. 3.15):
//
//	score(d, q) = Σ_t qtf_t · idf_t · tf·(k1+1) / (tf + k1·(1 − b + b·|d|/avg))
//	idf_t       = ln(1 + (N − df + ½)/(df + ½))
//
// N, df and avg are those of the namespace now; tf and |d| count a word by the
// weight of its field (prepare.go).
const (
	bm25K1 = 1.2 // k₁ ≥ 0: how slowly repeats of a word saturate
	bm25B  = 0.75
)

// wordQuery is one text of a query as terms with weighted counts.
type wordQuery []termCount

// parseWordQueries analyses the texts of a query. It keeps one of several equal results.
func parseWordQueries(a *text.Analyser, texts []string) []wordQuery {
	var out []wordQuery
	for _, variant := range texts {
		var q wordQuery
		a.EachTerm(variant, func(term string) {
			w := text.QuestionWeight(term)
			for i := range q {
				if q[i].term == term {
					q[i].frequency += w
					return
				}
			}
			q = append(q, termCount{strings.Clone(term), w})
		})
		same := func(o wordQuery) bool { return slices.Equal(o, q) }
		if len(q) > 0 && !slices.ContainsFunc(out, same) {
			out = append(out, q)
		}
	}
	return out
}

// wordScores holds the word scores of a query over one view, by slot. The scores of single
// memories are added up for all of them; the neighbour boost is computed where it is needed.
type wordScores struct {
	view     *view
	pass     slots.Set
	texts    []*ownScores // one per text of the query
	boosted  []float32    // the best over the texts, with the neighbour boost; 0: not computed
	computed []uint32     // slots with boosted > 0
	group    []float32    // frequencies of the current group of related words; zeros between groups
	grouped  []uint32     // slots with group > 0
}

// ownScores are the scores for one text without the neighbour boost.
type ownScores struct {
	score   []float32 // by slot
	touched []uint32  // slots with score > 0
}

var (
	wordScoresPool = sync.Pool{New: func() any { return new(wordScores) }}
	ownScoresPool  = sync.Pool{New: func() any { return new(ownScores) }}
)

// scoreWords scores the passing memories of a view without the neighbour boost. groups are the
// related words of each question. The caller returns the scores to their pool with free.
func (v *view) scoreWords(questions []wordQuery, groups [][]relatedGroup, pass slots.Set) *wordScores {
	s := wordScoresPool.Get().(*wordScores)
	s.view, s.pass = v, pass
	s.boosted, s.group = zeroed(s.boosted, v.n), zeroed(s.group, v.n)
	for i, q := range questions {
		own := ownScoresPool.Get().(*ownScores)
		own.score = zeroed(own.score, v.n)
		s.texts = append(s.texts, own)
		for _, t := range q {
			_, items := v.lookup(keyTerm, t.term)
			v.addTerm(own, items, float32(v.idf(float64(len(items)))*(bm25K1+1))*t.frequency, pass)
		}
		for _, g := range groups[i] {
			v.addGroup(s, own, g)
		}
	}
	return s
}

// zeroed returns a slice of at least n zeros: have, which contains only zeros, or a new one.
func zeroed(have []float32, n int) []float32 {
	if len(have) >= n {
		return have
	}
	return make([]float32, n+n/8)
}

// free sets every slot to 0 and returns the scores to their pool.
func (s *wordScores) free() {
	for _, slot := range s.computed {
		s.boosted[slot] = 0
	}
	for _, own := range s.texts {
		for _, slot := range own.touched {
			own.score[slot] = 0
		}
		own.touched = own.touched[:0]
		ownScoresPool.Put(own)
	}
	clear(s.texts)
	s.texts, s.computed, s.view, s.pass = s.texts[:0], s.computed[:0], nil, nil
	wordScoresPool.Put(s)
}

// of returns the score of a passing memory: the best over the texts, with the neighbour boost.
func (s *wordScores) of(slot uint32) float32 {
	if s.boosted[slot] > 0 {
		return s.boosted[slot]
	}
	var buf [2 * boostSteps]lender
	lenders := s.view.lenders(buf[:0], slot, s.pass)
	col, i := s.view.columnsOf(slot)
	taken, best := boostTaken(col.length[i]), float32(0)
	for _, own := range s.texts {
		lent := float32(0)
		for _, l := range lenders {
			lent += own.score[l.slot] * l.share
		}
		best = max(best, own.score[slot]+lent*taken)
	}
	if best > 0 {
		s.boosted[slot], s.computed = best, append(s.computed, slot)
	}
	return best
}

// addTerm adds the score of one term to the memories that contain it. The slots ascend, so it
// looks up the lengths of a chunk once.
func (v *view) addTerm(own *ownScores, items []posting, weight float32, pass slots.Set) {
	score, touched := own.score, own.touched
	at, lengths := slots.None, (*[slots.ChunkSize]float32)(nil)
	for _, it := range items {
		if !pass.Has(it.slot) {
			continue
		}
		if c := it.slot >> slots.ChunkBits; c != at {
			at, lengths = c, &v.chunks[c].columns.length
		}
		if score[it.slot] == 0 {
			touched = append(touched, it.slot)
		}
		score[it.slot] += weight * v.saturation(it.frequency, lengths[it.slot&slots.ChunkMask])
	}
	own.touched = touched
}

// add adds to the score of a memory.
func (s *ownScores) add(slot uint32, score float32) {
	if s.score[slot] == 0 {
		s.touched = append(s.touched, slot)
	}
	s.score[slot] += score
}

// highest returns the k memories with the highest scores, among those that reach the threshold.
func (s *ownScores) highest(k int, threshold float32) []slots.Hit {
	t := slots.NewTopK(k, slots.ByNumber)
	for _, slot := range s.touched {
		if score := s.score[slot]; score >= threshold {
			if t.Offer(slot, score); t.Full() {
				threshold = t.Lowest()
			}
		}
	}
	return t.Hits
}

// saturationAt returns the saturation of a term in the memory of a slot.
func (v *view) saturationAt(slot uint32, tf float32) float32 {
	return v.saturation(tf, v.chunks[slot>>slots.ChunkBits].columns.length[slot&slots.ChunkMask])
}

// saturation returns tf / (tf + k1·(1 − b + b·|d|/avg)).
func (v *view) saturation(tf, length float32) float32 {
	return tf / (tf + float32(bm25K1*(1-bm25B)) + v.lengthNorm*length)
}
