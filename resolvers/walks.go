package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

func (r queryResolver) Related(ctx context.Context, id string, depth, budget *int, predicates []string, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.Neighbourhood, error) {
	c := caller(ctx)
	steps, err := boundedInt("depth", depth, 2, 6)
	if err != nil {
		return nil, err
	}
	nodes, err := boundedInt("budget", budget, 100, 5000)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.Related(ctx, c, engine.RelatedInput{
		ID: graph.ID(id), Depth: steps, Budget: nodes, Predicates: predicates, Access: accessOf(at, requireConsent, includeImplicit, true),
	})
	if err != nil {
		return nil, err
	}
	return encodeNeighbourhood(found, r.load(c, found.Memories...)), nil
}

func (r queryResolver) Path(ctx context.Context, from, to string, maxDepth *int, predicates []string, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.Neighbourhood, error) {
	c := caller(ctx)
	steps, err := boundedInt("maxDepth", maxDepth, 6, 6)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.Path(ctx, c, engine.PathInput{
		From: graph.ID(from), To: graph.ID(to), Depth: steps, Predicates: predicates, Access: accessOf(at, requireConsent, includeImplicit, true),
	})
	if err != nil {
		return nil, err
	}
	return encodeNeighbourhood(found, r.load(c, found.Memories...)), nil
}

func encodeNeighbourhood(r *engine.RelatedResult, members []loader.Memory) *gql.Neighbourhood {
	return &gql.Neighbourhood{
		Memories: encodeMemories(members), Edges: convert(r.Edges, encodeEdge), Truncated: r.Truncated,
		Paths: convert(r.Paths, func(p engine.RelatedPath) *gql.MemoryPath {
			return &gql.MemoryPath{Ids: idStrings(p.IDs), Edges: convert(p.Edges, encodeEdge)}
		}),
	}
}

func encodeEdge(e engine.EdgeView) *gql.Edge {
	return &gql.Edge{From: string(e.From), To: string(e.To), Kind: gql.EdgeKind(e.Kind), Weight: e.Weight, Predicate: nullable[string](e.Predicate)}
}

func (r queryResolver) EntityLineage(ctx context.Context, id string, kinds []gql.EntityEventKind, at *gql.AsOf, first, offset *int, requireConsent, includeImplicit *bool) ([]*gql.EntityEvent, error) {
	c := caller(ctx)
	n, err := boundedInt("first", first, 200, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	events, err := r.verbs.EntityLineage(ctx, c, engine.EntityLineageInput{
		ID: graph.ID(id), Kinds: enumValues[engine.EntityEventKind](kinds), Access: accessOf(at, requireConsent, includeImplicit, true),
		First: n, Offset: valueOr(offset, 0),
	})
	if err != nil {
		return nil, err
	}
	memories := r.load(c, convert(events, func(e engine.EntityEvent) *engine.View { return e.Memory })...)
	successors := r.load(c, convert(events, func(e engine.EntityEvent) *engine.View { return e.Successor })...)
	out := make([]*gql.EntityEvent, len(events))
	for i, e := range events {
		out[i] = &gql.EntityEvent{
			Kind: gql.EntityEventKind(e.Kind), At: e.At, Memory: encodeMemory(memories[i]), Successor: encodeMemory(successors[i]),
			Other: encodeEntity(e.Other), Name: nullable[string](e.Name), Predicate: nullable[string](e.Predicate), Inverse: e.Inverse,
		}
	}
	return out, nil
}
