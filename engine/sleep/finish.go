package sleep

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// undoFor is how long a sleep can be taken back.
const rollbackPeriod = 7 * 24 * time.Hour

// finish counts, writes the morning report, and wakes.
func (run *sleepRun) finish(ctx context.Context) error {
	run.publishProgress(PhaseReport, 0, 1, nil)
	if run.svc.Recess != nil && run.checkpoint.Report.Kind == DeepSleep {
		if err := run.svc.Recess.Seal(ctx, run.t.Scope); err != nil {
			// What was engraved is durable in the journal; it is sealed tomorrow.
			run.svc.Log.Error("[ENGRAM] the recess was not sealed", "error", err)
		}
	}
	if err := run.waitForIndex(ctx); err != nil {
		return err
	}
	r := run.checkpoint.Report.clone()
	r.Complete = !run.checkpoint.BudgetSpent && len(r.Skipped) == 0
	r.BudgetKept = (run.checkpoint.MaxItems == 0 || run.checkpoint.Items <= run.checkpoint.MaxItems) && (run.checkpoint.MaxTime == 0 || run.timeSpent() <= run.checkpoint.MaxTime)
	r.CompletedAt = run.t.Now()
	if r.InL1 > 0 {
		days := 1.0
		if !run.checkpoint.PreviousAt.IsZero() {
			days = max(1, run.checkpoint.At.Sub(run.checkpoint.PreviousAt).Hours()/24)
		}
		r.PromotionRate = float64(r.Promoted) / float64(r.InL1) / days
	}
	if err := run.balance(ctx, &r); err != nil {
		return err
	}
	left, err := run.newBacklog(ctx)
	if err != nil {
		return err
	}
	plans := run.checkpoint.Plans
	err = run.t.Update(ctx, func(tx graph.Tx) error {
		if err := run.checkpoint.checkLease(tx); err != nil {
			return err
		}
		var previous lastSleep
		if _, err := lifecycle.ReadSetting(tx, lastSleepSetting, &previous); err != nil {
			return err
		}
		previous.ID, previous.At, previous.Backlog = run.checkpoint.ID, run.checkpoint.At, left
		if r.Kind == DeepSleep {
			previous.DeepAt, previous.Dreamed = run.checkpoint.At, run.checkpoint.Dreamed
			if run.checkpoint.archivalDue() && !run.budgetEndedIn(PhaseN2) {
				previous.ArchivedAt = run.checkpoint.At
			}
			if r.Complete {
				previous.CompleteDeepAt, previous.Dreamed = run.checkpoint.At, nil
				if err := tx.PutSetting(lifecycle.ReviewSetting, nil); err != nil {
					return err
				}
			}
		}
		done := *run.checkpoint
		done.Report = r
		if err := putReport(tx, &done); err != nil {
			return err
		}
		if r.Kind != ByHandSleep {
			if err := lifecycle.PutSetting(tx, lastSleepSetting, previous); err != nil {
				return err
			}
		}
		return tx.PutSetting(checkpointSetting, nil)
	})
	if err != nil {
		return err
	}
	run.checkpoint.Report = r
	run.t.RecentTopics.Clear()
	run.publishProgress(PhaseReport, 1, 1, nil)
	if run.svc.Exclusive() {
		run.t.sleep.reports.send(r, false)
	}
	run.svc.Log.Info("[SLEEP] done", "report", r.ID, "kind", r.Kind, "in", r.Balance.In, "archived", r.Balance.Archived, "merged", r.Balance.Merged, "derived", r.Balance.Derived)
	// What follows only tidies up: without it notes are left that nobody reads.
	var spent []deferredArchival
	for phase, p := range plans {
		if left == nil || left.Deferred == nil || left.Deferred.Report != run.checkpoint.ID || left.Deferred.Phase != phase {
			spent = append(spent, deferredArchival{Report: run.checkpoint.ID, At: run.checkpoint.At, Phase: phase, Plan: p})
		}
	}
	if run.checkpoint.Deferred != nil && r.Kind == DeepSleep {
		spent = append(spent, *run.checkpoint.Deferred)
	}
	if err := run.svc.deleteSpentNotes(ctx, run.t, run.checkpoint.At, spent); err != nil {
		run.svc.Log.Warn("[SLEEP] notes of the sleep were left behind", "report", r.ID, "error", err)
	}
	if err := run.svc.TidyLetters(ctx, run.t.Tenant); err != nil {
		run.svc.Log.Warn("[SLEEP] letters that nobody waits for were left", "report", r.ID, "error", err)
	}
	return nil
}

// lastID is behind every other.
const greatestID graph.ID = "ffffffff-ffff-7fff-bfff-ffffffffffff"

// cutIn reports whether the budget ran out in a phase.
func (run *sleepRun) budgetEndedIn(p Phase) bool {
	return run.checkpoint.BudgetSpent && run.phases[run.checkpoint.Phase-1].name == p && run.checkpoint.Report.Kind != ByHandSleep
}

