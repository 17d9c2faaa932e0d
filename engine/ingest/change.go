package ingest

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Change reads one memory, applies step to it, and writes it, in one transaction. step
// returns the kind of the event; an empty kind means no change. step may run again.
func (svc *Service) Change(ctx context.Context, c workspace.Caller, id graph.ID, step func(graph.Tx, *graph.Memory, time.Time) (graph.EventKind, error)) (*workspace.View, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	now := t.Now()
	var m *graph.Memory
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		if m, err = workspace.LoadOwned(tx, c, id); err != nil {
			return err
		}
		kind, err := step(tx, m, now)
		if err != nil || kind == "" {
			return err
		}
		m.UpdatedAt = now
		return tx.PutMemory(m, kind)
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return workspace.NewView(m, workspace.Access{}, now), nil
}
