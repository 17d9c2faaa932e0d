package recall

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Before a search answers that nothing matches, or only what does not surely answer, is of another time than the question names,
// or has no value of the kind that the question asks for, it looks a second time at what has faded: memories with hardly any
// retention, and ARCHIVED ones. What it finds stays only if it settles the question.

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

// lookAgain looks at what has faded, unless the hits of the first look settle the question. Hits that do not settle it stay
// where the second look does not settle it either.
func (svc *Service) lookAgain(ctx context.Context, q *query, found *index.Result, hits []scored) (*index.Result, []scored, error) {
	if settled, err := svc.settles(ctx, q, hits); settled || err != nil {
		return found, hits, err
	}
	first, before := found, *q
	q.lookFurther()
	found, ranked, err := svc.look(ctx, q)
	if len(hits) == 0 && len(ranked) == 0 && q.unsaid == "" {
		hits = q.doubtful
	}
	if err != nil || len(hits) == 0 {
		return found, ranked, err
	}
	if settled, err := svc.settles(ctx, q, ranked); settled || err != nil {
		return found, ranked, err
	}
	before.degraded, before.drawn = q.degraded, q.drawn
	*q = before
	return first, hits, nil
}

// settles reports whether hits surely answer the question: one is of the time that it names, and one says a value of the kind that
// it asks for, if that is a time, a number or a name.
func (svc *Service) settles(ctx context.Context, q *query, hits []scored) (bool, error) {
	switch {
	case !q.answersInTime(hits) || q.unsure:
		return false, nil
	case !phrase.AsksValue(q.in.Query):
		return true, nil
	}
	texts, err := svc.hitsStored(ctx, q, hits)
	return slices.ContainsFunc(texts, func(m *graph.Memory) bool {
		return m != nil && (q.facts[m.ID] || phrase.SaysAskedValue(q.in.Query, m.Content))
	}), err
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
