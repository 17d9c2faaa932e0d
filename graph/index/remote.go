package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// With Options.Remote the index keeps no vectors: a Doc only says whether its memory has one.
// The index knows which memories pass a filter, and the remote store knows which are near. The
// planner below combines both.

// remoteLimits are the limits of the planner. The cost of remote searches is in
// docs/benchmarks.md.
type remoteLimits struct {
	alwaysExactBelow int // up to this many matches are always compared exactly: a search of all memories would find few of them
	maxExact         int // up to this many matches are compared exactly if the search gives no full answer
	maxFetch         int // maximum number of neighbours requested from the store
	minFetch         int // minimum number of neighbours requested, and of the search effort
}

var defaultRemoteLimits = remoteLimits{alwaysExactBelow: 1000, maxExact: 20_000, maxFetch: 4000, minFetch: 100}

const (
	defaultRemoteTimeout = 2 * time.Second // how long a search waits for vectors
	maxRemoteQueries     = 4               // concurrent queries
	vectorPageSize       = 512             // vectors read in one request
)

// remoteVectors queries the remote vectors of a tenant.
type remoteVectors struct {
	graph.VectorSearcher
	t *tenant
}

// nearest returns at most k memories that pass and have the highest cosines, each at least
// floor, best first. Every cosine is exact. If few memories pass, it compares all of them.
// Otherwise it requests enough neighbours from the store's approximate search that k of them
// should pass, and requests more if they do not. A query about a past instant is compared
// exactly if few enough memories pass.
func (r remoteVectors) nearest(ctx context.Context, parts []*partitionQuery, q []float32, k int, floor float64) ([]slotHit, error) {
	passing, past := 0, false
	for _, p := range parts {
		passing += p.matches.vectors.Count()
		past = past || p.exact
	}
	if passing == 0 || k <= 0 {
		return nil, nil
	}
	l := r.t.opts.limits
	all := 0
	for _, p := range r.t.partitions(nil) {
		all += p.view.Load().live
	}
	if passing <= l.alwaysExactBelow || past && passing <= l.maxExact {
		return r.compareAll(ctx, parts, q, k, floor)
	}
	wanted := min(k, passing)
	fetch := max(l.minFetch, wanted+wanted/4)
	if all > passing {
		fetch = int(min(float64(l.maxFetch), float64(fetch)*float64(all)/float64(passing)))
	}
	for {
		near, err := r.Near(ctx, r.t.scope, q, fetch, fetch)
		if errors.Is(err, graph.ErrNotIndexed) && passing <= l.maxExact {
			return r.compareAll(ctx, parts, q, k, floor)
		}
		if err != nil {
			return nil, fmt.Errorf("index: nearest vectors: %w", err)
		}
		hits, below := r.filterHits(parts, near, floor)
		switch {
		case len(hits) >= wanted, below, len(near) < fetch && len(near) >= passing:
			return hits[:min(k, len(hits))], nil
		case fetch < l.maxFetch:
			fetch = min(l.maxFetch, 4*fetch)
		case passing <= l.maxExact:
			return r.compareAll(ctx, parts, q, k, floor)
		default:
			return hits, nil
		}
	}
}

// filterHits keeps the neighbours that pass the filter. below reports that the store returned
// everything above the floor.
func (r remoteVectors) filterHits(parts []*partitionQuery, near []graph.Alike, floor float64) (hits []slotHit, below bool) {
	byName := make(map[string]int, len(parts))
	for i, p := range parts {
		byName[p.view.name] = i
	}
	for _, x := range near {
		if x.Cosine < floor {
			return hits, true
		}
		home := r.t.partitionOf(x.ID)
		if home == nil {
			continue // written just now, or erased
		}
		i, reached := byName[home.name]
		if !reached {
			continue
		}
		if slot, d := parts[i].view.find(x.ID); d != nil && parts[i].matches.vectors.Has(slot) {
			hits = append(hits, slotHit{slotRef{i, slot}, x.Cosine, d})
		}
	}
	return hits, false
}

