package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// fallbackPool is how many candidates the built-in model compares with a question while the
// embedder is away.
const fallbackPool = 64

// fallback is the built-in model, which needs no network. Its vectors are never stored and never
// compared with those of another model.
var fallback = hashed.New()

// fallBack compares the best candidates of the other channels with the question by the built-in
// model: both texts are embedded by it, here and now. It is called when the embedder is away, so the
// candidates have no cosines of the stored vectors.
func (svc *Service) fallBack(ctx context.Context, q *query, found []index.Candidate) error {
	pool := make([]*index.Candidate, len(found))
	for i := range found {
		pool[i] = &found[i]
	}
	slices.SortStableFunc(pool, func(a, b *index.Candidate) int {
		switch x, y := max(a.Keyword, a.Graph), max(b.Keyword, b.Graph); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	pool = pool[:min(fallbackPool, len(pool))]
	ids := make([]graph.ID, len(pool))
	for i, c := range pool {
		ids[i] = c.Doc.ID
	}
	var memories []*graph.Memory
	err := q.t.View(ctx, func(r graph.Reader) (err error) { memories, err = graph.Undamaged(r, ids); return err })
	if err != nil {
		return err
	}
	question, err := fallback.EmbedWeighted(ctx, q.in.Query, svc.Index.Rarity(q.t.Scope, q.ask.Filter.Namespaces))
	if err != nil {
		return err
	}
	for i, m := range memories {
		if m == nil || m.Content == "" { // erased during the search
			continue
		}
		v, err := fallback.Embed(ctx, []string{m.Content}, models.Passage)
		if err != nil {
			return err
		}
		pool[i].Semantic = max(0, index.Cosine(question, v[0]))
	}
	return nil
}
