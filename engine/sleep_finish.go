package engine

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// undoFor is how long a sleep can be taken back.
const undoFor = 7 * 24 * time.Hour

// finish counts, writes the morning report, and wakes.
func (n *night) finish(ctx context.Context) error {
	n.tell(PhaseReport, 0, 1, nil)
	if n.e.recess != nil && n.c.Report.Kind == DeepSleep {
		if err := n.e.recess.Seal(ctx, n.t.scope); err != nil {
			// What was engraved is durable in the journal; it is sealed tomorrow.
			n.e.log.Error("[ENGRAM] the recess was not sealed", "error", err)
		}
	}
	if err := n.caughtUp(ctx); err != nil {
		return err
	}
	r := n.c.Report.clone()
	r.Complete = !n.c.Spare && len(r.Skipped) == 0
	r.BudgetKept = (n.c.MaxItems == 0 || n.c.Items <= n.c.MaxItems) && (n.c.MaxTime == 0 || n.spent() <= n.c.MaxTime)
	r.CompletedAt = n.t.Now()
	if r.InL1 > 0 {
		days := 1.0
		if !n.c.Before.IsZero() {
			days = max(1, n.c.At.Sub(n.c.Before).Hours()/24)
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
	plans := n.c.Plans
	err = n.t.Update(ctx, func(tx graph.Tx) error {
		if err := n.c.held(tx); err != nil {
			return err
		}
		var before last
		if _, err := readSetting(tx, lastSetting, &before); err != nil {
			return err
		}
		before.ID, before.At, before.Rest = n.c.ID, n.c.At, left
		if r.Kind == DeepSleep {
			before.Night, before.Dreamt = n.c.At, n.c.Dreamt
			if n.c.letsGo() && !n.cutIn(PhaseN2) {
				before.LetGo = n.c.At
			}
			if r.Complete {
				before.Deep, before.Dreamt = n.c.At, nil
				if err := tx.PutSetting(againSetting, nil); err != nil {
					return err
				}
			}
		}
		done := *n.c
		done.Report = r
		if err := putReport(tx, &done); err != nil {
			return err
		}
		if r.Kind != ByHandSleep {
			if err := putSetting(tx, lastSetting, before); err != nil {
				return err
			}
		}
		return tx.PutSetting(cycleSetting, nil)
	})
	if err != nil {
		return err
	}
	n.c.Report = r
	n.t.asked.clear()
	n.tell(PhaseReport, 1, 1, nil)
	if n.e.exclusive() {
		n.t.sleep.reports.say(r, false)
	}
	n.e.log.Info("[SLEEP] done", "report", r.ID, "kind", r.Kind, "in", r.Balance.In, "archived", r.Balance.Archived, "merged", r.Balance.Merged, "derived", r.Balance.Derived)
	// What follows only tidies up: without it notes are left that nobody reads.
	var spent []quiet
	for phase, p := range plans {
		if left == nil || left.Quiet == nil || left.Quiet.Cycle != n.c.ID || left.Quiet.Phase != phase {
			spent = append(spent, quiet{Cycle: n.c.ID, At: n.c.At, Phase: phase, Plan: p})
		}
	}
	if n.c.Quiet != nil && r.Kind == DeepSleep {
		spent = append(spent, *n.c.Quiet)
	}
	if err := n.e.tidy(ctx, n.t, n.c.At, spent); err != nil {
		n.e.log.Warn("[SLEEP] notes of the sleep were left behind", "report", r.ID, "error", err)
	}
	if err := n.e.tidyLetters(ctx, n.t); err != nil {
		n.e.log.Warn("[SLEEP] letters that nobody waits for were left", "report", r.ID, "error", err)
	}
	return nil
}

// lastID is behind every other.
const lastID graph.ID = "ffffffff-ffff-7fff-bfff-ffffffffffff"

// cutIn reports whether the budget ran out in a phase.
func (n *night) cutIn(p SleepPhase) bool {
	return n.c.Spare && n.phases[n.c.Phase-1].name == p && n.c.Report.Kind != ByHandSleep
}

// left is what the budget leaves to the next sleep; nil: nothing that the next would not
// find by itself.
func (n *night) left(ctx context.Context) (*rest, error) {
	var r *rest
	at := n.c.Phase - 1
	switch {
	case n.cutIn(PhaseN2):
		r = &rest{Since: n.c.Since}
		upto := graph.ID("")
		if done := n.c.Report.Phases[len(n.c.Report.Phases)-1].Items; done > 0 {
			steps, err := n.steps(ctx, at, done-1)
			if err != nil {
				return nil, err
			}
			if upto = steps[0].IDs[0]; steps[0].Verb != StepStrengthen {
				upto = lastID // all were
				r.Quiet = &quiet{n.c.ID, n.c.At, at, n.c.Plans[at], done}
			}
			r.Strong = []span{{upto, n.c.At}}
		}
		for _, s := range n.c.Strong {
			if s.Upto > upto {
				r.Strong = append(r.Strong, s)
			}
		}
	case n.cutIn(PhaseN3):
		r = &rest{Since: n.c.Since, Strong: []span{{lastID, n.c.At}}}
	}
	if n.c.Quiet != nil && n.c.Report.Kind == LightSleep { // it lets nothing go
		if r == nil {
			r = &rest{Since: n.c.At}
		}
		r.Quiet = n.c.Quiet
	}
	return r, nil
}

// balance accounts for every memory that was ACTIVE when the cycle began, and measures
// the health behind it.
func (n *night) balance(ctx context.Context, r *SleepReport) error {
	folded, archived, err := n.moved(ctx)
	if err != nil {
		return err
	}
	in := map[graph.ID]bool{}
	if len(n.c.Plans) > 0 && n.phases[0].apply == nil {
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
	n.e.index.Docs(n.t.scope, func(d *index.Doc) bool {
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
		n.e.log.Error("[SLEEP] the count does not add up", "report", r.ID, "in", b.In, "kept", b.Kept, "lost", lost, "folded", len(folded), "merged", made, "archived", len(archived), "pruned", r.Pruned)
		r.Complete = false
	}
	return nil
}

// moved are the memories that the cycle folded into others and that it archived, as its
// notes of undoing say.
func (n *night) moved(ctx context.Context) (folded, archived map[graph.ID]bool, err error) {
	folded, archived = map[graph.ID]bool{}, map[graph.ID]bool{}
	job := taking{Report: n.c.ID, At: n.c.At}
	for number := range n.c.Undo {
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
func (n *night) lost(ctx context.Context, in, seen map[graph.ID]bool) (lost int, err error) {
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
func (e *Engine) tidy(ctx context.Context, t *tenant, at time.Time, plans []quiet) error {
	for _, p := range plans {
		err := t.Update(ctx, func(tx graph.Tx) error {
			for chunk := range p.Plan.Chunks {
				id, err := (&cycle{ID: p.Cycle, At: p.At}).planNote(p.Phase, chunk)
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
			if old, err = tx.Notes(graph.NoteUndo, "", false, maxBatch); err != nil {
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
		if err != nil || len(old) < maxBatch {
			return err
		}
	}
}
