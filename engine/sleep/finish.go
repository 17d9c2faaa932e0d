package sleep

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// finish computes the totals, writes the morning report and ends the cycle.
func (run *sleepRun) finish(ctx context.Context) error {
	run.publishProgress(PhaseReport, 0, 1, nil)
	if run.svc.Recess != nil && run.checkpoint.Report.Kind == DeepSleep {
		if err := run.svc.Recess.Seal(ctx, run.t.Scope); err != nil {
			// Engravings are already durable in the journal. The next deep sleep seals them.
			run.svc.Log.Error("[ENGRAM] the recess was not sealed", "error", err)
		}
	}
	if err := run.waitForIndex(ctx); err != nil {
		return err
	}
	r := run.checkpoint.Report.clone()
	r.Complete = !run.checkpoint.BudgetSpent && len(r.Skipped) == 0
	r.BudgetKept = (run.checkpoint.MaxItems == 0 || run.checkpoint.Items <= run.checkpoint.MaxItems) && (run.checkpoint.MaxTime == 0 || run.timeSpent() <= run.checkpoint.MaxTime)
	if run.checkpoint.BudgetSpent {
		r.CutOff = run.phases[run.checkpoint.Phase-1].name
	}
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
		run.t.reports.Send(r, false)
	}
	run.svc.Log.Info("[SLEEP] done", "report", r.ID, "kind", r.Kind, "in", r.Balance.In, "archived", r.Balance.Archived, "merged", r.Balance.Merged, "derived", r.Balance.Derived, "cutOff", r.CutOff, "clustersLeft", r.ClustersLeft)
	for phase, p := range plans {
		if left == nil || left.Deferred == nil || left.Deferred.Report != run.checkpoint.ID || left.Deferred.Phase != phase {
			run.spent = append(run.spent, deferredArchival{Report: run.checkpoint.ID, At: run.checkpoint.At, Phase: phase, Plan: p})
		}
	}
	if run.checkpoint.Deferred != nil && r.Kind == DeepSleep {
		run.spent = append(run.spent, *run.checkpoint.Deferred)
	}
	return nil
}

// deleteSpent deletes the notes that nothing needs after the end of the sleep. If it fails, unused notes remain.
func (run *sleepRun) deleteSpent(ctx context.Context) {
	if err := run.svc.deleteSpentNotes(ctx, run.t, run.checkpoint.At, run.spent); err != nil {
		run.svc.Log.Warn("[SLEEP] unused notes of the sleep could not be deleted", "report", run.checkpoint.ID, "error", err)
	}
	if err := run.svc.TidyLetters(ctx, run.t.Tenant); err != nil {
		run.svc.Log.Warn("[SLEEP] obsolete dead letters could not be deleted", "report", run.checkpoint.ID, "error", err)
	}
}

// budgetEndedIn reports whether the budget ran out in a phase.
func (run *sleepRun) budgetEndedIn(p Phase) bool {
	return run.checkpoint.BudgetSpent && run.phases[run.checkpoint.Phase-1].name == p && run.checkpoint.Report.Kind != ByHandSleep
}

// newBacklog returns the work that the budget leaves to the next sleep; nil if the next
// sleep finds it anyway.
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
				upto = greatestID // strengthening was completed
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
	if run.checkpoint.Deferred != nil && run.checkpoint.Report.Kind == LightSleep { // a light sleep archives nothing deferred
		if r == nil {
			r = &backlog{Since: run.checkpoint.At}
		}
		r.Deferred = run.checkpoint.Deferred
	}
	return r, nil
}

// deleteSpentNotes deletes plans that are no longer needed, and undo notes older than the
// rollback period of 7 days plus one day.
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
				if at.Sub(note.At) <= rollbackPeriod+24*time.Hour { // a long sleep ends well after its instant
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
