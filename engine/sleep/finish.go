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
const undoFor = 7 * 24 * time.Hour

// finish counts, writes the morning report, and wakes.
func (n *run) finish(ctx context.Context) error {
	n.tell(PhaseReport, 0, 1, nil)
	if n.svc.Recess != nil && n.checkpoint.Report.Kind == DeepSleep {
		if err := n.svc.Recess.Seal(ctx, n.t.Scope); err != nil {
			// What was engraved is durable in the journal; it is sealed tomorrow.
			n.svc.Log.Error("[ENGRAM] the recess was not sealed", "error", err)
		}
	}
	if err := n.caughtUp(ctx); err != nil {
		return err
	}
	r := n.checkpoint.Report.clone()
	r.Complete = !n.checkpoint.Spare && len(r.Skipped) == 0
	r.BudgetKept = (n.checkpoint.MaxItems == 0 || n.checkpoint.Items <= n.checkpoint.MaxItems) && (n.checkpoint.MaxTime == 0 || n.spent() <= n.checkpoint.MaxTime)
	r.CompletedAt = n.t.Now()
	if r.InL1 > 0 {
		days := 1.0
		if !n.checkpoint.Before.IsZero() {
			days = max(1, n.checkpoint.At.Sub(n.checkpoint.Before).Hours()/24)
		}
		r.PromotionRate = float64(r.Promoted) / float64(r.InL1) / days
	}
	if err := n.balance(ctx, &r); err != nil {
		return err
	}
	left, err := n.left(ctx)
	if err != nil {
		return err
	}
	plans := n.checkpoint.Plans
	err = n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.checkpoint.held(tx); err != nil {
			return err
		}
		var before last
		if _, err := lifecycle.ReadSetting(tx, lastSetting, &before); err != nil {
			return err
		}
		before.ID, before.At, before.Rest = n.checkpoint.ID, n.checkpoint.At, left
		if r.Kind == DeepSleep {
			before.Night, before.Dreamt = n.checkpoint.At, n.checkpoint.Dreamt
			if n.checkpoint.archivesToday() && !n.cutIn(PhaseN2) {
				before.LetGo = n.checkpoint.At
			}
			if r.Complete {
				before.Deep, before.Dreamt = n.checkpoint.At, nil
				if err := tx.PutSetting(lifecycle.ReviewSetting, nil); err != nil {
					return err
				}
			}
		}
		done := *n.checkpoint
		done.Report = r
		if err := putReport(tx, &done); err != nil {
			return err
		}
		if r.Kind != ByHandSleep {
			if err := lifecycle.PutSetting(tx, lastSetting, before); err != nil {
				return err
			}
		}
		return tx.PutSetting(cycleSetting, nil)
	})
	if err != nil {
		return err
	}
	n.checkpoint.Report = r
	n.t.RecentTopics.Clear()
	n.tell(PhaseReport, 1, 1, nil)
	if n.svc.Exclusive() {
		n.t.sleep.reports.say(r, false)
	}
	n.svc.Log.Info("[SLEEP] done", "report", r.ID, "kind", r.Kind, "in", r.Balance.In, "archived", r.Balance.Archived, "merged", r.Balance.Merged, "derived", r.Balance.Derived)
	// What follows only tidies up: without it notes are left that nobody reads.
	var spent []quiet
	for phase, p := range plans {
		if left == nil || left.Quiet == nil || left.Quiet.Cycle != n.checkpoint.ID || left.Quiet.Phase != phase {
			spent = append(spent, quiet{Cycle: n.checkpoint.ID, At: n.checkpoint.At, Phase: phase, Plan: p})
		}
	}
	if n.checkpoint.Quiet != nil && r.Kind == DeepSleep {
		spent = append(spent, *n.checkpoint.Quiet)
	}
	if err := n.svc.tidy(ctx, n.t, n.checkpoint.At, spent); err != nil {
		n.svc.Log.Warn("[SLEEP] notes of the sleep were left behind", "report", r.ID, "error", err)
	}
	if err := n.svc.TidyLetters(ctx, n.t.Tenant); err != nil {
		n.svc.Log.Warn("[SLEEP] letters that nobody waits for were left", "report", r.ID, "error", err)
	}
	return nil
}

// lastID is behind every other.
const lastID graph.ID = "ffffffff-ffff-7fff-bfff-ffffffffffff"

