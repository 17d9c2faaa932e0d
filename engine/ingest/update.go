package ingest

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Update changes attributes other than the text: importance, tags, meta, priority, the
// important mark and the decay constant. Only Supersede changes the text of a belief. A task
// keeps its tag and what its meta says about it.
func (svc *Service) Update(ctx context.Context, c workspace.Caller, in UpdateInput) (*workspace.View, error) {
	if in.Importance != nil {
		if err := graph.Unit("importance", *in.Importance); err != nil {
			return nil, err
		}
	}
	if in.SetMeta && len(in.Meta) > 0 && !json.Valid(in.Meta) {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "meta", "is not JSON")
	}
	return svc.Change(ctx, c, in.ID, func(tx graph.Tx, m *graph.Memory, _ time.Time) (graph.EventKind, error) {
		if err := mayChange(c, m); err != nil {
			return "", err
		}
		if in.Importance != nil {
			m.Importance = *in.Importance
		}
		task, was := lifecycle.IsTask(m), lifecycle.MetaOf(m)
		if in.SetTags {
			m.Tags = slices.Clone(in.Tags)
		}
		if in.SetMeta {
			m.Meta = slices.Clone(in.Meta)
		}
		if task && (in.SetTags || in.SetMeta) {
			if err := lifecycle.KeepTask(m, was); err != nil {
				return "", err
			}
		}
		if in.Priority != "" {
			m.Priority = in.Priority
		}
		if in.Important != nil {
			m.Important = *in.Important
		}
		if in.DecayK != nil {
			if err := checkDecayK(in.DecayK, m.DecayClass); err != nil {
				return "", err
			}
			m.DecayK, m.OwnDecay = *in.DecayK, true
		} else if in.SetDecayK {
			p, err := workspace.PolicyCache{}.In(tx, m.Namespace)
			if err != nil {
				return "", err
			}
			m.DecayK, m.OwnDecay = p.DecayK[m.DecayClass], false
		}
		return graph.EventUpdated, nil
	})
}
