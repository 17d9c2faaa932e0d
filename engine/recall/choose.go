package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/workspace"
)

// choose selects diverse hits from the candidates, and keeps the next ones in q.reserve. If the vectors are unavailable, it
// compares candidates by their entities only.
func (svc *Service) choose(ctx context.Context, q *query) ([]scored, error) {
	if q.in.Order == OrderScore {
		bestFirst(q.kept) // the cross-encoder has changed scores
	}
	q.reserve = nil
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
	chosen := append(pool[:len(pool):len(pool)], later...)
	n := min(q.in.TopK, len(chosen))
	q.reserve = chosen[n:]
	return q.withPatterns(chosen[:n:n]), nil
}

// refill appends hits of the reserve that the cut does not drop, as many as it drops hits. They must be above the floor, or as relevant
// as the best hit.
func (svc *Service) refill(ctx context.Context, q *query, hits []scored, best float64, enough func(scored) bool) []scored {
	free, alone := q.in.TopK, 0
	for _, k := range hits {
		switch {
		case enough(k):
			free--
		case k.topicAlone && alone < aloneAtMost: // the cut spares it
			alone++
			free--
		}
	}
	reserve := slices.DeleteFunc(searchable(q, q.reserve), func(k scored) bool { return among(hits, k.Doc.ID) || q.marked[k.Doc.ID] > 0 })
	if free <= 0 || len(reserve) == 0 || q.in.head > 0 {
		return hits
	}
	svc.weighMore(ctx, q, reserve)
	words := svc.wordings(q, reserve)
	for i, k := range reserve {
		if k.nameless = words[i].nameless; k.nameless {
			k.relevance *= namelessFactor
		}
		if free > 0 && enough(k) && (k.aboveFloor || k.relevance >= best) {
			hits = append(hits, k)
			free--
		}
	}
	return hits
}

// dispersed orders a pool so that the hits are diverse.
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

// diverse orders hits by maximal marginal relevance (MMR). With ACCURATE the items of a list are
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
	order := rank.MMR(items, diversity, len(items))
	chosen := make([]scored, len(order))
	for i, at := range order {
		chosen[i] = pool[at]
	}
	return chosen
}
