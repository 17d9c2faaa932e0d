package index

import (
	"context"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// Nearest returns, for each query vector, at most k memories that pass the filter and whose
// cosine to it is at least floor, best first, equal ones by id. All queries must have the same
// dimension. They share one scan, so many queries cost little more than one.
func (x *Index) Nearest(ctx context.Context, sc graph.Scope, queries [][]float32, f Filter, now time.Time, k int, floor float64) ([][]Near, error) {
	t, err := x.openTenant(ctx, sc)
	if err != nil {
		return nil, err
	}
	out := make([][]Near, len(queries))
	if len(queries) == 0 || k <= 0 {
		return out, nil
	}
	for _, v := range queries {
		if len(v) == 0 || len(v) != len(queries[0]) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "vectors", "must all have one dimension, at least 1")
		}
	}
	parts := t.filterPartitions(sc.Sight, &f, Query{Now: now})
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("index: nearest: %w", err)
	}
	if x.opts.Remote != nil {
		return remoteVectors{x.opts.Remote, t}.nearestAll(ctx, parts, queries, k, floor)
	}
	near := newVectorQuery(parts, queries, k, float32(floor))
	near.scan.ErrorMargin = vectors.NearestErrorMargin
	near.searchGraphs()
	near.scan.Run(t.opts.Workers)
	all := make([][]slotHit, len(queries))
	for i, byQuery := range near.finish() {
		for j, hits := range byQuery {
			for _, h := range hits {
				all[j] = append(all[j], slotHit{slotRef{i, h.Slot}, float64(h.Score), parts[i].view.doc(h.Slot)})
			}
		}
	}
	for j := range all {
		sortSlotHits(all[j])
		for _, f := range all[j][:min(k, len(all[j]))] {
			out[j] = append(out[j], Near{Doc: f.doc, Cosine: min(1, f.score)})
		}
	}
	return out, nil
}

// vectorQuery is a query to the vector channels of several partitions. It first searches the
// partitions that have a neighbour graph, then scans the rest together.
type vectorQuery struct {
	parts          []*partitionQuery
	queries        [][]float32
	k              int
	floor          float32
	floors         []float32       // by query, raised by the graph searches
	best           []*slots.TopK   // by query, of the graph searches; the slot numbers have no meaning
	hits           [][][]slots.Hit // by partition, then query
	scan           *vectors.Scan
	graphsSearched chan struct{} // closed when the slots to scan are known
}

func newVectorQuery(parts []*partitionQuery, queries [][]float32, k int, floor float32) *vectorQuery {
	n := &vectorQuery{
		parts: parts, queries: queries, k: k, floor: floor, hits: make([][][]slots.Hit, len(parts)),
		scan: vectors.NewScan(k, floor, len(queries)), graphsSearched: make(chan struct{}),
	}
	for range queries {
		n.floors, n.best = append(n.floors, floor), append(n.best, slots.NewTopK(k, slots.ByNumber))
	}
	return n
}

// searchGraphs searches the neighbour graphs. If a channel has vectors of another dimension, it
// compares the vectors one by one.
func (n *vectorQuery) searchGraphs() {
	defer close(n.graphsSearched)
	for i, p := range n.parts {
		v := p.view.vectors
		if v.Dimension() != len(n.queries[0]) {
			n.hits[i] = p.compareAll(n.queries, n.k, n.floor)
			continue
		}
		hits, rest, walked := v.SearchGraph(n.queries, p.matches.vectors, vectors.Want{K: n.k, Floor: n.floor, Order: p.view.orderedBefore, Exact: p.exact}, n.floors)
		if walked {
			n.raiseFloors(hits)
		} else {
			hits, rest = make([][]slots.Hit, len(n.queries)), p.matches.vectors
		}
		n.hits[i] = hits
		if rest != nil {
			n.scan.Add(v, rest, n.queries, i)
		}
	}
}

// raiseFloors makes the k-th best score of each query so far a floor for the next partitions.
// Vectors whose codes are below it need not be read.
func (n *vectorQuery) raiseFloors(hits [][]slots.Hit) {
	for i, some := range hits {
		for _, h := range some {
			n.best[i].Offer(h.Slot, h.Score)
		}
		if n.best[i].Full() {
			n.floors[i] = max(n.floors[i], n.best[i].Lowest())
		}
	}
}

// helpScan joins the scan after the graph searches.
func (n *vectorQuery) helpScan() {
	<-n.graphsSearched
	n.scan.Work()
}

// finish returns the hits after all work has ended: for each partition and query at least those
// among the k best of all, unordered.
func (n *vectorQuery) finish() [][][]slots.Hit {
	first := make([]slots.Order, len(n.parts))
	for i, p := range n.parts {
		first[i] = p.view.orderedBefore
	}
	for i := range n.queries {
		n.scan.Rescore(i, n.floor, n.hits, first)
	}
	n.scan.Free()
	return n.hits
}

// compareAll compares the queries with the exact vectors of the passing memories.
func (p *partitionQuery) compareAll(queries [][]float32, k int, floor float32) [][]slots.Hit {
	out := make([][]slots.Hit, len(queries))
	for i, q := range queries {
		best := slots.NewTopK(k, p.view.orderedBefore)
		var buf []byte
		p.matches.all.Each(func(slot uint32) {
			if v := p.view.vectorOf(slot, len(q), &buf); v != nil {
				if s := kernel.Dot(q, v); s >= floor {
					best.Offer(slot, s)
				}
			}
		})
		out[i] = best.Hits
	}
	return out
}
