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
type partitionQuery struct {
	view    *view
	matches slotMatches
	exact   bool          // an instant is asked about: the answer is that of looking at all
	words   *wordScores   // nil while the words channel is off
	reached *reachedSlots // nil while the graph channel found nothing
}

// found is a slot of a query with its score in a channel.
type slotHit struct {
	slotRef
	score float64
	doc   *Doc
}

// Recall answers the candidates of a query: each channel takes its best q.Limit
// among what passes the filter, and every candidate carries the evidence of all.
// Equal scores stand in order of id. It fails on a scope that does not exist, a
// context that ends, or a tenant that cannot be loaded.
func (x *Index) Recall(ctx context.Context, sc graph.Scope, q Query) (*Result, error) {
	start := x.opts.Clock()
	t, err := x.openTenant(ctx, sc)
	if err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	r := &recall{query: &q, tenant: t, parts: t.filterPartitions(&q.Filter, q), candidates: make(map[slotRef]int32, 2*q.Limit)}
	defer r.free()
	for _, p := range r.parts {
		r.result.Considered += p.matches.count
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("index: recall: %w", err)
	}
	if x.opts.Remote != nil && len(q.Vector) > 0 {
		within, cancel := context.WithTimeout(ctx, x.opts.RemoteTimeout)
		defer cancel()
		r.remote = &remoteSearch{remoteVectors: remoteVectors{x.opts.Remote, t}, ctx: within, cosines: map[slotRef]float64{}}
	}
	words := r.runChannels(x)
	switch {
	case !q.From.IsZero() && !q.To.IsZero():
		r.addLatest(unixMillis(q.From), unixMillis(q.To))
	case !words && len(q.Vector) == 0 && len(q.Entities) == 0:
		r.addLatest(math.MinInt64, math.MaxInt64)
	}
	if r.remote != nil {
		r.fillRemoteCosines()
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("index: recall: %w", err)
		}
		r.result.VectorsErr = r.remote.err
	}
	r.fillEvidence()
	r.result.Took = x.opts.Clock().Sub(start)
	return &r.result, nil
}

// sift sifts every partition that the filter reaches.
func (t *tenant) filterPartitions(f *Filter, q Query) []*partitionQuery {
	var out []*partitionQuery
	for _, p := range t.partitions(f.Namespaces) {
		v := p.view.Load()
		out = append(out, &partitionQuery{view: v, matches: v.filter(f, q.Now), exact: !f.AsOf.IsZero()})
	}
	return out
}

// recall is one question under way.
type recall struct {
	query         *Query
	tenant        *tenant
	parts         []*partitionQuery
	candidates    map[slotRef]int32 // in result.Candidates
	bestWordScore float64           // highest BM25
	activation    *activation
	topics        *topicProfile // nil: nothing was asked
	remote        *remoteSearch // nil: the vectors are here
	result        Result
}

func (r *recall) free() {
	for _, p := range r.parts {
		if p.words != nil {
			p.words.free()
		}
	}
	if r.activation != nil {
		r.activation.free()
	}
}

// candidate is the one at a place, made where it is new. It stays there until the next is made.
func (r *recall) candidate(f slotHit) *Candidate {
	all := r.result.Candidates
	at, known := r.candidates[f.slotRef]
	if !known {
		if all == nil {
			all = make([]Candidate, 0, 2*r.query.Limit)
		}
		at = int32(len(all))
		all = append(all, Candidate{Doc: f.doc})
		r.candidates[f.slotRef], r.result.Candidates = at, all
	}
	return &all[at]
}

// before orders the slots of a view by id.
func (v *view) orderedBefore(a, b uint32) bool {
	if v.idOrdered {
		return a < b
	}
	return v.doc(a).ID < v.doc(b).ID
}

// collect are the hits of all partitions.
func (r *recall) collectHits(hits [][]slots.Hit) []slotHit {
	n := 0
	for _, some := range hits {
		n += len(some)
	}
	all := make([]slotHit, 0, n)
	for part, some := range hits {
		for _, h := range some {
			all = append(all, slotHit{slotRef{part, h.Slot}, float64(h.Score), r.parts[part].view.doc(h.Slot)})
		}
	}
	return all
}

// cut sorts what was found and keeps the best.
func (r *recall) topHits(all []slotHit) []slotHit {
	sortSlotHits(all)
	return all[:min(len(all), r.query.Limit)]
}

func sortSlotHits(all []slotHit) {
	slices.SortFunc(all, func(a, b slotHit) int {
		if a.score != b.score {
			return compareScores(b.score, a.score)
		}
		return compare(a.doc.ID, b.doc.ID)
	})
}

// worthTwo is how many memories are worth a goroutine for the vectors beside the others.
const parallelMemories = 4 << 10

// channels asks all channels, the vectors beside the others where there is much to look
// through; who is done first helps. It reports whether there were words to look for.
func (r *recall) runChannels(x *Index) (words bool) {
	if len(r.query.Vector) == 0 {
		words = r.searchWords(x)
		r.searchGraph()
		return words
	}
	if r.remote != nil {
		return r.searchRemote(x)
	}
	near := newVectorQuery(r.parts, [][]float32{r.query.Vector}, r.query.Limit, float32(math.Inf(-1)))
	near.scan.ErrorMargin, near.scan.Approximate = errorMargin(r.query), r.query.Approximate && r.query.Filter.AsOf.IsZero()
	search := r.newWordSearch(x)
	var beside sync.WaitGroup
	if r.result.Considered >= parallelMemories {
		beside.Go(func() { near.searchGraphs(); search.work(); near.helpScan() })
	} else {
		near.searchGraphs()
	}
	search.work()
	r.searchGraph()
	near.helpScan()
	beside.Wait()
	search.finish()
	hits := make([][]slots.Hit, len(r.parts))
	for i, some := range near.finish() {
		hits[i] = some[0]
	}
	r.addVectorHits(r.topHits(r.collectHits(hits)))
	return search != nil
}

