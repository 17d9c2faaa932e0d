package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// defaultLimit is how many candidates a channel gives where a query says nothing.
const defaultLimit = 200

// partQuery is what a query knows about one partition.
type partQuery struct {
	view    *view
	pass    passing
	exact   bool        // an instant is asked about: the answer is that of looking at all
	words   *wordScores // nil while the words channel is off
	reached *reached    // nil while the graph channel found nothing
}

// found is a slot of a query with its score in a channel.
type found struct {
	place
	score float64
	doc   *Doc
}

// Recall answers the candidates of a query: each channel takes its best q.Limit
// among what passes the filter, and every candidate carries the evidence of all.
// Equal scores stand in order of id. It fails on a scope that does not exist, a
// context that ends, or a tenant that cannot be loaded.
func (x *Index) Recall(ctx context.Context, sc graph.Scope, q Query) (*Result, error) {
	start := x.opts.Clock()
	t, err := x.tenant(ctx, sc)
	if err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	r := &recall{q: &q, t: t, parts: t.sift(&q.Filter, q), candidates: make(map[place]int32, 2*q.Limit)}
	defer r.free()
	for _, p := range r.parts {
		r.result.Considered += p.pass.count
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("index: recall: %w", err)
	}
	if x.opts.Remote != nil && len(q.Vector) > 0 {
		within, cancel := context.WithTimeout(ctx, x.opts.RemoteWithin)
		defer cancel()
		r.away = &distant{remote: remote{x.opts.Remote, t}, ctx: within, meant: map[place]float64{}}
	}
	words := r.channels(x)
	switch {
	case !q.From.IsZero() && !q.To.IsZero():
		r.latest(millis(q.From), millis(q.To))
	case !words && len(q.Vector) == 0 && len(q.Entities) == 0:
		r.latest(math.MinInt64, math.MaxInt64)
	}
	if r.away != nil {
		r.compareAway()
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("index: recall: %w", err)
		}
		r.result.Away = r.away.err
	}
	r.complete()
	r.result.Took = x.opts.Clock().Sub(start)
	return &r.result, nil
}

// sift sifts every partition that the filter reaches.
func (t *tenant) sift(f *Filter, q Query) []*partQuery {
	var out []*partQuery
	for _, p := range t.reach(f.Namespaces) {
		v := p.view.Load()
		out = append(out, &partQuery{view: v, pass: v.sift(f, q.Now), exact: !f.AsOf.IsZero()})
	}
	return out
}

// recall is one question under way.
type recall struct {
	q          *Query
	t          *tenant
	parts      []*partQuery
	candidates map[place]int32 // in result.Candidates
	best       float64         // highest BM25
	spread     *spreading
	matter     *matter  // nil: nothing was asked
	away       *distant // nil: the vectors are here
	result     Result
}

func (r *recall) free() {
	for _, p := range r.parts {
		if p.words != nil {
			p.words.free()
		}
	}
	if r.spread != nil {
		r.spread.free()
	}
}

// candidate is the one at a place, made where it is new. It stays there until the next is made.
func (r *recall) candidate(f found) *Candidate {
	all := r.result.Candidates
	at, known := r.candidates[f.place]
	if !known {
		if all == nil {
			all = make([]Candidate, 0, 2*r.q.Limit)
		}
		at = int32(len(all))
		all = append(all, Candidate{Doc: f.doc})
		r.candidates[f.place], r.result.Candidates = at, all
	}
	return &all[at]
}

// before orders the slots of a view by id.
func (v *view) before(a, b uint32) bool {
	if v.ordered {
		return a < b
	}
	return v.doc(a).ID < v.doc(b).ID
}

// collect are the hits of all partitions.
func (r *recall) collect(hits [][]slots.Hit) []found {
	n := 0
	for _, some := range hits {
		n += len(some)
	}
	all := make([]found, 0, n)
	for part, some := range hits {
		for _, h := range some {
			all = append(all, found{place{part, h.Slot}, float64(h.Score), r.parts[part].view.doc(h.Slot)})
		}
	}
	return all
}

// cut sorts what was found and keeps the best.
func (r *recall) cut(all []found) []found {
	sortFound(all)
	return all[:min(len(all), r.q.Limit)]
}

func sortFound(all []found) {
	slices.SortFunc(all, func(a, b found) int {
		if a.score != b.score {
			return compareScores(b.score, a.score)
		}
		return compare(a.doc.ID, b.doc.ID)
	})
}

// worthTwo is how many memories are worth a goroutine for the vectors beside the others.
const worthTwo = 4 << 10

// channels asks all channels, the vectors beside the others where there is much to look
// through; who is done first helps. It reports whether there were words to look for.
func (r *recall) channels(x *Index) (words bool) {
	if len(r.q.Vector) == 0 {
		words = r.askWords(x)
		r.askGraph()
		return words
	}
	if r.away != nil {
		return r.askAway(x)
	}
	near := newNearing(r.parts, [][]float32{r.q.Vector}, r.q.Limit, float32(math.Inf(-1)))
	near.sweep.ErrorMargin, near.sweep.Approximate = errorMargin(r.q), r.q.Approximate && r.q.Filter.AsOf.IsZero()
	search := r.newWordSearch(x)
	var beside sync.WaitGroup
	if r.result.Considered >= worthTwo {
		beside.Go(func() { near.walk(); search.work(); near.help() })
	} else {
		near.walk()
	}
	search.work()
	r.askGraph()
	near.help()
	beside.Wait()
	search.finish()
	hits := make([][]slots.Hit, len(r.parts))
	for i, some := range near.settle() {
		hits[i] = some[0]
	}
	r.tookVectors(r.cut(r.collect(hits)))
	return search != nil
}