// cutIn reports whether the budget ran out in a phase.
func (n *run) cutIn(p SleepPhase) bool {
	return n.checkpoint.Spare && n.phases[n.checkpoint.Phase-1].name == p && n.checkpoint.Report.Kind != ByHandSleep
}

// left is what the budget leaves to the next sleep; nil: nothing that the next would not
// find by itself.
func (n *run) left(ctx context.Context) (*rest, error) {
	var r *rest
	at := n.checkpoint.Phase - 1
	switch {
	case n.cutIn(PhaseN2):
		r = &rest{Since: n.checkpoint.Since}
		upto := graph.ID("")
		if done := n.checkpoint.Report.Phases[len(n.checkpoint.Report.Phases)-1].Items; done > 0 {
			steps, err := n.steps(ctx, at, done-1)
			if err != nil {
				return nil, err
			}
			if upto = steps[0].IDs[0]; steps[0].Verb != StepStrengthen {
				upto = lastID // all were
				r.Quiet = &quiet{n.checkpoint.ID, n.checkpoint.At, at, n.checkpoint.Plans[at], done}
			}
			r.Strong = []span{{upto, n.checkpoint.At}}
		}
		for _, s := range n.checkpoint.Strong {
			if s.Upto > upto {
				r.Strong = append(r.Strong, s)
			}
		}
	case n.cutIn(PhaseN3):
		r = &rest{Since: n.checkpoint.Since, Strong: []span{{lastID, n.checkpoint.At}}}
	}
	if n.checkpoint.Quiet != nil && n.checkpoint.Report.Kind == LightSleep { // it lets nothing go
		if r == nil {
			r = &rest{Since: n.checkpoint.At}
		}
		r.Quiet = n.checkpoint.Quiet
	}
	return r, nil
}

// balance accounts for every memory that was ACTIVE when the cycle began, and measures
// the health behind it.
func (n *run) balance(ctx context.Context, r *SleepReport) error {
	folded, archived, err := n.moved(ctx)
	if err != nil {
		return err
	}
	in := map[graph.ID]bool{}
	if len(n.checkpoint.Plans) > 0 && n.phases[0].apply == nil {
		rank, err := n.ranking(ctx)
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
	n.svc.Index.Docs(n.t.Scope, func(d *index.Doc) bool {
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
	health := n.health()
	r.HealthAfter = &health
	b.In = len(in)
	b.Left = b.In - b.Kept - b.Merged - b.Archived
	if r.Kind == ByHandSleep { // it did not list whom it passed over
		b.Kept += r.Balance.In - b.In
		b.In = r.Balance.In
	}
	r.Balance = b
	lost, err := n.lost(ctx, in, seen)
	if err != nil {
		return err
	}
	if made := r.Deduplicated + r.Consolidated; lost > 0 || len(folded) != made || len(archived) != r.Pruned {
		n.svc.Log.Error("[SLEEP] the count does not add up", "report", r.ID, "in", b.In, "kept", b.Kept, "lost", lost, "folded", len(folded), "merged", made, "archived", len(archived), "pruned", r.Pruned)
		r.Complete = false
	}
	return nil
}

// moved are the memories that the cycle folded into others and that it archived, as its
// notes of undoing say.
func (n *run) moved(ctx context.Context) (folded, archived map[graph.ID]bool, err error) {
	folded, archived = map[graph.ID]bool{}, map[graph.ID]bool{}
	job := taking{Report: n.checkpoint.ID, At: n.checkpoint.At}
	for number := range n.checkpoint.Undo {
		var u *undo
		err := n.t.View(ctx, func(r graph.Reader) (err error) { u, err = readUndo(r, &job, number); return err })
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
func (n *run) lost(ctx context.Context, in, seen map[graph.ID]bool) (lost int, err error) {
	var missing []graph.ID
	for id := range in {
		if !seen[id] {
			missing = append(missing, id)
		}
	}
	err = n.t.View(ctx, func(r graph.Reader) error {
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
func (svc *Service) tidy(ctx context.Context, t *tenant, at time.Time, plans []quiet) error {
	for _, p := range plans {
		err := t.Update(ctx, func(tx graph.Tx) error {
			for chunk := range p.Plan.Chunks {
				id, err := (&checkpoint{ID: p.Cycle, At: p.At}).planNote(p.Phase, chunk)
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
				if at.Sub(note.At) <= undoFor+24*time.Hour { // a long sleep ends well behind its instant
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
