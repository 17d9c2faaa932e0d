package sleep

import (
	"context"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/graph"
)

// dropsPerStep is the number of relations that one step drops.
const dropsPerStep = 64

// planSparsify lists the relations to drop, so that no entity has more than
// [network.MaxRelations].
func planSparsify(ctx context.Context, run *sleepRun) ([]plannedStep, error) {
	var all []*graph.Relation
	err := run.view(ctx, func(r graph.Reader) error {
		all = nil
		for e, err := range graph.AllEntities(r) {
			if err != nil {
				return err
			}
			for x, err := range graph.AllRelations(r, e.ID) {
				if err != nil {
					return err
				}
				all = append(all, x)
			}
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	drop, err := network.Sparsify(all, run.checkpoint.At, network.MaxRelations)
	if err != nil {
		return nil, err
	}
	var steps []plannedStep
	for part := range slices.Chunk(drop, dropsPerStep) {
		s := plannedStep{Verb: StepSparsify}
		for _, r := range part {
			s.IDs = append(s.IDs, r.ID)
		}
		steps = append(steps, s)
	}
	return steps, nil
}

func applySparsify(b *batch, s plannedStep, _ any) error {
	var dropped []graph.ID
	for _, id := range s.IDs {
		r, err := b.RelationByID(id)
		if errors.Is(err, graph.ErrNotFound) {
			continue // deleted in the meantime, by an erasure or to make room
		}
		if err != nil {
			return err
		}
		if err := b.DeleteRelation(r.Source, r.Predicate, r.Target); err != nil {
			return err
		}
		dropped = append(dropped, id)
	}
	if len(dropped) == 0 {
		return nil
	}
	b.report.Sparsified += len(dropped)
	b.did(StepSparsify, "", dropped...)
	return nil
}
