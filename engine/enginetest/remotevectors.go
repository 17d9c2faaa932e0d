package enginetest

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// RemoteVectors searches the vectors of a store exhaustively, for worlds whose index holds no
// vectors.
type RemoteVectors struct{ Store graph.Store }

// Near implements graph.VectorSearcher with an exact search.
func (e RemoteVectors) Near(ctx context.Context, sc graph.Scope, vector []float32, k, _ int) ([]graph.Alike, error) {
	var out []graph.Alike
	err := e.Store.View(ctx, sc, func(r graph.Reader) error {
		out = nil
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			v, err := embedding(r, m.ID)
			if err != nil {
				return err
			}
			if len(v) == len(vector) {
				out = append(out, graph.Alike{ID: m.ID, Cosine: index.Cosine(v, vector)})
			}
		}
		return nil
	})
	slices.SortFunc(out, func(a, b graph.Alike) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
	return out[:min(k, len(out))], err
}

// Cosines implements graph.VectorSearcher.
func (e RemoteVectors) Cosines(ctx context.Context, sc graph.Scope, vector []float32, ids []graph.ID) (map[graph.ID]float64, error) {
	all, err := e.Embeddings(ctx, sc, ids)
	out := map[graph.ID]float64{}
	for i, v := range all {
		if len(v) == len(vector) {
			out[ids[i]] = index.Cosine(v, vector)
		}
	}
	return out, err
}

// Embeddings implements graph.VectorSearcher.
func (e RemoteVectors) Embeddings(ctx context.Context, sc graph.Scope, ids []graph.ID) ([][]float32, error) {
	out := make([][]float32, len(ids))
	err := e.Store.View(ctx, sc, func(r graph.Reader) (err error) {
		for i, id := range ids {
			if out[i], err = embedding(r, id); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// embedding is the vector of a memory; nil if it has none.
func embedding(r graph.Reader, id graph.ID) ([]float32, error) {
	v, err := r.Embedding(id)
	_, err = graph.Found(err)
	return v, err
}
