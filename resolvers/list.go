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
	c := caller(ctx)
	in := listInput(filter)
	in.Access = accessOf(at, requireConsent, includeImplicit, true)
	in.Descending = valueOr(descending, false)
	var err error
	if in.First, in.After, err = pageArguments(cursorMemories, first, 50, graph.MaxPage, after); err != nil {
		return nil, err
	}
	page, err := r.verbs.Memories(ctx, c, in)
	if err != nil {
		return nil, err
	}
	out := &gql.MemoryConnection{Nodes: encodeMemories(r.load(c, page.Memories...))}
	id := func(v *engine.View) graph.ID { return v.ID }
	out.Edges, out.PageInfo, err = connect(cursorMemories, page.Memories, id, out.Nodes, in.After, page.More, func(cursor string, node *gql.Memory) *gql.MemoryEdge {
		return &gql.MemoryEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r queryResolver) Entities(ctx context.Context, first *int, after *string, namespaces []string, user *string, types []gql.EntityType, name *string) (*gql.EntityConnection, error) {
	in := engine.EntityInput{Namespaces: namespaces, User: valueOr(user, ""), Types: enumValues[graph.EntityType](types), Name: valueOr(name, "")}
	var err error
	if in.First, in.After, err = pageArguments(cursorEntities, first, 50, graph.MaxPage, after); err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Entities(ctx, caller(ctx), in)
	if err != nil {
		return nil, err
	}
	out := &gql.EntityConnection{Nodes: convert(found, func(v engine.EntityView) *gql.Entity { return encodeEntity(&v) })}
	id := func(v engine.EntityView) graph.ID { return v.ID }
	out.Edges, out.PageInfo, err = connect(cursorEntities, found, id, out.Nodes, in.After, more, func(cursor string, node *gql.Entity) *gql.EntityEdge {
		return &gql.EntityEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r queryResolver) Relations(ctx context.Context, entity *string, direction *gql.Direction, predicates, namespaces []string, user *string, at *gql.AsOf, first *int, after *string, requireConsent, includeImplicit *bool) (*gql.RelationConnection, error) {
	c := caller(ctx)
	in := engine.RelationInput{
		Direction: directions[valueOr(direction, gql.DirectionBoth)], Predicates: predicates, Namespaces: namespaces, User: valueOr(user, ""),
		Access: accessOf(at, requireConsent, includeImplicit, true),
	}
	if entity != nil {
		if in.Entity = graph.ID(*entity); in.Entity == "" {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "entity", "must be a UUID")
		}
	}
	var err error
	if in.First, in.After, err = pageArguments(cursorRelations, first, 50, maxRelations, after); err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Relations(ctx, c, in)
	if err != nil {
		return nil, err
	}
	out := &gql.RelationConnection{Nodes: convert(loader.Relations(r.verbs, c, in.Access, found), encodeRelation)}
	id := func(v engine.RelationView) graph.ID { return v.ID }
	out.Edges, out.PageInfo, err = connect(cursorRelations, found, id, out.Nodes, in.After, more, func(cursor string, node *gql.Relation) *gql.RelationEdge {
		return &gql.RelationEdge{Cursor: cursor, Node: node}
	})
	return out, err
}
