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
	if err := n.e.current(ctx, n.t); err != nil {
		return err
	}
	r := n.c.Report.clone()
	r.Complete = !n.c.Spare && len(r.Skipped) == 0
	r.BudgetKept = (n.c.MaxItems == 0 || n.c.Items <= n.c.MaxItems) && (n.c.MaxTime == 0 || n.spent() <= n.c.MaxTime)
	r.CompletedAt = n.e.now(n.t)
	if r.InL1 > 0 {
		days := 1.0
		if !n.c.Since.IsZero() {
			days = max(1, n.c.At.Sub(n.c.Since).Hours()/24)
		}
		r.PromotionRate = float64(r.Promoted) / float64(r.InL1) / days
	}
	if err := n.balance(ctx, &r); err != nil {
		return err
	}
	plans := n.c.Plans
	err := n.e.update(ctx, n.t, func(tx graph.Tx) error {
		if err := n.c.held(tx); err != nil {
			return err
		}
		var before last
		if _, err := readSetting(tx, lastSetting, &before); err != nil {
			return err
		}
		before.ID, before.At = n.c.ID, n.c.At
		if r.Kind == DeepSleep && r.Complete {
			before.Deep = n.c.At
			if err := tx.PutSetting(againSetting, nil); err != nil {
				return err
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
	n.t.sleep.reports.say(r, false)
	n.e.log.Info("[SLEEP] done", "report", r.ID, "kind", r.Kind, "in", r.Balance.In, "archived", r.Balance.Archived, "merged", r.Balance.Merged, "derived", r.Balance.Derived)
	// What follows only tidies up: a crash here leaves notes that nobody reads.
	return n.e.tidy(ctx, n.t, n.c, plans)
}

// balance accounts for every memory that was ACTIVE when the cycle began, and measures
// the health behind it.
func (n *night) balance(ctx context.Context, r *SleepReport) error {
	rank := map[graph.ID]StepVerb{}
	if len(n.c.Plans) > 0 && n.phases[0].apply == nil {
		var err error
		if rank, err = n.ranking(ctx); err != nil {
			return err
		}
	}
	b := Balance{In: r.Balance.In}
	n.e.index.Docs(n.t.scope, func(d *index.Doc) bool {
		s := d.History[len(d.History)-1]
		if _, in := rank[d.ID]; in {
			switch s.Status {
			case graph.Active:
				b.Kept++
			case graph.Consolidated:
				b.Merged++
			case graph.Archived:
				b.Archived++
			}
		}
		return true
	})
	b.Derived = r.Derived
	b.Left = b.In - b.Kept - b.Merged - b.Archived
	health := n.health()
	r.Balance, r.HealthAfter = b, &health
	if made := r.Deduplicated + r.Consolidated; len(rank) > 0 && (b.Left < 0 || b.Merged != made || b.Archived != r.Pruned) {
		n.e.log.Error("[SLEEP] the count does not add up", "report", r.ID, "in", b.In, "kept", b.Kept, "merged", b.Merged, "of", made, "archived", b.Archived, "by the sleep", r.Pruned)
		r.Complete = false
	}
	return nil
}

// tidy removes the plans of a cycle, and what sleeps of more than 7 days ago would have
// been taken back with.
func (e *Engine) tidy(ctx context.Context, t *tenant, c *cycle, plans []plan) error {
	for phase, p := range plans {
		err := e.update(ctx, t, func(tx graph.Tx) error {
			for chunk := range p.Chunks {
				id, err := c.planNote(phase, chunk)
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
		err := e.update(ctx, t, func(tx graph.Tx) (err error) {
			if old, err = tx.Notes(graph.NoteUndo, "", false, maxBatch); err != nil {
				return err
			}
			for i, note := range old {
				if c.At.Sub(note.At) <= undoFor {
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