// compareAll compares all memories that pass.
func (r remoteVectors) compareAll(ctx context.Context, parts []*partitionQuery, q []float32, k int, floor float64) ([]slotHit, error) {
	var ids []graph.ID
	var all []slotHit
	for i, p := range parts {
		p.matches.vectors.Each(func(slot uint32) {
			d := p.view.doc(slot)
			ids, all = append(ids, d.ID), append(all, slotHit{slotRef{i, slot}, 0, d})
		})
	}
	cosines, err := r.Cosines(ctx, r.t.scope, q, ids)
	if err != nil {
		return nil, fmt.Errorf("index: compare vectors: %w", err)
	}
	kept := all[:0]
	for _, f := range all {
		if cos, has := cosines[f.doc.ID]; has && cos >= floor {
			f.score = cos
			kept = append(kept, f)
		}
	}
	sortSlotHits(kept)
	return kept[:min(k, len(kept))], nil
}

// nearestAll is Index.Nearest with remote vectors. It runs up to maxRemoteQueries queries at a
// time.
func (r remoteVectors) nearestAll(ctx context.Context, parts []*partitionQuery, vectors [][]float32, k int, floor float64) ([][]Near, error) {
	out, errs := make([][]Near, len(vectors)), make([]error, len(vectors))
	var wg sync.WaitGroup
	turns := make(chan struct{}, maxRemoteQueries)
	for i, v := range vectors {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			var hits []slotHit
			hits, errs[i] = r.nearest(ctx, parts, v, k, floor)
			for _, h := range hits {
				out[i] = append(out[i], Near{Doc: h.doc, Cosine: min(1, h.score)})
			}
		})
	}
	wg.Wait()
	return out, errors.Join(errs...)
}

// remoteSearch is the remote vector search of one recall.
type remoteSearch struct {
	remoteVectors
	ctx     context.Context // ends after Options.RemoteTimeout
	cosines map[slotRef]float64
	err     error // why the vectors are not available; nil: they are
}

// searchRemote runs all channels, the remote vector channel in parallel with the others. It
// reports whether the texts have words.
func (r *recall) searchRemote(x *Index) (words bool) {
	a := r.remote
	var hits []slotHit
	var beside sync.WaitGroup
	began := time.Now()
	var took time.Duration
	beside.Go(func() {
		hits, a.err = a.nearest(a.ctx, r.parts, r.query.Vector, r.query.Limit, math.Inf(-1))
		took = time.Since(began)
	})
	words = r.searchWords(x)
	r.searchGraph()
	beside.Wait()
	for _, h := range hits {
		a.cosines[h.slotRef] = h.score
	}
	r.addVectorHits(hits)
	r.ran(ChannelVectors, began, took, len(hits))
	return words
}

// fillRemoteCosines computes the cosines of the candidates that other channels found.
func (r *recall) fillRemoteCosines() {
	a := r.remote
	var ids []graph.ID
	var at []slotRef
	for p, i := range r.candidates {
		c := &r.result.Candidates[i]
		if _, known := a.cosines[p]; !known && c.Doc.Embedded {
			ids, at = append(ids, c.Doc.ID), append(at, p)
		}
	}
	if a.err != nil || len(ids) == 0 {
		return
	}
	cosines, err := a.Cosines(a.ctx, r.tenant.scope, r.query.Vector, ids)
	if err != nil {
		a.err = fmt.Errorf("index: compare vectors: %w", err)
		return
	}
	for i, p := range at {
		if cos, has := cosines[ids[i]]; has {
			a.cosines[p] = cos
		}
	}
}

// loadVectors reads vectors, in the order of docs.
func (r remoteVectors) loadVectors(ctx context.Context, docs []*Doc) ([][]float32, error) {
	out := make([][]float32, len(docs))
	var ids []graph.ID
	var at []int
	flush := func() error {
		got, err := r.Embeddings(ctx, r.t.scope, ids)
		if err != nil {
			return fmt.Errorf("index: read vectors: %w", err)
		}
		for i, v := range got {
			out[at[i]] = v
		}
		ids, at = ids[:0], at[:0]
		return nil
	}
	for i, d := range docs {
		if !d.Embedded {
			continue
		}
		if ids, at = append(ids, d.ID), append(at, i); len(ids) == vectorPageSize {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	return out, flush()
}
