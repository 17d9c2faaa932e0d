package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/kin"
)

// maxRelations is the most relations an entity has, SPEC section 3.
const maxRelations = 256

func (r query) Memories(ctx context.Context, filter *gql.MemoryFilter, first *int, after *string, descending *bool, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.MemoryConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	in := listInput(filter)
	in.Access = access(at, requireConsent, includeImplicit, true)
	in.Descending = or(descending, false)
	if in.First, err = count("first", first, 50, graph.MaxPage); err != nil {
		return nil, err
	}
	if in.After, err = afterID(ofMemories, after); err != nil {
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
	info, cursors, err := pageInfo(ofMemories, ids, in.After, page.More)
	if err != nil {
		return nil, err
	}
	out := &gql.MemoryConnection{Nodes: memories(r.kin(c, page.Memories...)), PageInfo: info}
	for i, m := range out.Nodes {
		out.Edges = append(out.Edges, &gql.MemoryEdge{Cursor: cursors[i], Node: m})
	}
	return out, nil
}

func (r query) Entities(ctx context.Context, first *int, after *string, namespaces []string, user *string, types []gql.EntityType, name *string) (*gql.EntityConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	in := engine.EntityInput{Namespaces: namespaces, User: or(user, ""), Types: words[graph.EntityType](types), Name: or(name, "")}
	if in.First, err = count("first", first, 50, graph.MaxPage); err != nil {
		return nil, err
	}
	if in.After, err = afterID(ofEntities, after); err != nil {
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
	info, cursors, err := pageInfo(ofEntities, ids, in.After, more)
	if err != nil {
		return nil, err
	}
	out := &gql.EntityConnection{PageInfo: info}
	for i := range found {
		node := entity(&found[i])
		out.Nodes = append(out.Nodes, node)
		out.Edges = append(out.Edges, &gql.EntityEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r query) Relations(ctx context.Context, entity string, direction *gql.Direction, at *gql.AsOf, first *int, after *string) (*gql.RelationConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := count("first", first, 50, maxRelations)
	if err != nil {
		return nil, err
	}
	behind, err := afterID(ofRelations, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Relations(ctx, c, graph.ID(entity), directions[or(direction, gql.DirectionBoth)], asOf(at), n, behind)
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(found))
	for i, v := range found {
		ids[i] = v.ID
	}
	info, cursors, err := pageInfo(ofRelations, ids, behind, more)
	if err != nil {
		return nil, err
	}
	out := &gql.RelationConnection{PageInfo: info}
	for i, rel := range kin.Relations(r.verbs, c, engine.Access{AsOf: asOf(at)}, found) {
		node := relation(rel)
		out.Nodes = append(out.Nodes, node)
		out.Edges = append(out.Edges, &gql.RelationEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r query) Related(ctx context.Context, id string, depth, budget *int, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.Neighbourhood, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	steps, err := count("depth", depth, 2, 6)
	if err != nil {
		return nil, err
	}
	nodes, err := count("budget", budget, 100, 5000)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.Related(ctx, c, graph.ID(id), steps, nodes, access(at, requireConsent, includeImplicit, true))
	if err != nil {
		return nil, err
	}
	return neighbourhood(found, r.kin(c, found.Memories...)), nil
}

func (r query) Path(ctx context.Context, from, to string, maxDepth *int, at *gql.AsOf, requireConsent, includeImplicit *bool) (*gql.Neighbourhood, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	steps, err := count("maxDepth", maxDepth, 6, 6)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.Path(ctx, c, graph.ID(from), graph.ID(to), steps, access(at, requireConsent, includeImplicit, true))
	if err != nil {
		return nil, err
	}
	return neighbourhood(found, r.kin(c, found.Memories...)), nil
}
