package index

import (
	"slices"
	"strings"
	"sync"
)

// BM25 (Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework", eq. 3.15):
//
//	score(d, q) = Σ_t qtf_t · idf_t · tf·(k1+1) / (tf + k1·(1 − b + b·|d|/avg))
//	idf_t       = ln(1 + (N − df + ½)/(df + ½))
//
// N, df and avg are those of the namespace now; tf and |d| count a word by the
// weight of its field (prepare.go).
const (
	bm25K1 = 1.2 // k₁ ≥ 0: how soon repeats stop counting
	bm25B  = 0.75
)

// What answers a question often stands beside the words of the question: a memory
// lends a share of its BM25 to those around it in the session, by event time and
// among those that pass the filter. The share falls with every step, and a long memory
// borrows less than a short one, for it speaks for itself:
//
//	share(steps, |d|) = shareStep^steps · shareLength/(shareLength + |d|)
const (
	shareStep   = 0.6
	shareSteps  = 2     // to either side
	shareLength = 100.0 // |d| in terms at which half is borrowed
)

// question is a text of a query as terms with their weighted number.
type question []counted

// askWords analyses the texts of a query. Equal questions are asked once.
func askWords(a *analyser, texts []string) []question {
	var out []question
	for _, text := range texts {
		var q question
		a.each(text, func(term string) {
			w := askedWeight(term)
			for i := range q {
				if q[i].term == term {
					q[i].tf += w
					return
				}
			}
			q = append(q, counted{strings.Clone(term), w})
		})
		same := func(o question) bool { return slices.Equal(o, q) }
		if len(q) > 0 && !slices.ContainsFunc(out, same) {
			out = append(out, q)
		}
	}
	return out
}

// ranks holds the word scores of one query over one view, by slot.
type ranks struct {
	own     []float32 // of the question at hand
	sum     []float32 // own and the shares of the neighbours
	best    []float32 // over the questions
	group   []float32 // frequencies of the group at hand; zeros between groups
	grouped []uint32  // slots with group > 0
	touched []uint32  // slots with own > 0
	summed  []uint32  // slots with sum > 0
	found   []uint32  // slots with best > 0
}

var ranksPool = sync.Pool{New: func() any { return new(ranks) }}

// takeRanks returns empty scores for n slots. Give them back with free.
func takeRanks(n int) *ranks {
	r := ranksPool.Get().(*ranks)
	if len(r.own) < n {
		size := n + n/8
		r.own, r.sum, r.best, r.group = make([]float32, size), make([]float32, size), make([]float32, size), make([]float32, size)
	}
	return r
}

func (r *ranks) free() {
	for _, s := range r.found {
		r.best[s] = 0
	}
	r.found = r.found[:0]
	ranksPool.Put(r)
}

// ask scores the passing memories of a view; a memory counts with its best question.
// groups has those of each question.
func (v *view) ask(questions []question, groups [][]group, pass bitmap) *ranks {
	r := takeRanks(v.n)
	for i, q := range questions {
		v.score(r, q, pass)
		for _, g := range groups[i] {
			v.scoreGroup(r, g, pass)
		}
		v.spreadShares(r, pass)
		for _, s := range r.summed {
			if r.best[s] == 0 {
				r.found = append(r.found, s)
			}
			r.best[s] = max(r.best[s], r.sum[s])
			r.sum[s] = 0
		}
		for _, s := range r.touched {
			r.own[s] = 0
		}
		r.touched, r.summed = r.touched[:0], r.summed[:0]
	}
	return r
}

// score adds the BM25 of one question into r.own.
func (v *view) score(r *ranks, q question, pass bitmap) {
	for _, t := range q {
		_, items := v.lists.get(keyTerm, t.term)
		if len(items) == 0 {
			continue
		}
		weight := float32(v.rarity(float64(len(items)))*(bm25K1+1)) * t.tf
		for _, it := range items {
			if pass.has(it.slot) {
				r.add(it.slot, weight*v.saturated(it.slot, it.tf))
			}
		}
	}
}

// add counts towards the question at hand.
func (r *ranks) add(slot uint32, score float32) {
	if r.own[slot] == 0 {
		r.touched = append(r.touched, slot)
	}
	r.own[slot] += score
}

// saturated is tf / (tf + k1·(1 − b + b·|d|/avg)).
func (v *view) saturated(slot uint32, tf float32) float32 {
	length := v.chunks[slot>>chunkBits].col.length[slot&chunkMask]
	return tf / (tf + float32(bm25K1*(1-bm25B)) + v.slope*length)
}

// spreadShares fills r.sum: what a memory scores itself and what its neighbours lend it.
func (v *view) spreadShares(r *ranks, pass bitmap) {
	for _, s := range r.touched {
		own := r.own[s]
		if r.sum[s] == 0 {
			r.summed = append(r.summed, s)
		}
		r.sum[s] += own
		col, i := v.columns(s)
		if col.session[i] == 0 {
			continue
		}
		for _, later := range [...]bool{false, true} {
			lent, at := own, s
			for range shareSteps {
				if at = v.neighbour(at, pass, later); at == none {
					break
				}
				lent *= shareStep
				c, j := v.columns(at)
				if r.sum[at] == 0 {
					r.summed = append(r.summed, at)
				}
				r.sum[at] += lent * borrowed(c.length[j])
			}
		}
	}
}

// neighbour is the next passing slot of the session in one direction, or none.
func (v *view) neighbour(slot uint32, pass bitmap, later bool) uint32 {
	for {
		c, i := v.columns(slot)
		if later {
			slot = c.after[i]
		} else {
			slot = c.before[i]
		}
		if slot == none || pass.has(slot) {
			return slot
		}
	}
}

// borrowed is the share that a memory of a length takes of what it is lent.
func borrowed(length float32) float32 { return shareLength / (shareLength + length) }
