package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/workspace"
)

// choose selects diverse hits from the candidates. If the vectors are unavailable, it compares
// candidates by their entities only.
func (svc *Service) choose(ctx context.Context, q *query) ([]scored, error) {
	if q.in.Order == OrderScore {
		bestFirst(q.kept) // the cross-encoder has changed scores
	}
	if q.in.Order == OrderScore || len(q.kept) < 2 {
		return q.kept[:min(q.in.TopK, len(q.kept))], nil
	}
	pool, later := q.sourcesLast(q.kept[:min(max(mmrPool, q.in.TopK), len(q.kept))])
	if q.in.Effort != EffortFast {
		var err error
		if pool, err = svc.dispersed(ctx, q, pool); err != nil {
			return nil, err
		}
	}
	chosen := append(pool[:min(q.in.TopK, len(pool)):min(q.in.TopK, len(pool))], later...)
	return q.withPatterns(chosen[:min(q.in.TopK, len(chosen))]), nil
}

// dispersed selects diverse hits, at most TopK, from a pool.
func (svc *Service) dispersed(ctx context.Context, q *query, pool []scored) ([]scored, error) {
	if len(pool) < 2 {
		return pool, nil
	}
	vectors := make([][]float32, len(pool))
	if !slices.Contains(q.degraded, workspace.PartVectors) {
		found, err := svc.Index.Vectors(ctx, q.t.Scope, docsOf(pool))
		switch {
		case err == nil:
			vectors = found
		case ctx.Err() != nil:
			return nil, ctx.Err()
		default:
			svc.Log.WarnContext(ctx, "[READ] vectors are not available; hits may contain near-duplicates", "error", err)
			q.lack(workspace.PartVectors)
		}
	}
	pool, vectors = svc.demoteLike(ctx, q, pool, vectors)
	for i := range pool {
		pool[i].vector = vectors[i]
	}
	return q.diverse(pool, vectors), nil
}

// diverse selects hits by maximal marginal relevance (MMR). With ACCURATE the items of a list are
// sought in several sessions.
func (q *query) diverse(pool []scored, vectors [][]float32) []scored {
	diversity, sessions := rank.Overlapping, false
	if q.in.Effort == EffortAccurate {
		diversity, sessions = rank.Repeated, attribute.AsksForSeveral(q.in.Query)
	}
	items := make([]rank.Item, len(pool))
	for i, k := range pool {
		items[i] = rank.Item{Score: k.place(), Vector: vectors[i], Entities: k.Doc.Entities}
		if sessions {
			items[i].Group = k.Doc.Session
		}
	}
	order := rank.MMR(items, diversity, q.in.TopK)
	chosen := make([]scored, len(order))
	for i, at := range order {
		chosen[i] = pool[at]
	}
	return chosen
}
