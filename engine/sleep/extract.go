package sleep

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// ExtractPattern draws patterns from one cluster, as a sleep does at night, and returns the ids of
// those that it stored or found again, and the candidates that it refused. It is a consolidation by
// hand with a report, and can be rolled back like a sleep. Errors: MEMORY_NOT_FOUND for an unknown
// cluster, SLEEP_RUNNING during a sleep, FORBIDDEN if the caller sees only a part of the tenant.
func (svc *Service) ExtractPattern(ctx context.Context, c workspace.Caller, cluster graph.ID) (made []graph.ID, refused []pattern.Refused, err error) {
	t, err := svc.openWhole(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, nil, err
	}
	all, err := svc.SettledClusters(ctx, t.Tenant)
	if err != nil {
		return nil, nil, svc.PublicError(err)
	}
	if !slices.ContainsFunc(all, func(x Cluster) bool { return x.ID == cluster }) {
		return nil, nil, graph.FieldError(graph.CodeMemoryNotFound, "cluster", "no cluster has this id")
	}
	run, err := svc.start(ctx, t, &checkpoint{Cluster: cluster, Report: Report{Kind: ByHandSleep, Trigger: TriggerHand, BudgetKept: true}})
	if err != nil {
		return nil, nil, svc.PublicError(err)
	}
	if _, err := svc.wait(ctx, run); err != nil {
		return nil, nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, nil, err
	}
	made = slices.Clone(run.repeated)
	err = t.View(ctx, func(r graph.Reader) error {
		made = made[:len(run.repeated)]
		for number := range run.checkpoint.UndoNotes {
			u, err := readUndo(r, run.checkpoint.At, run.checkpoint.ID, number)
			if err != nil {
				return err
			}
			for _, s := range u.Steps {
				if s.Verb == StepPattern {
					made = append(made, s.To)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, svc.PublicError(err)
	}
	slices.Sort(made)
	return made, run.refused, nil
}

// PatternEvidence returns an ACTIVE pattern and today's memories in the clusters of its owner, for
// package pattern. What the caller sees does not matter: the result belongs to the pattern.
func (svc *Service) PatternEvidence(ctx context.Context, wt *workspace.Tenant, id graph.ID) (known pattern.Known, sources []pattern.Source, err error) {
	whole := wt.Whole()
	all, err := svc.SettledClusters(ctx, whole)
	if err != nil {
		return known, nil, err
	}
	err = whole.View(ctx, func(r graph.Reader) error {
		m, err := r.Memory(id)
		if err != nil {
			return err
		}
		if m.Pattern == nil {
			return graph.FieldError(graph.CodeInvalidRequest, "id", "is no pattern")
		}
		owner := workspace.Circle{Namespace: m.Namespace, User: m.User}
		mine := slices.DeleteFunc(slices.Clone(all), func(c Cluster) bool { return c.Namespace != owner.Namespace || c.User != owner.User })
		e, err := svc.evidenceOf(r, whole.Scope, owner, mine)
		if err != nil {
			return err
		}
		known, sources = KnownPattern(m), e.sources
		return nil
	})
	return known, sources, err
}
