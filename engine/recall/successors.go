package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	successorsLooked = 3  // superseded hits whose successors answer
	successorsDepth  = 16 // versions after one that are looked through for the current one
)

// mayAskSuccessors reports whether what replaced an answer may answer the query: it asks for the present, without
// other filters, and for facts, as a prompt does for its layer of memories.
func (q *query) mayAskSuccessors() bool {
	return q.in.Query != "" && !q.narrowed() && q.in.Access.AsOf.IsZero() && (len(q.in.Types) == 0 || slices.Contains(q.in.Types, graph.Semantic))
}

// lookForSuccessors is the last look of a query that nothing answers: what replaced its answers answers it. The words of the
// question may be in the superseded statement only ("I bank with Argenta", "I switched from Argenta to KBC").
// It returns no hits, and leaves the query as it is, if there are none.
func (svc *Service) lookForSuccessors(ctx context.Context, q *query) (*index.Result, []scored, error) {
	p := *q
	p.ask.Filter.Statuses = []graph.Status{graph.Superseded}
	_, hits, err := svc.look(ctx, &p)
	if err != nil {
		return nil, nil, err
	}
	q.lack(p.degraded...)
	successors, err := svc.successors(ctx, q, hits[:min(successorsLooked, len(hits))])
	if err != nil || len(successors) == 0 {
		return nil, nil, err
	}
	q.facts, q.unsaid = successors, ""
	return svc.look(ctx, q)
}

// successors returns the current versions of superseded hits that the query may find.
func (svc *Service) successors(ctx context.Context, q *query, hits []scored) (map[graph.ID]bool, error) {
	successors := map[graph.ID]bool{}
	err := q.t.View(ctx, func(r graph.Reader) error {
		for _, k := range hits {
			id := k.Doc.ID
			for range successorsDepth {
				m, err := graph.Undamaged(r, []graph.ID{id})
				if err != nil {
					return err
				}
				if m[0] == nil || m[0].SupersededBy == "" {
					break
				}
				if id = m[0].SupersededBy; svc.Index.Passing(q.t.Scope, &q.ask.Filter, q.ask.Now, id) != nil {
					successors[id] = true
					break
				}
			}
		}
		return nil
	})
	return successors, err
}
