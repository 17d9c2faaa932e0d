package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/kin"
)

// Bounds of what hangs on a node.
const (
	maxNested  = 200
	maxErasure = graph.MaxPage
)

func (r ofMemory) Entities(ctx context.Context, obj *gql.Memory, first *int) ([]*gql.Entity, error) {
	n, err := count("first", first, 50, graph.MaxEntities)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.Entities(ctx, n)
	if err != nil {
		return nil, err
	}
	out := make([]*gql.Entity, len(found))
	for i, v := range found {
		out[i] = entity(v)
	}
	return out, nil
}

func (r ofMemory) Supersedes(ctx context.Context, obj *gql.Memory) (*gql.Memory, error) {
	return pointed(obj.Self.Supersedes(ctx))
}

func (r ofMemory) SupersededBy(ctx context.Context, obj *gql.Memory) (*gql.Memory, error) {
	return pointed(obj.Self.SupersededBy(ctx))
}

func (r ofMemory) ConsolidatedInto(ctx context.Context, obj *gql.Memory) (*gql.Memory, error) {
	return pointed(obj.Self.ConsolidatedInto(ctx))
}

func pointed(m kin.Member, err error) (*gql.Memory, error) { return memory(m), err }

func (r ofMemory) DerivedFrom(ctx context.Context, obj *gql.Memory, first *int) ([]*gql.Memory, error) {
	n, err := count("first", first, 50, maxNested)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.DerivedFrom(ctx, n)
	if err != nil {
		return nil, err
	}
	return memories(found), nil
}

func (r ofMemory) Score(ctx context.Context, obj *gql.Memory) (float64, error) {
	s, err := obj.Self.Standing(ctx)
	return s.Score, err
}

func (r ofMemory) PromotesAt(ctx context.Context, obj *gql.Memory) (*float64, error) {
	s, err := obj.Self.Standing(ctx)
	return s.PromotesAt, err
}

func (r ofMemory) EngraveGates(ctx context.Context, obj *gql.Memory) (*gql.EngraveGates, error) {
	s, err := obj.Self.Standing(ctx)
	if err != nil || s.Gates == nil {
		return nil, err
	}
	g := s.Gates
	return &gql.EngraveGates{
		Days: g.Days, NeededDays: g.NeededDays, Confidence: g.Confidence, NeededConfidence: g.NeededConfidence,
		Conflict: g.Conflict, MaxConflict: g.MaxConflict, Open: g.Open,
	}, nil
}

func (r ofRelation) Source(ctx context.Context, obj *gql.Relation) (*gql.Entity, error) {
	v, err := obj.Self.Entity(ctx, obj.Self.View.Source)
	return entity(v), err
}

func (r ofRelation) Target(ctx context.Context, obj *gql.Relation) (*gql.Entity, error) {
	v, err := obj.Self.Entity(ctx, obj.Self.View.Target)
	return entity(v), err
}

func (r ofRelation) Memories(ctx context.Context, obj *gql.Relation, first *int) ([]*gql.Memory, error) {
	n, err := count("first", first, 50, maxNested)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.Memories(ctx, n)
	if err != nil {
		return nil, err
	}
	return memories(found), nil
}

func (r rememberPayload) ConflictsWith(_ context.Context, obj *gql.RememberPayload, first *int) ([]string, error) {
	return firstOf(obj.Conflicts, first)
}

func (r supersedePayload) ConflictsWith(_ context.Context, obj *gql.SupersedePayload, first *int) ([]string, error) {
	return firstOf(obj.Conflicts, first)
}

func firstOf(ids []string, first *int) ([]string, error) {
	n, err := count("first", first, 20, maxNested)
	if err != nil {
		return nil, err
	}
	return ids[:min(n, len(ids))], nil
}

// Ids is empty for a dry run, whose receipt is not stored.
func (r ofReceipt) Ids(ctx context.Context, obj *gql.DeletionReceipt, first *int, after *string) ([]string, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := count("first", first, maxErasure, maxErasure)
	if err != nil {
		return nil, err
	}
	behind := graph.ID(or(after, ""))
	if behind != "" && !behind.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	if obj.ID == "" {
		return []string{}, nil
	}
	ids, err := r.verbs.ReceiptIDs(ctx, c, graph.ID(obj.ID), behind, n)
	if err != nil {
		return nil, err
	}
	return idStrings(ids), nil
}
