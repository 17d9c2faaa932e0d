package upkeep

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// embedTexts embeds memories, one by one where the model refused them together: what it
// refuses alone gets its error in place of a vector. The error is for a model that is
// away.
func embedMemories(ctx context.Context, model models.Embedder, of []*graph.Memory) (vectors [][]float32, refused []error, err error) {
	refused = make([]error, len(of))
	texts := make([]string, len(of))
	for i, m := range of {
		texts[i] = m.Content
	}
	vectors, err = model.Embed(ctx, texts, models.Passage)
	if err == nil || !models.Refused(err) {
		return vectors, refused, err
	}
	vectors = make([][]float32, len(of))
	for i, text := range texts {
		one, err := model.Embed(ctx, []string{text}, models.Passage)
		switch {
		case err == nil:
			vectors[i] = one[0]
		case models.Refused(err):
			refused[i] = err
		default:
			return nil, nil, err
		}
	}
	return vectors, refused, nil
}

// failure is what a work that is given up has behind it.
type givenUp struct {
	attempts int
	cause    error
}

// putVectors stores the vectors that came, and letters of what was given up.
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

// embeddable are the statuses of memories that have words.
var embeddable = slices.DeleteFunc(slices.Clone(graph.Statuses), func(s graph.Status) bool { return s == graph.Forgotten })