// left is what the budget leaves to the next sleep; nil: nothing that the next would not
// find by itself.
func (run *sleepRun) newBacklog(ctx context.Context) (*backlog, error) {
	var r *backlog
	at := run.checkpoint.Phase - 1
	switch {
	case run.budgetEndedIn(PhaseN2):
		r = &backlog{Since: run.checkpoint.Since}
		upto := graph.ID("")
		if done := run.checkpoint.Report.Phases[len(run.checkpoint.Report.Phases)-1].Items; done > 0 {
			steps, err := run.stepsFrom(ctx, at, done-1)
			if err != nil {
				return nil, err
			}
			if upto = steps[0].IDs[0]; steps[0].Verb != StepStrengthen {
				upto = greatestID // all were
				r.Deferred = &deferredArchival{run.checkpoint.ID, run.checkpoint.At, at, run.checkpoint.Plans[at], done}
			}
			r.Strengthened = []strengthenedRange{{upto, run.checkpoint.At}}
		}
		for _, s := range run.checkpoint.Strengthened {
			if s.UpTo > upto {
				r.Strengthened = append(r.Strengthened, s)
			}
		}
	case run.budgetEndedIn(PhaseN3):
		r = &backlog{Since: run.checkpoint.Since, Strengthened: []strengthenedRange{{greatestID, run.checkpoint.At}}}
	}
	if run.checkpoint.Deferred != nil && run.checkpoint.Report.Kind == LightSleep { // it lets nothing go
		if r == nil {
			r = &backlog{Since: run.checkpoint.At}
		}
		r.Deferred = run.checkpoint.Deferred
	}
	return r, nil
}

// balance accounts for every memory that was ACTIVE when the cycle began, and measures
// the health behind it.
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
			in[id] = true // a light sleep may fold what it did not rank
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
			case s.Status == graph.Consolidated && folded[d.ID]:
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
	if r.Kind == ByHandSleep { // it did not list whom it passed over
		b.Kept += r.Balance.In - b.In
		b.In = r.Balance.In
	}
	r.Balance = b
	lost, err := run.countLost(ctx, in, seen)
	if err != nil {
		return err
	}
	if made := r.Deduplicated + r.Consolidated; lost > 0 || len(folded) != made || len(archived) != r.Pruned {
		run.svc.Log.Error("[SLEEP] the count does not add up", "report", r.ID, "in", b.In, "kept", b.Kept, "lost", lost, "folded", len(folded), "merged", made, "archived", len(archived), "pruned", r.Pruned)
		r.Complete = false
	}
	return nil
}

// moved are the memories that the cycle folded into others and that it archived, as its
// notes of undoing say.
func (run *sleepRun) mergedAndArchived(ctx context.Context) (folded, archived map[graph.ID]bool, err error) {
	folded, archived = map[graph.ID]bool{}, map[graph.ID]bool{}
	job := rollbackJob{Report: run.checkpoint.ID, At: run.checkpoint.At}
	for number := range run.checkpoint.UndoNotes {
		var u *undoRecord
		err := run.t.View(ctx, func(r graph.Reader) (err error) { u, err = readUndo(r, &job, number); return err })
		if err != nil {
			return nil, nil, err
		}
		for _, s := range u.Steps {
			for _, id := range s.From {
				switch s.Verb {
				case StepArchive:
					archived[id] = true
				case StepMerge, StepDistil, StepSummarise, StepPattern:
					folded[id] = true
				}
			}
		}
	}
	return folded, archived, nil
}

// lost counts the memories that are nowhere any more though nobody erased them.
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

// tidy removes plans that nobody reads any more, and what sleeps of more than 7 days ago
// would have been taken back with.
func (svc *Service) deleteSpentNotes(ctx context.Context, t *tenant, at time.Time, plans []deferredArchival) error {
	for _, p := range plans {
		err := t.Update(ctx, func(tx graph.Tx) error {
			for chunk := range p.Plan.Chunks {
				id, err := (&checkpoint{ID: p.Report, At: p.At}).planNoteID(p.Phase, chunk)
				if err != nil {
					return err
				}
				if err := tx.DeleteNote(graph.NotePlan, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for {
		var old []*graph.Note
		err := t.Update(ctx, func(tx graph.Tx) (err error) {
			if old, err = tx.Notes(graph.NoteUndo, "", false, workspace.MaxBatch); err != nil {
				return err
			}
			for i, note := range old {
				if at.Sub(note.At) <= rollbackPeriod+24*time.Hour { // a long sleep ends well behind its instant
					old = old[:i]
					break
				}
				if err := tx.DeleteNote(note.Kind, note.ID); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(old) < workspace.MaxBatch {
			return err
		}
	}
}
