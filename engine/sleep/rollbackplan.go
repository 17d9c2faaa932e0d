package sleep

import (
	"bytes"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/rehearsal"
	"github.com/somnograph/somnograph/graph"
)

// rollbackPlan is what a rollback will do, checked before the first write.
type rollbackPlan struct {
	svc       *Service
	t         *tenant
	in        RollbackInput
	jobs      []*rollbackJob // newest first
	restored  int
	withdrawn int
	before    Figures
	after     Figures // of a dry run
}

// read chooses the sleeps, checks that they can be rolled back, and computes the figures.
func (p *rollbackPlan) read(r graph.Reader) error {
	p.jobs, p.restored, p.withdrawn = nil, 0, 0
	if err := p.checkNamespace(r); err != nil {
		return err
	}
	chosen, err := p.choose(r)
	if err != nil {
		return err
	}
	for _, stored := range chosen {
		job, err := p.check(r, stored, chosen)
		if err != nil {
			return err
		}
		if job != nil {
			p.jobs = append(p.jobs, job)
		}
	}
	p.before = p.svc.figures(p.t, p.in.Namespace, nil)
	// Each sleep must have left what the rollback of the later ones restores. What can't be undone
	// is found before the first write: a rollback that has begun must end before the server starts.
	x, restored := rehearsal.New(r), map[graph.ID]bool{}
	for _, job := range p.jobs {
		if err := p.checkUnchanged(x, job, restored); err != nil {
			return err
		}
		for number := job.Next; number >= 0; number-- {
			u, err := job.readUndo(x, number)
			if err != nil {
				return err
			}
			if err := p.svc.revert(x, p.t, job, u); err != nil {
				return err
			}
		}
	}
	p.restored = len(restored)
	if p.in.DryRun {
		p.after = p.svc.figures(p.t, p.in.Namespace, x.Changed())
	}
	return nil
}

// checkNamespace returns an error for a namespace that no memory ever had: a sleep of all namespaces
// would be recorded as rolled back in it.
func (p *rollbackPlan) checkNamespace(r graph.Reader) error {
	if p.in.Namespace == "" {
		return nil
	}
	found, err := r.ListMemories(graph.MemoryQuery{Namespaces: []string{p.in.Namespace}, Limit: 1})
	if err == nil && len(found) == 0 {
		err = graph.FieldError(graph.CodeInvalidRequest, "namespace", "must be a namespace with memories; omit it for all namespaces")
	}
	return err
}

// choose returns the reports of the sleeps to roll back, newest first.
func (p *rollbackPlan) choose(r graph.Reader) (chosen []*storedReport, err error) {
	if p.in.ID != "" {
		note, err := r.Note(graph.NoteSleep, p.in.ID)
		if known, err := graph.Found(err); err != nil {
			return nil, err
		} else if !known {
			return nil, graph.FieldError(graph.CodeMemoryNotFound, "id", "no sleep has this id")
		}
		stored, err := readReport(note)
		return []*storedReport{stored}, err
	}
	for after := graph.ID(""); ; {
		page, err := listReports(r, after, true, graph.MaxPage)
		if err != nil {
			return nil, err
		}
		for _, stored := range page {
			report := stored.Report
			if !report.CompletedAt.IsZero() && !report.CompletedAt.After(p.in.To) {
				return chosen, nil
			}
			if stored.touches(p.in.Namespace) && !stored.revertedIn(p.in.Namespace) && (stored.UndoNotes > 0 || report.CompletedAt.IsZero()) {
				chosen = append(chosen, stored)
			}
			after = report.ID
		}
		if len(page) < graph.MaxPage {
			return chosen, nil
		}
	}
}