// askWords reports whether there was anything to look for.
func (r *recall) searchWords(x *Index) bool {
	search := r.newWordSearch(x)
	search.work()
	search.finish()
	return search != nil
}

// tookVectors takes what the vector channel found among the candidates.
func (r *recall) addVectorHits(hits []slotHit) {
	r.result.Semantic = len(hits)
	for i, f := range hits {
		r.candidate(f).Ranks.Semantic = i + 1
	}
}

func (r *recall) searchGraph() {
	if len(r.query.Entities) == 0 {
		return
	}
	r.activation = r.newActivation()
	tops := make([]*slots.TopK, len(r.parts))
	for _, m := range r.activation.run(r.query.Entities) {
		if tops[m.part] == nil {
			tops[m.part] = slots.NewTopK(r.query.Limit, r.parts[m.part].view.orderedBefore)
		}
		tops[m.part].Offer(m.slot, float32(m.level))
	}
	hits := make([][]slots.Hit, len(r.parts))
	for i, t := range tops {
		if t != nil {
			hits[i] = t.Hits
		}
	}
	all := r.topHits(r.collectHits(hits))
	r.result.Graph = len(all)
	for i, f := range all {
		r.candidate(f).Ranks.Graph = i + 1
	}
}

func (r *recall) newActivation() *activation {
	f := &r.query.Filter
	s := &activation{
		entities: r.tenant.entities, parts: r.parts, partitionByName: map[string]int{},
		scope: entityScope{f.Namespaces, f.Users}, recorded: unixMillis(r.query.Now), budget: spreadBudget, hops: r.query.Hops,
	}
	if !f.AsOf.Recorded.IsZero() {
		s.recorded = unixMillis(f.AsOf.Recorded)
	}
	s.valid = s.recorded
	if !f.AsOf.Valid.IsZero() {
		s.valid = unixMillis(f.AsOf.Valid)
	}
	if s.hops <= 0 {
		s.hops = defaultHops
	}
	s.hops = min(s.hops, maxHops)
	for i, p := range r.parts {
		s.partitionByName[p.view.name] = i
	}
	return s
}

// latest takes the memories that happened last in [from, to).
func (r *recall) addLatest(from, to int64) {
	var all []slotHit
	for i, p := range r.parts {
		p.matches.all.Each(func(slot uint32) {
			c, j := p.view.columnsOf(slot)
			if at := c.occurred[j]; at >= from && at < to {
				all = append(all, slotHit{slotRef{i, slot}, float64(at), p.view.doc(slot)})
			}
		})
	}
	slices.SortFunc(all, func(a, b slotHit) int {
		if a.score != b.score {
			return compareScores(b.score, a.score)
		}
		return compare(b.doc.ID, a.doc.ID)
	})
	for _, f := range all[:min(len(all), r.query.Limit)] {
		r.candidate(f)
	}
}

// complete gives every candidate the evidence of the channels that did not find it.
func (r *recall) fillEvidence() {
	all := r.result.Candidates
	order := make([]candidateRef, 0, len(all))
	for at, i := range r.candidates {
		order = append(order, candidateRef{at, i})
	}
	slices.SortFunc(order, func(a, b candidateRef) int { // vectors lie in this order
		return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.slot, b.slot))
	})
	for _, at := range order {
		c := &all[at.candidate]
		p := r.parts[at.part]
		if p.words != nil && r.bestWordScore > 0 {
			c.Keyword = float64(p.words.of(at.slot)) / r.bestWordScore
		}
		if r.result.HasTopics {
			c.Topical = r.topics.overlap(c.Doc)
		}
		if r.activation != nil {
			if m := r.activation.reachedAt(at.slotRef); m != nil {
				c.Graph, c.Via = m.level, r.activation.path(m.entity)
			}
		}
	}
	var beside sync.WaitGroup
	half := 0
	if len(all) >= parallelCosines {
		half = len(all) / 2
		beside.Go(func() { r.fillCosines(order[:half]) })
	}
	r.fillCosines(order[half:])
	beside.Wait()
}

// standsAt is the number of a candidate with its place.
type candidateRef struct {
	slotRef
	candidate int32
}

// worthTwoCosines is how many candidates are worth a goroutine for half of them.
const parallelCosines = 64

// cosines fills in how near candidates are by meaning.
func (r *recall) fillCosines(some []candidateRef) {
	if len(r.query.Vector) == 0 {
		return
	}
	last := vectorCachePool.Get().(*vectorCache)
	defer last.free()
	for _, at := range some {
		c := &r.result.Candidates[at.candidate]
		if r.remote != nil {
			c.Semantic = min(1, max(0, r.remote.cosines[at.slotRef]))
			continue
		}
		if cosine, ok := r.parts[at.part].cosine(r.query.Vector, at.slot, r.query.BlendNeighbours, last); ok {
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
