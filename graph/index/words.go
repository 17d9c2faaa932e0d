package index

import (
	"math"
	"slices"
	"strings"
	"sync"

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
	bm25K1 = 1.2 // k₁ ≥ 0: how soon repeats stop counting
	bm25B  = 0.75
)

// What answers a question often stands beside the words of the question: a memory
// lends a share of its BM25 to those around it in the session, by event time and
// among those that pass the filter. The share falls with every step, and a long memory
// borrows less than a short one, for it speaks for itself:
//
//	share(steps, |d|) = shareStep^steps · shareLength/(shareLength + |d|)
//
// A memory that asks lends more to the next one, as far as that one tells, for it is
// the answer: shareAnswer·asks·(1−asks) of it more.
const (
	shareStep   = 0.6
	shareSteps  = 2     // to either side
	shareLength = 100.0 // |d| in terms at which half is borrowed
	shareAnswer = 1.5
)

// question is a text of a query as terms with their weighted number.
type question []counted

// askWords analyses the texts of a query. Equal questions are asked once.
func askWords(a *text.Analyser, texts []string) []question {
	var out []question
	for _, variant := range texts {
		var q question
		a.EachTerm(variant, func(term string) {
			w := text.QuestionWeight(term)
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

// ranks holds the word scores of one query over one view, by slot. What a memory scores by
// itself is added up for all; what its neighbours lend it is looked up where it matters:
// for what may be among the best, and for what another channel found.
type ranks struct {
	view    *view
	pass    bitmap
	asked   []*scores // a question each
	best    []float32 // over the questions, with what is lent; 0: not looked at
	sums    []float32 // by ordinal of a session, of what its memories score; zeros between questions
	member  []uint32  // by ordinal of a session: a memory of it that scores
	known   []uint32  // slots with best > 0
	marked  bitmap    // what is taken up for (rest.go)
	group   []float32 // frequencies of the group at hand; zeros between groups
	grouped []uint32  // slots with group > 0
}

// scores are what memories score by themselves in one question, but for what its common words
// add where those were put off (rest.go).
type scores struct {
	own     []float32
	touched []uint32 // slots with own > 0

	view  *view
	rest  []putOff  // the one that may add most comes last
	lift  float32   // what the rest may add at most
	whole []float32 // with the rest; 0: not looked up, −1: nothing
	known []uint32  // slots with whole ≠ 0
}

var (
	ranksPool  = sync.Pool{New: func() any { return new(ranks) }}
	scoresPool = sync.Pool{New: func() any { return new(scores) }}
)

// takeRanks returns empty scores for a view. Give them back with free.
func takeRanks(v *view, pass bitmap) *ranks {
	r := ranksPool.Get().(*ranks)
	r.view, r.pass = v, pass
	r.best, r.group = atLeast(r.best, v.n), atLeast(r.group, v.n)
	return r
}

func takeScores(v *view) *scores {
	s := scoresPool.Get().(*scores)
	s.view, s.own, s.whole = v, atLeast(s.own, v.n), atLeast(s.whole, v.n)
	return s
}

// atLeast is a slice of at least n zeros: the one there is, of zeros, or a new one.
func atLeast(have []float32, n int) []float32 {
	if len(have) >= n {
		return have
	}
	return make([]float32, n+n/8)
}

func (r *ranks) free() {
	r.forget()
	for _, q := range r.asked {
		for _, s := range q.touched {
			q.own[s] = 0
		}
		for _, s := range q.known {
			q.whole[s] = 0
		}
		q.touched, q.known, q.rest, q.view = q.touched[:0], q.known[:0], q.rest[:0], nil
		q.lift = 0
		scoresPool.Put(q)
	}
	clear(r.asked)
	r.asked, r.view, r.pass = r.asked[:0], nil, nil
	ranksPool.Put(r)
}

// ask scores the passing memories of a view by themselves. groups has those of each
// question. Words that so many memories hold may be put off.
func (v *view) ask(questions []question, groups [][]group, pass bitmap, many int) *ranks {
	r := takeRanks(v, pass)
	for i, q := range questions {
		into := takeScores(v)
		r.asked = append(r.asked, into)
		v.score(into, q, pass, many)
		for _, g := range groups[i] {
			v.scoreGroup(r, into, g)
		}
	}
	return r
}

// askBest is ask where only the so many that score most by themselves matter (brief): words that
// so many memories hold are put off as soon as they bring no other among them. alone are the highest
// of the partitions before, by question.
func (v *view) askBest(questions []question, groups [][]group, pass bitmap, looks int, alone []*top, many int) *ranks {
	r := takeRanks(v, pass)
	for i, q := range questions {
		into := takeScores(v)
		r.asked = append(r.asked, into)
		for _, g := range groups[i] {
			v.scoreGroup(r, into, g)
		}
		v.scoreBest(into, q, pass, looks, alone[i].bar(), many)
	}
	return r
}

// of is the score of a memory that passes: that of its best question.
func (r *ranks) of(slot uint32) float32 { return r.reaching(slot, 0) }

// reaching is of, or 0 where that is less than a floor.
func (r *ranks) reaching(slot uint32, floor float32) float32 {
	if r.best[slot] > 0 {
		return r.best[slot]
	}
	col, i := r.view.columns(slot)
	var around [2 * shareSteps]beside
	n, takes := 0, float32(0)
	if col.session[i] != 0 {
		around, n = r.view.around(slot, r.pass)
		takes = borrowed(col.length[i])
	}
	if floor > 0 && r.mostOf(slot, around[:n], takes) < floor {
		return 0
	}
	best := float32(0)
	for _, q := range r.asked {
		lent := float32(0)
		for _, x := range around[:n] {
			lent += q.of(x.slot) * x.share
		}
		best = max(best, q.of(slot)+lent*takes)
	}
	if best > 0 {
		r.best[slot], r.known = best, append(r.known, slot)
	}
	return best
}

// mostOf is the most that a memory may score beside those around it, of whose shares it takes
// a part, as far as that is known without looking up what was put off.
func (r *ranks) mostOf(slot uint32, around []beside, takes float32) float32 {
	most := float32(0)
	for _, q := range r.asked {
		if len(q.rest) == 0 {
			return float32(math.Inf(1)) // to score it takes no longer
		}
		lent := float32(0)
		for _, x := range around {
			lent += q.most(x.slot) * x.share
		}
		most = max(most, q.most(slot)+lent*takes)
	}
	return most
}

// score adds up the BM25 of one question, but for words that many memories hold: so many and
// more are put off, unless all are.
func (v *view) score(into *scores, q question, pass bitmap, many int) {
	left := len(q)
	for _, t := range q {
		ordinal, items, highest := v.lists.word(t.term)
		if len(items) == 0 {
			left--
			continue
		}
		p := putOff{ordinal: ordinal, items: items, weight: float32(v.rarity(float64(len(items)))*(bm25K1+1)) * t.tf}
		if left > 1 && len(items) >= many && len(items)*restShare >= v.n {
			into.putOff(p, highest)
			left--
			continue
		}
		v.count(into, items, p.weight, pass)
	}
}

// scoreBest adds up the BM25 of one question, what adds most first, until the words that are left
// add less to a memory together than the last of the so many best scores, or the bar, and the next is
// a long one.
func (v *view) scoreBest(into *scores, q question, pass bitmap, looks int, bar float32, many int) {
	for _, t := range q {
		ordinal, items, highest := v.lists.word(t.term)
		if len(items) == 0 {
			continue
		}
		into.putOff(putOff{ordinal: ordinal, items: items, weight: float32(v.rarity(float64(len(items)))*(bm25K1+1)) * t.tf}, highest)
	}
	for len(into.rest) > 0 {
		if next := into.rest[len(into.rest)-1]; len(next.items) >= many {
			if into.lift < bar {
				return
			}
			if own := into.highest(looks, bar); len(own) == looks && into.lift < own[0].score*(1-rounding) {
				return
			}
		}
		into.takeUp(pass)
	}
}

// count adds up what one term says of the memories that hold it. Its places come in order, so
// that those of a chunk are counted with one look for their lengths.
func (v *view) count(into *scores, items []posting, weight float32, pass bitmap) {
	own, touched := into.own, into.touched
	at, lengths := none, (*[chunkSize]float32)(nil)
	for _, it := range items {
		if !pass.has(it.slot) {
			continue
		}
		if c := it.slot >> chunkBits; c != at {
			at, lengths = c, &v.chunks[c].col.length
		}
		if own[it.slot] == 0 {
			touched = append(touched, it.slot)
		}
		own[it.slot] += weight * v.saturation(it.tf, lengths[it.slot&chunkMask])
	}
	into.touched = touched
}

// add counts towards the question.
func (q *scores) add(slot uint32, score float32) {
	if q.own[slot] == 0 {
		q.touched = append(q.touched, slot)
	}
	q.own[slot] += score
}

// saturated is the saturation of a term in the memory at a slot.
func (v *view) saturated(slot uint32, tf float32) float32 {
	return v.saturation(tf, v.chunks[slot>>chunkBits].col.length[slot&chunkMask])
}

// saturation is tf / (tf + k1·(1 − b + b·|d|/avg)).
func (v *view) saturation(tf, length float32) float32 {
	return tf / (tf + float32(bm25K1*(1-bm25B)) + v.slope*length)
}
