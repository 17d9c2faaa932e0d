package session

import (
	"context"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// applyChanges updates the rings and the open tasks after memories changed. It runs in the
// writer, after the writer has added its own turns to the rings.
func (svc *Service) applyChanges(ctx context.Context, wt *workspace.Tenant, ids []graph.ID) error {
	t := svc.tenants.Of(wt)
	b := t.buffer
	b.loading.Lock()
	loaded := b.loaded
	b.loading.Unlock()
	if !loaded { // the first use loads all of them
		return nil
	}
	var changed, removed []graph.ID
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		d, ok := svc.Index.Doc(t.Scope, id)
		switch {
		case !ok:
			removed = append(removed, id)
		case workspace.StateOf(d).Tier == graph.L0 && workspace.StateOf(d).Status == graph.Active, d.Type == graph.Working && slices.Contains(d.Tags, lifecycle.TaskTag):
			changed = append(changed, id)
		default:
			removed = append(removed, id)
		}
	}
	b.remove(removed)
	if len(changed) == 0 {
		return nil
	}
	return svc.ingest.RunExclusive(ctx, t.Tenant, func(ctx context.Context) error {
		var memories []*graph.Memory
		err := t.View(ctx, func(r graph.Reader) error {
			memories = memories[:0]
			for _, id := range changed {
				m, err := r.Memory(id)
				if errors.Is(err, graph.ErrIntegrity) {
					continue // reads of the memory report it
				}
				if err != nil {
					return err
				}
				memories = append(memories, m)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, m := range memories {
			if lifecycle.InBuffer(m) {
				if b.join(workspace.ConversationOf(m), slot{m.ID, prompt.Count(m.Content)}, m.CreatedAt) {
					svc.hear(t, m)
				}
			} else {
				b.remove([]graph.ID{m.ID})
			}
		}
		b.addTasks(openTasksOf(memories...))
		return nil
	})
}
