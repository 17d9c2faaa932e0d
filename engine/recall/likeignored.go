package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Feedback that a memory did not answer also lowers the memories like it, for questions like that
// one, in the same namespace. It is bounded: a memory that is only like a marked one keeps at least half of its score.
const (
	likeMemory   = 0.8 // cosine from which two memories are alike
	likeWeight   = 1.0 // a memory equal to a marked one keeps 1/(1+likeWeight) of its score
	maxLikeMarks = 8   // marked memories that others are compared with, those of the nearest questions
)

// likeIgnored is the factor, in [½,1], for a memory whose vector is like that of a memory marked
// irrelevant for a similar question.
func likeIgnored(cosine float64) float64 {
	return 1 / (1 + likeWeight*max(0, cosine-likeMemory)/(1-likeMemory))
}

// demoteLike lowers the scores of the candidates that are like memories marked irrelevant. It
// returns the candidates and their vectors in the new order.
func (svc *Service) demoteLike(ctx context.Context, q *query, pool []scored, vectors [][]float32) ([]scored, [][]float32) {
	marked := slices.SortedFunc(maps.Keys(q.marked), func(a, b graph.ID) int {
		return cmp.Or(cmp.Compare(q.marked[b], q.marked[a]), cmp.Compare(a, b))
	})
	var docs []*index.Doc
	for _, id := range marked[:min(len(marked), maxLikeMarks)] {
		if d, known := svc.Index.Doc(q.t.Scope, id); known {
			docs = append(docs, d)
		}
	}
	if len(docs) == 0 {
		return pool, vectors
	}
	ignored, err := svc.Index.Vectors(ctx, q.t.Scope, docs)
	if err != nil {
		svc.Log.WarnContext(ctx, "[READ] vectors are away; feedback lowers only the marked memories", "error", err)
		return pool, vectors
	}
	for i := range pool {
		if q.marked[pool[i].Doc.ID] > 0 {
			continue // lowered already
		}
		for j, v := range ignored {
			if docs[j].Namespace == pool[i].Doc.Namespace {
				pool[i].likeMarked = max(pool[i].likeMarked, cosineOf(v, vectors[i]))
			}
		}
		pool[i].score *= likeIgnored(pool[i].likeMarked)
	}
	vectorOf := make(map[graph.ID][]float32, len(pool))
	for i, v := range vectors {
		vectorOf[pool[i].Doc.ID] = v
	}
	pool = slices.Clone(pool)
	bestFirst(pool)
	sorted := make([][]float32, len(pool))
	for i := range pool {
		sorted[i] = vectorOf[pool[i].Doc.ID]
	}
	return pool, sorted
}

// cosineOf is the inner product of two unit vectors; 0 if one is missing.
func cosineOf(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	dot := 0.0
	for i, x := range a {
		dot += float64(x) * float64(b[i])
	}
	return min(1, dot)
}
