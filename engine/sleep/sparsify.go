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
	err := run.t.View(ctx, func(r graph.Reader) error {
		all = nil
		for after := graph.ID(""); ; {
			entities, err := r.ListEntities(graph.EntityQuery{After: after, Limit: graph.MaxPage})
			if err != nil {
				return err
			}
			for _, e := range entities {
				out, err := RelationsOf(r, e.ID)
				if err != nil {
					return err
				}
				all = append(all, out...)
			}
			if len(entities) < graph.MaxPage {
				return ctx.Err()
			}
			after = entities[len(entities)-1].ID
		}
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

// RelationsOf returns all relations whose source is an entity.
func RelationsOf(r graph.Reader, entity graph.ID) ([]*graph.Relation, error) {
	var all []*graph.Relation
	for after := graph.ID(""); ; {
		part, err := r.Relations(entity, graph.Out, after, graph.MaxPage)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
		if len(part) < graph.MaxPage {
			return all, nil
		}
		after = part[len(part)-1].ID
	}
}
