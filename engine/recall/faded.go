package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Before a search answers that nothing matches, or only what is of another time than the question names, it looks a second
// time at what has faded: memories with hardly any retention, and ARCHIVED ones.

// faded reports whether a memory has lost its retention and was never used.
func faded(retention float64, d *index.Doc) bool {
	return retention < fadedBelow && d.Usage.Count == 0
}

// answersInTime reports whether there are hits and, if the question names a time, one of that time.
func (q *query) answersInTime(hits []scored) bool {
	if q.window.From.IsZero() || q.window.To.IsZero() {
		return len(hits) > 0
	}
	return slices.ContainsFunc(hits, func(k scored) bool { return q.happened(k.Doc) })
}

// mayLookFurther reports whether the query may find more in a second look.
func (q *query) mayLookFurther() bool { return q.in.Query != "" && !q.in.presentOnly && !q.further }

// lookFurther includes what has faded. If the caller asked for certain statuses, those stay.
func (q *query) lookFurther() {
	q.further = true
	if len(q.in.Statuses) > 0 {
		return
	}
	q.ask.Filter.Statuses = []graph.Status{graph.Active, graph.Archived}
	if !q.ask.Filter.AsOf.Valid.IsZero() {
		q.ask.Filter.Statuses = append(q.ask.Filter.Statuses, graph.Superseded)
	}
}

// revive makes ARCHIVED memories ACTIVE again, because they were used. It reports whether the
// store accepted that.
func (svc *Service) revive(ctx context.Context, t *tenant, ids []graph.ID) bool {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id graph.ID) bool {
		d, known := svc.Index.Doc(t.Scope, id)
		return !known || workspace.StateOf(d).Status != graph.Archived
	})
	if len(ids) == 0 {
		return true
	}
	now := t.Now()
	err := t.Update(ctx, func(tx graph.Tx) error {
		found, err := graph.Undamaged(tx, ids)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m == nil || m.Status() != graph.Archived {
				continue
			}
			if err := lifecycle.Reactivate(tx, m, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		svc.Log.WarnContext(ctx, "[READ] archived memories were used and not brought back", "items", len(ids), "error", err)
	}
	return err == nil
}
