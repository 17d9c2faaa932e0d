package index

import (
	"context"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// Nearest answers, for each vector, the at most k memories that pass the filter and
// whose cosine to it is at least floor, best first, equal ones by id. All vectors
// must have one dimension; they are looked at together, so that many cost little
// more than one.
func (x *Index) Nearest(ctx context.Context, sc graph.Scope, vectors [][]float32, f Filter, now time.Time, k int, floor float64) ([][]Near, error) {
	t, err := x.tenant(ctx, sc)
	if err != nil {
		return nil, err
	}
	out := make([][]Near, len(vectors))
	if len(vectors) == 0 || k <= 0 {
		return out, nil
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "vectors", "must all have one dimension, at least 1")
		}
	}
	all := make([][]found, len(vectors))
	for i, p := range t.sift(&f, Query{Now: now}) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("index: nearest: %w", err)
		}
		for j, hits := range p.nearest(vectors, k, float32(floor)) {
			for _, h := range hits {
				all[j] = append(all[j], found{place{i, h.slot}, float64(h.score), p.view.doc(h.slot)})
			}
		}
	}
	for j := range all {
		sortFound(all[j])
		for _, f := range all[j][:min(k, len(all[j]))] {
			out[j] = append(out[j], Near{Doc: f.doc, Cosine: min(1, f.score)})
		}
	}
	return out, nil
}
