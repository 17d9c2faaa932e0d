package resolvers

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

// Maximum sizes of nested lists.
const (
	maxNestedItems = 200
	maxReceiptIDs  = graph.MaxPage
)

// Summary of a folded memory is the text that it was folded into. It is not stored with the memory,
// because it has the words of others, which an erasure must find in one place.
func (r memoryResolver) Summary(ctx context.Context, obj *gql.Memory) (*string, error) {
	v := obj.Self.View
	if v.Unavailable != nil {
		return nil, nil
	}
	if v.Memory.Summary != "" || v.State.Status != graph.Consolidated {
		return nullable[string](v.Memory.Summary), nil
	}
	if !caller(ctx).May(access.MemoryRead) { // it has the words of other memories
		return nil, nil
	}
	into, err := obj.Self.ConsolidatedInto(ctx)
	if err != nil || into.View == nil || into.View.Unavailable != nil || into.View.SourceKind != graph.FromConsolidation {
		return nil, err
	}
	return nullable[string](into.View.Content), nil
}

func (r memoryResolver) Entities(ctx context.Context, obj *gql.Memory, first *int) ([]*gql.Entity, error) {
	n, err := boundedInt("first", first, 50, graph.MaxEntities)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.Entities(ctx, n)
	if err != nil {
		return nil, err
	}
	return convert(found, encodeEntity), nil
}

func (r memoryResolver) Supersedes(ctx context.Context, obj *gql.Memory) (*gql.Memory, error) {
	return linkedMemory(obj.Self.Supersedes(ctx))
}

func (r memoryResolver) SupersededBy(ctx context.Context, obj *gql.Memory) (*gql.Memory, error) {
	return linkedMemory(obj.Self.SupersededBy(ctx))
}

func (r memoryResolver) ConsolidatedInto(ctx context.Context, obj *gql.Memory) (*gql.Memory, error) {
	return linkedMemory(obj.Self.ConsolidatedInto(ctx))
}

func linkedMemory(m loader.Memory, err error) (*gql.Memory, error) { return encodeMemory(m), err }

func (r memoryResolver) DerivedFrom(ctx context.Context, obj *gql.Memory, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 50, maxNestedItems)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.DerivedFrom(ctx, n)
	if err != nil {
		return nil, err
	}
	return encodeMemories(found), nil
}

func (r memoryResolver) Score(ctx context.Context, obj *gql.Memory) (float64, error) {
	s, err := obj.Self.Promotion(ctx)
	return s.Score, err
}

func (r memoryResolver) PromotesAt(ctx context.Context, obj *gql.Memory) (*float64, error) {
	s, err := obj.Self.Promotion(ctx)
	return s.PromotesAt, err
}

func (r memoryResolver) EngraveGates(ctx context.Context, obj *gql.Memory) (*gql.EngraveGates, error) {
	s, err := obj.Self.Promotion(ctx)
	if err != nil || s.Gates == nil {
		return nil, err
	}
	g := s.Gates
	return &gql.EngraveGates{
		Days: g.Days, NeededDays: g.NeededDays, Sessions: g.Sessions, NeededSessions: g.NeededSessions, Passing: g.Passing, Confidence: g.Confidence, NeededConfidence: g.NeededConfidence,
		Conflict: g.Conflict, MaxConflict: g.MaxConflict, Open: g.Open,
	}, nil
}

func (r relationResolver) Source(ctx context.Context, obj *gql.Relation) (*gql.Entity, error) {
	v, err := obj.Self.Entity(ctx, obj.Self.View.Source)
	return encodeEntity(v), err
}

func (r relationResolver) Target(ctx context.Context, obj *gql.Relation) (*gql.Entity, error) {
	v, err := obj.Self.Entity(ctx, obj.Self.View.Target)
	return encodeEntity(v), err
}

func (r relationResolver) Memories(ctx context.Context, obj *gql.Relation, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 50, maxNestedItems)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.Memories(ctx, n)
	if err != nil {
		return nil, err
	}
	return encodeMemories(found), nil
}

func (r rememberPayloadResolver) ConflictsWith(_ context.Context, obj *gql.RememberPayload, first *int) ([]string, error) {
	return firstIDs(obj.Conflicts, first)
}

// Revised reads the memories as they are now.
func (r rememberPayloadResolver) Revised(ctx context.Context, obj *gql.RememberPayload, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 20, maxNestedItems)
	if err != nil || len(obj.RevisedIDs) == 0 {
		return []*gql.Memory{}, err
	}
	c := caller(ctx)
	views, err := r.verbs.MemoriesByID(ctx, c, obj.RevisedIDs[:min(n, len(obj.RevisedIDs))], engine.Access{})
	if err != nil {
		return nil, err
	}
	views = slices.DeleteFunc(views, func(v *engine.View) bool { return v == nil })
	return encodeMemories(r.load(c, views...)), nil
}

// maxRivals is the maximum number of rivals of a hit.
const maxRivals = 50

func (r hitResolver) Rivals(_ context.Context, obj *gql.Hit, first *int) ([]string, error) {
	n, err := boundedInt("first", first, 5, maxRivals)
	if err != nil {
		return nil, err
	}
	return obj.RivalIDs[:min(n, len(obj.RivalIDs))], nil
}

func (r supersedePayloadResolver) ConflictsWith(_ context.Context, obj *gql.SupersedePayload, first *int) ([]string, error) {
	return firstIDs(obj.Conflicts, first)
}

func firstIDs(ids []string, first *int) ([]string, error) {
	n, err := boundedInt("first", first, 20, maxNestedItems)
	if err != nil {
		return nil, err
	}
	return ids[:min(n, len(ids))], nil
}

// Ids are those of the forecast for a dry run, because its receipt is not stored.
func (r receiptResolver) Ids(ctx context.Context, obj *gql.DeletionReceipt, first *int, after *string) ([]string, error) {
	n, err := boundedInt("first", first, maxReceiptIDs, maxReceiptIDs)
	if err != nil {
		return nil, err
	}
	start := graph.ID(valueOr(after, ""))
	if start != "" && !start.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be a UUID")
	}
	if obj.Forecast != nil {
		if err := caller(ctx).Require(access.MemoryRead, "", "ids of a dry run"); err != nil { // nothing is erased: it would be a list
			return nil, err
		}
		at, found := slices.BinarySearch(obj.Forecast.IDs, start)
		if found {
			at++
		}
		return idStrings(obj.Forecast.IDs[at:min(at+n, len(obj.Forecast.IDs))]), nil
	}
	ids, err := r.verbs.ReceiptIDs(ctx, caller(ctx), graph.ID(obj.ID), start, n)
	if err != nil {
		return nil, err
	}
	return idStrings(ids), nil
}
