package upkeep

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// embeddedBy answers which model made the vectors of a tenant: that of the newest memory
// that has one, or the one that it is being switched to; empty where none has.
func (svc *Service) storedModel(ctx context.Context, sc graph.Scope) (model string, err error) {
	err = svc.Store.View(ctx, sc, func(r graph.Reader) error {
		var m reembedState
		if _, err := lifecycle.ReadSetting(r, reembedSetting, &m); err != nil {
			return err
		}
		if m.Switching {
			model = m.Model // whatever is left of the other
			return nil
		}
		for after := graph.ID(""); ; {
			page, err := r.ListMemories(graph.MemoryQuery{Statuses: graph.Statuses, After: after, Descending: true, Limit: graph.MaxPage})
			if err != nil {
				return err
			}
			for _, m := range page {
				if after = m.ID; m.EmbeddingModel != "" {
					model = m.EmbeddingModel
					return nil
				}
			}
			if len(page) < graph.MaxPage {
				return ctx.Err()
			}
		}
	})
	return model, err
}

// KeepModel refuses an embedder whose vectors can't be compared with those of the tenant.
func (svc *Service) CheckModel(ctx context.Context, sc graph.Scope) error {
	switch model, err := svc.storedModel(ctx, sc); {
	case err != nil:
		return fmt.Errorf("engine: read which model the memories are embedded with: %w", err)
	case model != "" && model != svc.Embedder.Name():
		return &MixedModelsError{Tenant: sc.Tenant, Stored: model, Given: svc.Embedder.Name()}
	}
	return nil
}

// MixedModels is what New answers where a tenant has vectors of another model than the
// embedder's: a cosine between the two would mean nothing.
type MixedModelsError struct {
	Tenant        graph.Tenant
	Stored, Given string // names of the models
}

// Error names both models.
func (m *MixedModelsError) Error() string {
	return fmt.Sprintf("engine: the memories of tenant %s are embedded with %s, and the embedder is %s: vectors of two models can't be compared", m.Tenant, m.Stored, m.Given)
}
