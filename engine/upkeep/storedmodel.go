package upkeep

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// storedModel returns the model of a tenant's vectors: that of the newest memory with a
// vector, or the target of a switch that has begun; empty if no memory has a vector.
func storedModel(ctx context.Context, store graph.Viewer, sc graph.Scope) (model string, err error) {
	err = store.View(ctx, sc, func(r graph.Reader) error {
		var m reembedState
		if _, err := lifecycle.ReadSetting(r, reembedSetting, &m); err != nil {
			return err
		}
		if m.Switching {
			model = m.Model // even if vectors of the old model remain
			return nil
		}
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{Undamaged: true, Statuses: graph.Statuses, Descending: true}) {
			if err != nil {
				return err
			}
			if m.EmbeddingModel != "" && m.EmbeddingModel != graph.NoModel {
				model = m.EmbeddingModel
				return nil
			}
		}
		return ctx.Err()
	})
	return model, err
}

// CheckModel returns a MixedModelsError if the vectors of a model can't be compared with those of
// a tenant.
func CheckModel(ctx context.Context, store graph.Viewer, sc graph.Scope, model string) error {
	switch stored, err := storedModel(ctx, store, sc); {
	case err != nil:
		return fmt.Errorf("engine: read which model the memories are embedded with: %w", err)
	case stored != "" && stored != model:
		return &MixedModelsError{Tenant: sc.Tenant, Stored: stored, Given: model}
	}
	return nil
}

// MixedModelsError says that a tenant has vectors of a model other than the embedder's. A
// cosine between vectors of two models has no meaning.
type MixedModelsError struct {
	Tenant        graph.Tenant
	Stored, Given string // names of the models
}

// Error names both models.
func (m *MixedModelsError) Error() string {
	return fmt.Sprintf("engine: the memories of tenant %s are embedded with %s, and the embedder is %s: vectors of two models can't be compared", m.Tenant, m.Stored, m.Given)
}