// check checks that a sleep can be rolled back now, if those of chosen are too. The job is nil if
// there is nothing to undo.
func (p *rollbackPlan) check(r graph.Reader, stored *storedReport, chosen []*storedReport) (*rollbackJob, error) {
	conflict := func(format string, args ...any) error {
		return graph.FieldError(graph.CodeVersionConflict, p.field(), format, args...)
	}
	report := stored.Report
	switch {
	case report.CompletedAt.IsZero():
		return nil, graph.FieldError(graph.CodeSleepRunning, p.field(), "has not ended yet")
	case !stored.touches(p.in.Namespace):
		return nil, graph.FieldError(graph.CodeInvalidRequest, "namespace", "is not the one of this consolidation")
	case stored.revertedIn(p.in.Namespace):
		return nil, conflict("was rolled back already")
	case p.svc.Now().Sub(report.CompletedAt) > rollbackPeriod:
		return nil, conflict("ended more than 7 days ago")
	}
	if current, err := readCheckpoint(r); err != nil || current != nil {
		if err != nil {
			return nil, err
		}
		return nil, graph.Errorf(graph.CodeSleepRunning, "a sleep is in progress")
	}
	later, err := listReports(r, report.ID, false, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	for _, other := range later {
		also := slices.ContainsFunc(chosen, func(x *storedReport) bool { return x.Report.ID == other.Report.ID })
		if !also && other.UndoNotes > 0 && stored.overlaps(other) && other.touches(p.in.Namespace) && !other.revertedIn(p.in.Namespace) {
			return nil, conflict("sleep %s is later; roll that one back first", other.Report.ID)
		}
	}
	job := &rollbackJob{Report: report.ID, At: stored.At, Next: stored.UndoNotes - 1, Namespace: p.in.Namespace}
	for _, x := range report.RolledBackIn {
		job.Except = append(job.Except, x.Namespace)
	}
	return job, nil
}

// overlaps reports whether two sleeps may have changed the same memories.
func (r *storedReport) overlaps(other *storedReport) bool {
	return r.Namespace == "" || other.Namespace == "" || r.Namespace == other.Namespace
}

// touches reports whether a sleep may have changed memories of a namespace; empty: of any.
func (r *storedReport) touches(namespace string) bool {
	return namespace == "" || r.Namespace == "" || r.Namespace == namespace
}

// revertedIn reports whether a sleep was rolled back in a namespace; empty: in all.
func (r *storedReport) revertedIn(namespace string) bool {
	return !r.Report.RolledBackAt.IsZero() || slices.ContainsFunc(r.Report.RolledBackIn, func(x NamespaceRollback) bool { return x.Namespace == namespace })
}

// checkUnchanged checks before the first write that nothing else has changed the result of
// a sleep, and notes the memories that will change.
func (p *rollbackPlan) checkUnchanged(r graph.Reader, job *rollbackJob, restored map[graph.ID]bool) error {
	checked := map[graph.ID]bool{}
	for number := job.Next; number >= 0; number-- {
		u, err := job.readUndo(r, number)
		if err != nil {
			return err
		}
		for _, patch := range u.Memories {
			m, err := r.Memory(patch.ID)
			if err != nil {
				return err
			}
			switch {
			case m.Status() == graph.Forgotten:
			case patch.Made:
				delete(restored, patch.ID) // by the rollback of a later sleep
				if m.Status() != graph.Archived {
					p.withdrawn++
				}
			case !patch.Made && patch.Before != nil:
				restored[patch.ID] = true
			}
			if checked[patch.ID] {
				continue // an earlier step of the same sleep; only the last one must match
			}
			checked[patch.ID] = true
			if err := patch.checkUnchanged(m, p.field()); err != nil {
				return err
			}
		}
	}
	return nil
}

// field is the argument that chose the sleeps, for errors.
func (p *rollbackPlan) field() string {
	if p.in.ID != "" {
		return "id"
	}
	return "to"
}

// liveFields are fields that uses and other memories change too. A rollback keeps their
// present value if it differs from the value that the sleep left.
var liveFields = []string{"Salience", "Confidence", "ConfidenceDay", "Conflict", "AnchorAt", "UpdatedAt", "Importance", "EmbeddingModel", "Position"}

// checkUnchanged returns VERSION_CONFLICT if a memory has changed since the sleep.
func (p memoryPatch) checkUnchanged(m *graph.Memory, field string) error {
	if m.Status() == graph.Forgotten {
		return nil
	}
	changed := func(what string) error {
		return graph.FieldError(graph.CodeVersionConflict, field, "the %[2]s of memory %[1]s has changed since", p.ID, what)
	}
	if p.After != nil && !sameState(m.State(), *p.After) && !p.alreadyRestored(m) {
		return changed("state")
	}
	is, err := fieldsOf(m)
	if err != nil {
		return err
	}
	for name, c := range p.Fields {
		if !slices.Contains(liveFields, name) && !bytes.Equal(is[name], c.After) && !bytes.Equal(is[name], c.Before) {
			return changed(name)
		}
	}
	return nil
}

// sameState reports whether two states agree in the fields that a sleep changes.
func sameState(a, b graph.State) bool {
	return a.Status == b.Status && a.Tier == b.Tier && a.ValidTo.Equal(b.ValidTo)
}

// alreadyRestored reports whether a merged memory is already restored, because the memory
// that it was merged into was erased.
func (p memoryPatch) alreadyRestored(m *graph.Memory) bool {
	return p.Before != nil && p.After.Status == graph.Consolidated && sameState(m.State(), *p.Before)
}

// result returns what the rollback did, or would do.
func (p *rollbackPlan) result(ctx context.Context) (*RollbackResult, error) {
	out := &RollbackResult{Restored: p.restored, Withdrawn: p.withdrawn, Before: p.before, After: p.after}
	if !p.in.DryRun {
		if err := p.t.Current(ctx); err != nil {
			return nil, err
		}
		out.After = p.svc.figures(p.t, p.in.Namespace, nil)
	}
	err := p.t.View(ctx, func(r graph.Reader) error {
		out.Reports = nil
		for _, job := range p.jobs {
			note, err := r.Note(graph.NoteSleep, job.Report)
			if err != nil {
				return err
			}
			stored, err := readReport(note)
			if err != nil {
				return err
			}
			out.Reports = append(out.Reports, stored.Report)
		}
		return nil
	})
	if err != nil {
		return nil, p.svc.PublicError(err)
	}
	return out, nil
}
