package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// defaultLimit is the number of candidates of a channel if the query sets none.
const defaultLimit = 200

// partitionQuery is the state of a query in one partition.
type partitionQuery struct {
	view    *view
	matches slotMatches
	exact   bool          // the query asks about an instant, so every match must be compared exactly
	words   *wordScores   // nil while the words channel is off
	reached *reachedSlots // nil unless the graph channel has reached a memory
}

// slotHit is a slot of a query with its score in a channel.
type slotHit struct {
	slotRef
	score float64
	doc   *Doc
}

// Recall returns the candidates of a query. Each channel takes its best q.Limit of the memories
// that pass the filter, and every candidate carries the evidence of all channels. Equal scores
// are ordered by id. Recall fails for an invalid scope, an ended context, or a tenant that
// cannot be loaded.
func (x *Index) Recall(ctx context.Context, sc graph.Scope, q Query) (*Result, error) {
	start := time.Now()
	t, err := x.openTenant(ctx, sc)
	if err != nil {
		return nil, err
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	r := &recall{ctx: ctx, query: &q, sight: sc.Sight, tenant: t, parts: t.filterPartitions(sc.Sight, &q.Filter, q), candidates: make(map[slotRef]int32, 2*q.Limit)}
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
	r.result.Took = time.Since(start)
	return &r.result, nil
}

// filterPartitions filters every partition that the filter includes.
func (t *tenant) filterPartitions(s graph.Sight, f *Filter, q Query) []*partitionQuery {
	var out []*partitionQuery
	for _, v := range t.views(s, f.Namespaces) {
		out = append(out, &partitionQuery{view: v, matches: v.filter(f, q.Now), exact: !f.AsOf.IsZero()})
	}
	return out
}

// recall is one running query.
type recall struct {
	ctx           context.Context
	query         *Query
	sight         graph.Sight
	tenant        *tenant
	parts         []*partitionQuery
	candidates    map[slotRef]int32 // index in result.Candidates
	bestWordScore float64           // highest BM25
	activation    *activation
	topics        *topicProfile // nil: no texts
	remote        *remoteSearch // nil: the index has the vectors
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

// candidate returns the candidate of a slot and makes it if it is new. The pointer is valid
// until the next candidate is made.
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

// orderedBefore orders the slots of a view by id.
func (v *view) orderedBefore(a, b uint32) bool {
	if v.idOrdered {
		return a < b
	}
	return v.doc(a).ID < v.doc(b).ID
}

// collectHits returns the hits of all partitions.
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

// topHits sorts the hits and keeps the best.
func (r *recall) topHits(all []slotHit) []slotHit {
	sortSlotHits(all)
	return all[:min(len(all), r.query.Limit)]
}

func sortSlotHits(all []slotHit) {
	slices.SortFunc(all, func(a, b slotHit) int {
		if c := cmp.Compare(b.score, a.score); c != 0 { // cmp.Or would compare the ids of every pair
			return c
		}
		return cmp.Compare(a.doc.ID, b.doc.ID)
	})
}

// parallelMemories is the number of memories from which the vector channel gets its own
// goroutine.
const parallelMemories = 4 << 10

// runChannels runs all channels. If many memories pass, the vector channel runs in parallel with
// the others, and the goroutine that finishes first helps the other. It reports whether the
// texts have words.
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
	began := time.Now()
	search := r.newWordSearch(x)
	planned := time.Now()
	wordsTook := planned.Sub(began)
	var beside sync.WaitGroup
	var walked time.Time // when the neighbour graphs were searched
	if r.result.Considered >= parallelMemories {
		beside.Go(func() { near.searchGraphs(); walked = time.Now(); search.work(); near.helpScan() })
	} else {
		near.searchGraphs()
		walked = time.Now()
	}
	working := time.Now()
	search.work()
	wordsTook += time.Since(working)
	r.searchGraph()
	scanning := time.Now()
	near.helpScan()
	beside.Wait()
	scanned := time.Now()
	search.finish()
	finished := time.Now()
	hits := make([][]slots.Hit, len(r.parts))
	for i, some := range near.finish() {
		hits[i] = some[0]
	}
	r.addVectorHits(r.topHits(r.collectHits(hits)))
	if scanning.Before(walked) {
		scanning = walked
	}
	vectorsTook := walked.Sub(planned) + max(0, scanned.Sub(scanning)) + time.Since(finished)
	r.ran(ChannelVectors, planned, vectorsTook, r.result.Semantic)
	if search != nil {
		r.ran(ChannelWords, began, wordsTook+finished.Sub(scanned), r.result.Keyword)
	}
	return search != nil
}

// searchWords runs the words channel and reports whether the texts have words.
func (r *recall) searchWords(x *Index) bool {
	began := time.Now()
	search := r.newWordSearch(x)
	search.work()
	search.finish()
	if search != nil {
		r.ran(ChannelWords, began, time.Since(began), r.result.Keyword)
	}
	return search != nil
}

// ran notes that a channel has run.
func (r *recall) ran(name string, began time.Time, took time.Duration, found int) {
	r.result.Channels = append(r.result.Channels, Channel{name, began, took, found})
}

// addVectorHits adds the hits of the vector channel to the candidates.
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
	began := time.Now()
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
	r.ran(ChannelGraph, began, time.Since(began), len(all))
}

func (r *recall) newActivation() *activation {
	f := &r.query.Filter
	s := &activation{
		entities: r.tenant.entities, parts: r.parts, partitionByName: map[string]int{},
		scope: r.tenant.entitiesOf(r.sight, f.Namespaces, f.Users), stated: r.tenant.statedTo(r.ctx, r.sight), recorded: unixMillis(r.query.Now), budget: spreadBudget, hops: r.query.Hops,
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

// addLatest adds the latest memories with an event time in [from, to).
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
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return cmp.Compare(b.doc.ID, a.doc.ID)
	})
	for _, f := range all[:min(len(all), r.query.Limit)] {
		r.candidate(f)
	}
}

// fillEvidence gives every candidate the evidence of the channels that did not find it.
func (r *recall) fillEvidence() {
	all := r.result.Candidates
	order := make([]candidateRef, 0, len(all))
	for at, i := range r.candidates {
		order = append(order, candidateRef{at, i})
	}
	slices.SortFunc(order, func(a, b candidateRef) int { // the order of vectors in memory
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

// candidateRef is a candidate's slot and its index.
type candidateRef struct {
	slotRef
	candidate int32
}

// parallelCosines is the number of candidates from which a second goroutine computes half of the
// cosines.
const parallelCosines = 64

// fillCosines sets the cosines of some candidates.
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

// errorMargin returns the error margin for sketches, in standard deviations. It is 0, which
// disables sketches, for a query about an instant, because its answer must always be the same.
func errorMargin(q *Query) float32 {
	switch {
	case !q.Filter.AsOf.IsZero():
		return 0
	case q.Approximate:
		return vectors.ApproximateErrorMargin
	}
	return vectors.ErrorMargin
}
