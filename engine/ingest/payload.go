package ingest

import (
	"context"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// A write is judged by all that is known, and its answer names only what the caller sees. Only what the
// caller sees is a duplicate.

// filterResults removes from results what the caller does not see. A repeated write that found a
// duplicate under another credential of the same principal is answered as another use of its key.
func (svc *Service) filterResults(ctx context.Context, c workspace.Caller, results []RememberResult) {
	if c.Sight().Whole() {
		return
	}
	for i := range results {
		r := &results[i]
		r.ConflictsWith, r.Revised, r.Ended = svc.visible(ctx, c, r.ConflictsWith), svc.visible(ctx, c, r.Revised), svc.visible(ctx, c, r.Ended)
		if r.DuplicateOf == "" || len(svc.visible(ctx, c, []graph.ID{r.DuplicateOf})) > 0 {
			continue
		}
		*r = RememberResult{Error: workspace.ErrKeyReused}
	}
}

// visible returns those of the memories that the caller sees, and none if they can't be read: the
// write is committed, so its answer must not fail.
func (svc *Service) visible(ctx context.Context, c workspace.Caller, ids []graph.ID) (shown []graph.ID) {
	if len(ids) == 0 || c.Sight().Whole() {
		return ids
	}
	err := svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		shown = nil
		found, err := r.Memories(ids)
		for i, m := range found {
			if m != nil {
				shown = append(shown, ids[i])
			}
		}
		return err
	})
	if err != nil {
		svc.Log.WarnContext(ctx, "[WRITE] the memories that a write concerned could not be read", "error", err)
		return nil
	}
	return shown
}
