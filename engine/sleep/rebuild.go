package sleep

import (
	"context"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Rebuild is a derived memory to derive again from its remaining sources.
type Rebuild struct {
	old  graph.ID
	step plannedStep
}

// PlanRebuild returns how a sleep would derive x again from the sources that are not
// withdrawn. The result is empty if fewer than two sources remain.
func PlanRebuild(r graph.Reader, x *graph.Memory, withdrawn func(*graph.Memory) bool) ([]Rebuild, error) {
	if x.SourceKind != graph.FromConsolidation || x.Pattern != nil && len(x.Meta) == 0 {
		return nil, nil // the next sleep draws a pattern from the clusters again, and not from steps that repeat
	}
	edges, err := r.Edges(x.ID, graph.Out, graph.DerivedFrom)
	if err != nil {
		return nil, err
	}
	s := plannedStep{Verb: StepDistil}
	for _, edge := range edges {
		m, err := r.Memory(edge.To)
		if err != nil {
			return nil, err
		}
		if m.Status() != graph.Forgotten && !withdrawn(m) {
			s.IDs = append(s.IDs, m.ID)
		}
	}
	if len(s.IDs) < 2 {
		return nil, nil
	}
	switch month, is, err := lifecycle.PageMonth(x); {
	case err != nil:
		return nil, err
	case is:
		s.Verb, s.Key = StepSummarise, month.Format("2006-01")
	case x.Type == graph.Procedural:
		s.Verb = StepPattern
	case foldOf(x) != nil:
		s.Key = foldKey
	}
	return []Rebuild{{x.ID, s}}, nil
}

// Rebuild derives a memory again, as a sleep would, and returns the steps. There are none
// if the memory can't be derived, for example because too few sources remain.
func (svc *Service) Rebuild(ctx context.Context, wt *workspace.Tenant, again Rebuild, why string) ([]Step, error) {
	t := svc.tenants.Of(wt)
	at := t.Now()
	id, err := graph.DerivedID(at, "rebuilt", string(again.old))
	if err != nil {
		return nil, err
	}
	// These are steps of a sleep outside one: a night of one phase without rollback.
	run := &sleepRun{svc: svc, t: t, checkpoint: &checkpoint{ID: id, At: at}, phases: []phaseSpec{remPhase(remParts)}}
	ready, err := run.phases[0].prepare(ctx, run, again.step)
	if err != nil {
		return nil, err
	}
	d := ready.(derivation)
	if d.memory == nil {
		return nil, nil
	}
	d.memory.ID, d.memory.Chain, d.memory.Reason = id, id, why
	var did []Step
	carryOut := func(part func(b *batch, s plannedStep, ready any) error) error {
		return svc.serial.RunExclusive(ctx, t.Tenant, func(ctx context.Context) error {
			return t.Update(ctx, func(tx graph.Tx) error {
				b := &batch{recorder: newRecorder(tx), svc: svc, run: run, now: t.Now(), report: &Report{}}
				if err := part(b, again.step, d); err != nil {
					return err
				}
				did = b.undo.Steps
				return nil
			})
		})
	}
	if p := run.phases[0]; p.announces(again.step) {
		if err := carryOut(p.announce); err != nil {
			return nil, err
		}
		if err := run.waitForIndex(ctx); err != nil {
			return nil, err
		}
	}
	err = carryOut(run.phases[0].apply)
	if err == nil && d.vector == nil && len(did) > 0 {
		t.WakePending()
	}
	return did, err
}