// askWords reports whether there was anything to look for.
func (r *recall) askWords(x *Index) bool {
	search := r.newWordSearch(x)
	search.work()
	search.finish()
	return search != nil
}

// tookVectors takes what the vector channel found among the candidates.
func (r *recall) tookVectors(hits []found) {
	r.result.Semantic = len(hits)
	for i, f := range hits {
		r.candidate(f).Ranks.Semantic = i + 1
	}
}

func (r *recall) askGraph() {
	if len(r.q.Entities) == 0 {
		return
	}
	r.spread = r.spreading()
	tops := make([]*slots.TopK, len(r.parts))
	for _, m := range r.spread.run(r.q.Entities) {
		if tops[m.part] == nil {
			tops[m.part] = slots.NewTopK(r.q.Limit, r.parts[m.part].view.before)
		}
		tops[m.part].Offer(m.slot, float32(m.level))
	}
	hits := make([][]slots.Hit, len(r.parts))
	for i, t := range tops {
		if t != nil {
			hits[i] = t.Hits
		}
	}
	all := r.cut(r.collect(hits))
	r.result.Graph = len(all)
	for i, f := range all {
		r.candidate(f).Ranks.Graph = i + 1
	}
}

func (r *recall) spreading() *spreading {
	f := &r.q.Filter
	s := &spreading{
		atlas: r.t.atlas, parts: r.parts, byName: map[string]int{},
		scope: scope{f.Namespaces, f.Users}, recorded: millis(r.q.Now), budget: spreadBudget, hops: r.q.Hops,
	}
	if !f.AsOf.Recorded.IsZero() {
		s.recorded = millis(f.AsOf.Recorded)
	}
	s.valid = s.recorded
	if !f.AsOf.Valid.IsZero() {
		s.valid = millis(f.AsOf.Valid)
	}
	if s.hops <= 0 {
		s.hops = defaultHops
	}
	s.hops = min(s.hops, maxHops)
	for i, p := range r.parts {
		s.byName[p.view.name] = i
	}
	return s
}

// latest takes the memories that happened last in [from, to).
func (r *recall) latest(from, to int64) {
	var all []found
	for i, p := range r.parts {
		p.pass.all.Each(func(slot uint32) {
			c, j := p.view.columns(slot)
			if at := c.occurred[j]; at >= from && at < to {
				all = append(all, found{place{i, slot}, float64(at), p.view.doc(slot)})
			}
		})
	}
	slices.SortFunc(all, func(a, b found) int {
		if a.score != b.score {
			return compareScores(b.score, a.score)
		}
		return compare(b.doc.ID, a.doc.ID)
	})
	for _, f := range all[:min(len(all), r.q.Limit)] {
		r.candidate(f)
	}
}

// complete gives every candidate the evidence of the channels that did not find it.
func (r *recall) complete() {
	all := r.result.Candidates
	order := make([]standsAt, 0, len(all))
	for at, i := range r.candidates {
		order = append(order, standsAt{at, i})
	}
	slices.SortFunc(order, func(a, b standsAt) int { // vectors lie in this order
		return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.slot, b.slot))
	})
	for _, at := range order {
		c := &all[at.candidate]
		p := r.parts[at.part]
		if p.words != nil && r.best > 0 {
			c.Keyword = float64(p.words.of(at.slot)) / r.best
		}
		if r.result.Matter {
			c.Topical = r.matter.shared(c.Doc)
		}
		if r.spread != nil {
			if m := r.spread.at(at.place); m != nil {
				c.Graph, c.Via = m.level, r.spread.via(m.entity)
			}
		}
	}
	var beside sync.WaitGroup
	half := 0
	if len(all) >= worthTwoCosines {
		half = len(all) / 2
		beside.Go(func() { r.cosines(order[:half]) })
	}
	r.cosines(order[half:])
	beside.Wait()
}

// standsAt is the number of a candidate with its place.
type standsAt struct {
	place
	candidate int32
}

// worthTwoCosines is how many candidates are worth a goroutine for half of them.
const worthTwoCosines = 64

// cosines fills in how near candidates are by meaning.
func (r *recall) cosines(some []standsAt) {
	if len(r.q.Vector) == 0 {
		return
	}
	last := lastReads.Get().(*lastRead)
	defer last.free()
	for _, at := range some {
		c := &r.result.Candidates[at.candidate]
		if r.away != nil {
			c.Semantic = min(1, max(0, r.away.meant[at.place]))
			continue
		}
		if cosine, ok := r.parts[at.part].cosine(r.q.Vector, at.slot, r.q.Scene, last); ok {
			c.Semantic = min(1, max(0, cosine))
		}
	}
}

// doubtOf is how far a recall doubts sketches; 0: it asks none, for what is asked about an
// instant is to be the same whenever it is asked.
func errorMargin(q *Query) float32 {
	switch {
	case !q.Filter.AsOf.IsZero():
		return 0
	case q.Approximate:
		return vectors.ApproximateErrorMargin
	}
	return vectors.ErrorMargin
}
