package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

// maxRelations is the maximum number of relations of an entity.
const maxRelations = 256

func (r queryResolver) Memories(ctx context.Context, filter *gql.MemoryFilter, first *int, after *string, descending *bool, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.MemoryConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	in := listInput(filter)
	in.Access = access(at, requireConsent, includeImplicit, true)
	in.Descending = valueOr(descending, false)
	if in.First, err = boundedInt("first", first, 50, graph.MaxPage); err != nil {
		return nil, err
	}
	if in.After, err = decodeAfterID(cursorMemories, after); err != nil {
		return nil, err
	}
	page, err := r.verbs.Memories(ctx, c, in)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(page.Memories))
	for i, v := range page.Memories {
		ids[i] = v.ID
	}
	info, cursors, err := pageInfo(cursorMemories, ids, in.After, page.More)
	if err != nil {
		return nil, err
	}
	out := &gql.MemoryConnection{Nodes: encodeMemories(r.load(c, page.Memories...)), PageInfo: info}
	for i, m := range out.Nodes {
		out.Edges = append(out.Edges, &gql.MemoryEdge{Cursor: cursors[i], Node: m})
	}
	return out, nil
}

func (r queryResolver) Entities(ctx context.Context, first *int, after *string, namespaces []string, user *string, types []gql.EntityType, name *string) (*gql.EntityConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	in := engine.EntityInput{Namespaces: namespaces, User: valueOr(user, ""), Types: enumValues[graph.EntityType](types), Name: valueOr(name, "")}
	if in.First, err = boundedInt("first", first, 50, graph.MaxPage); err != nil {
		return nil, err
	}
	if in.After, err = decodeAfterID(cursorEntities, after); err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Entities(ctx, c, in)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(found))
	for i, v := range found {
		ids[i] = v.ID
	}
	info, cursors, err := pageInfo(cursorEntities, ids, in.After, more)
	if err != nil {
		return nil, err
	}
	out := &gql.EntityConnection{PageInfo: info}
	for i := range found {
		node := encodeEntity(&found[i])
		out.Nodes = append(out.Nodes, node)
		out.Edges = append(out.Edges, &gql.EntityEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r queryResolver) Relations(ctx context.Context, entity string, direction *gql.Direction, at *gql.AsOf, first *int, after *string) (*gql.RelationConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := boundedInt("first", first, 50, maxRelations)
	if err != nil {
		return nil, err
	}
	start, err := decodeAfterID(cursorRelations, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Relations(ctx, c, graph.ID(entity), directions[valueOr(direction, gql.DirectionBoth)], asOf(at), n, start)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(found))
	for i, v := range found {
		ids[i] = v.ID
	}
	info, cursors, err := pageInfo(cursorRelations, ids, start, more)
	if err != nil {
		return nil, err
	}
	out := &gql.RelationConnection{PageInfo: info}
	for i, rel := range loader.Relations(r.verbs, c, engine.Access{AsOf: asOf(at)}, found) {
		node := encodeRelation(rel)
		out.Nodes = append(out.Nodes, node)
		out.Edges = append(out.Edges, &gql.RelationEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r queryResolver) Related(ctx context.Context, id string, depth, budget *int, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.Neighbourhood, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	steps, err := boundedInt("depth", depth, 2, 6)
	if err != nil {
		return nil, err
	}
	nodes, err := boundedInt("budget", budget, 100, 5000)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.Related(ctx, c, graph.ID(id), steps, nodes, access(at, requireConsent, includeImplicit, true))
	if err != nil {
		return nil, err
	}
	return encodeNeighbourhood(found, r.load(c, found.Memories...)), nil
}

func (r queryResolver) Path(ctx context.Context, from, to string, maxDepth *int, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.Neighbourhood, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	steps, err := boundedInt("maxDepth", maxDepth, 6, 6)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.Path(ctx, c, graph.ID(from), graph.ID(to), steps, access(at, requireConsent, includeImplicit, true))
	if err != nil {
		return nil, err
	}
	return encodeNeighbourhood(found, r.load(c, found.Memories...)), nil
}
