package recall

import (
	"context"

	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	rerankPool  = 50  // candidates that the cross-encoder scores
	crossWeight = 0.7 // weight of the cross-encoder's score; the fused score has the rest
)

// rerank scores the best candidates with the cross-encoder. It runs only for ACCURATE searches
// with a query, and only if a reranker is configured. Candidates that the cross-encoder did
// not score keep 1−crossWeight of their fused score. If the model fails, the order does not
// change and Degraded names the reranker.
func (svc *Service) rerank(ctx context.Context, q *query) error {
	if svc.reranker == nil || q.in.Effort != EffortAccurate || q.in.Query == "" || len(q.kept) == 0 {
		return nil
	}
	pool := q.kept[:min(rerankPool, len(q.kept))]
	ids := make([]graph.ID, len(pool))
	for i, k := range pool {
		ids[i] = k.Doc.ID
	}
	var found []*graph.Memory
	err := q.t.View(ctx, func(r graph.Reader) (err error) { found, err = graph.Undamaged(r, ids); return err })
	if err != nil {
		return err
	}
	texts, read := make([]string, 0, len(pool)), make([]int, 0, len(pool))
	for i, m := range found {
		if m != nil && m.Content != "" && svc.Ceilings.Reranker.Allows(m) { // empty: erased during the search
			texts, read = append(texts, m.Content), append(read, i)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	scores, err := svc.reranker.Rerank(ctx, q.in.Query, texts)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		svc.Log.WarnContext(ctx, "[READ] reranker failed; hits keep their order from before reranking", "error", err)
		q.lack(workspace.PartReranker)
		return nil
	}
	for i := range q.kept {
		q.kept[i].fused = q.kept[i].score
		q.kept[i].score *= 1 - crossWeight
	}
	for i, at := range read {
		k := &q.kept[at]
		k.crossed, k.cross = true, scores[i]
		k.score += crossWeight * scores[i]
	}
	bestFirst(q.kept)
	return nil
}

// explainCross wraps the explanation of the fused score with the cross-encoder's score.
func (k scored) explainCross(x *rank.Explanation) *rank.Explanation {
	if k.fused == 0 {
		return x
	}
	out := &rank.Explanation{Value: k.score, Message: "0.7 · cross-encoder + 0.3 · fused score"}
	said := &rank.Explanation{Message: "not among the candidates of the cross-encoder"}
	if k.crossed {
		said = &rank.Explanation{Value: k.cross, Message: "cross-encoder: how well the memory answers the question"}
	}
	out.Children = append(out.Children, said, x)
	return out
}

// scoreBeforeCross is the score before the cross-encoder.
func (k scored) scoreBeforeCross() float64 {
	if k.fused > 0 {
		return k.fused
	}
	return k.score
}

// fusedScore is the score before the relevance model and the cross-encoder.
func (k scored) fusedScore() float64 {
	if k.reordered {
		return k.beforeModel
	}
	return k.scoreBeforeCross()
}
