package sleep

import (
	"context"

	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// balance accounts for every memory that was ACTIVE at the start of the cycle, and measures
// the health after it.
func (run *sleepRun) balance(ctx context.Context, r *Report) error {
	folded, archived, err := run.mergedAndArchived(ctx)
	if err != nil {
		return err
	}
	in := map[graph.ID]bool{}
	if len(run.checkpoint.Plans) > 0 && run.phases[0].apply == nil {
		rank, err := run.ranking(ctx)
		if err != nil {
			return err
		}
		for id := range rank {
			in[id] = true
		}
	}
	for _, moved := range []map[graph.ID]bool{folded, archived} {
		for id := range moved {
			in[id] = true // a light sleep may merge memories that it did not rank
		}
	}
	b, seen := Balance{Derived: r.Derived}, map[graph.ID]bool{}
	run.svc.Index.Docs(run.t.Scope, func(d *index.Doc) bool {
		s := d.History[len(d.History)-1]
		if in[d.ID] {
			seen[d.ID] = true
			switch {
			case s.Status == graph.Active:
				b.Kept++
			case (s.Status == graph.Consolidated || s.Status == graph.Superseded) && folded[d.ID]: // SUPERSEDED: a pattern with a new version
				b.Merged++
			case s.Status == graph.Archived && archived[d.ID]:
				b.Archived++
			}
		}
		return true
	})
	health := run.health()
	r.HealthAfter = &health
	b.In = len(in)
	b.Left = b.In - b.Kept - b.Merged - b.Archived
	if r.Kind == ByHandSleep { // its plan does not list the memories that it did not choose
		b.Kept += r.Balance.In - b.In
		b.In = r.Balance.In
	}
	r.Balance = b
	lost, err := run.countLost(ctx, in, seen)
	if err != nil {
		return err
	}
	if made := r.Deduplicated + r.Consolidated; lost > 0 || len(folded) != made || len(archived) != r.Pruned {
		run.svc.Log.Error("[SLEEP] the balance of the report does not add up", "report", r.ID, "in", b.In, "kept", b.Kept, "lost", lost, "folded", len(folded), "merged", made, "archived", len(archived), "pruned", r.Pruned)
		r.Complete = false
	}
	return nil
}

// mergedAndArchived returns the memories that the cycle merged and those that it archived, read from its undo notes.
func (run *sleepRun) mergedAndArchived(ctx context.Context) (folded, archived map[graph.ID]bool, err error) {
	folded, archived = map[graph.ID]bool{}, map[graph.ID]bool{}
	for number := range run.checkpoint.UndoNotes {
		var u *undoRecord
		err := run.t.View(ctx, func(r graph.Reader) (err error) {
			u, err = readUndo(r, run.checkpoint.At, run.checkpoint.ID, number)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		for _, p := range u.Memories {
			if p.Before != nil && isFolded(*p.Before, *p.After) {
				folded[p.ID] = true
			}
		}
		markArchived(u.Steps, archived)
	}
	return folded, archived, nil
}

// isFolded reports whether a sleep merged a memory into another, or replaced it by a later version.
func isFolded(before, after graph.State) bool {
	return before.Status == graph.Active && (after.Status == graph.Consolidated || after.Status == graph.Superseded)
}

// markArchived adds the memories that steps archived.
func markArchived(steps []Step, archived map[graph.ID]bool) {
	for _, s := range steps {
		for _, id := range s.From {
			if s.ends() {
				archived[id] = true
			}
		}
	}
}

// countLost counts the memories that are missing although no erasure removed them.
func (run *sleepRun) countLost(ctx context.Context, in, seen map[graph.ID]bool) (lost int, err error) {
	var missing []graph.ID
	for id := range in {
		if !seen[id] {
			missing = append(missing, id)
		}
	}
	err = run.t.View(ctx, func(r graph.Reader) error {
		found, err := r.Memories(missing)
		lost = 0
		for _, m := range found {
			if m == nil || m.Status() != graph.Forgotten {
				lost++
			}
		}
		return err
	})
	return lost, err
}

// health returns H over all ACTIVE memories: the mean of importance.Health, or 1 if there are none.
func (run *sleepRun) health() float64 {
	all, sum := run.activeMemories(), 0.0
	for _, c := range all {
		sum += importance.Health(c.Confidence, c.retention)
	}
	if len(all) == 0 {
		return 1
	}
	return sum / float64(len(all))
}
