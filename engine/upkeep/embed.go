package upkeep

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// embedMemories embeds memories. A memory above the ceiling is not sent and gets no vector. If the
// model refuses the batch, it embeds them one by one; a refused text gets its error in refused,
// and no vector. err means that the model is unavailable.
func embedMemories(ctx context.Context, model models.Embedder, ceiling *workspace.Ceiling, of []*graph.Memory) (vectors [][]float32, refused []error, err error) {
	refused, vectors = make([]error, len(of)), make([][]float32, len(of))
	var texts []string
	var positions []int // in of
	for i, m := range of {
		if ceiling.Allows(m) {
			texts, positions = append(texts, m.Content), append(positions, i)
		}
	}
	if len(texts) == 0 {
		return vectors, refused, nil
	}
	all, err := model.Embed(ctx, texts, models.Passage)
	if err == nil {
		for i, at := range positions {
			vectors[at] = all[i]
		}
		return vectors, refused, nil
	}
	if !models.Refused(err) {
		return nil, refused, err
	}
	for i, at := range positions {
		one, err := model.Embed(ctx, texts[i:i+1], models.Passage)
		switch {
		case err == nil:
			vectors[at] = one[0]
		case models.Refused(err):
			refused[at] = err
		default:
			return nil, nil, err
		}
	}
	return vectors, refused, nil
}

// givenUp describes work that is given up.
type givenUp struct {
	attempts int
	cause    error
}

// putVectors stores vectors, and dead letters for memories that are given up.
func (svc *Service) putVectors(ctx context.Context, t *tenant, of []*graph.Memory, vectors [][]float32, dead map[graph.ID]givenUp) error {
	return t.Update(ctx, func(tx graph.Tx) error {
		for i, w := range of {
			m, err := tx.Memory(w.ID)
			if err != nil {
				return err
			}
			if m.Status() == graph.Forgotten || m.EmbeddingModel != "" {
				continue
			}
			now := t.Now()
			if f, gone := dead[m.ID]; gone {
				if err := workspace.PutLetter(tx, m, workspace.WorkEmbed, f.attempts, f.cause, now); err != nil {
					return err
				}
			}
			if vectors[i] == nil {
				continue
			}
			m.EmbeddingModel, m.UpdatedAt = svc.Embedder.Name(), now
			if err := tx.PutEmbedding(m.ID, vectors[i]); err != nil {
				return err
			}
			if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
				return err
			}
		}
		return nil
	})
}

// embeddable are the statuses of memories with content.
var embeddable = slices.DeleteFunc(slices.Clone(graph.Statuses), func(s graph.Status) bool { return s == graph.Forgotten })
