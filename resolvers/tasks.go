package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

func (r queryResolver) Tasks(ctx context.Context, status *gql.TaskStatus, namespaces []string, user, project, session *string, first *int, after *string, requireConsent, includeImplicit *bool) (*gql.TaskConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	in := engine.TaskInput{
		Namespaces: namespaces, User: valueOr(user, ""), Project: valueOr(project, ""), Session: valueOr(session, ""),
		Status: enumValue[engine.TaskStatus](status), Access: access(nil, requireConsent, includeImplicit, true),
	}
	if in.First, err = boundedInt("first", first, 50, graph.MaxPage); err != nil {
		return nil, err
	}
	if in.After, err = decodeAfterID(cursorTasks, after); err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Tasks(ctx, c, in)
	if err != nil {
		return nil, err
	}
	views, ids := make([]*engine.View, len(found)), make([]graph.ID, len(found))
	for i, x := range found {
		views[i], ids[i] = x.Memory, x.Memory.ID
	}
	info, cursors, err := pageInfo(cursorTasks, ids, in.After, more)
	if err != nil {
		return nil, err
	}
	out := &gql.TaskConnection{PageInfo: info}
	for i, self := range r.load(c, views...) {
		node := encodeTask(found[i], self)
		out.Nodes = append(out.Nodes, node)
		out.Edges = append(out.Edges, &gql.TaskEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r mutationResolver) ConfirmTask(ctx context.Context, id string) (*gql.Task, error) {
	return r.task(ctx, id, r.verbs.ConfirmTask)
}

func (r mutationResolver) DismissTask(ctx context.Context, id string) (*gql.Task, error) {
	return r.task(ctx, id, r.verbs.DismissTask)
}

func (r mutationResolver) task(ctx context.Context, id string, verb func(context.Context, engine.Caller, graph.ID) (*engine.Task, error)) (*gql.Task, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	x, err := verb(ctx, c, graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeTask(x, r.load(c, x.Memory)[0]), nil
}

func encodeTask(x *engine.Task, self loader.Memory) *gql.Task {
	return &gql.Task{
		Memory: encodeMemory(self), Status: gql.TaskStatus(x.Status), Confidence: x.Confidence, Strength: x.Strength,
		Blocks: nullable[string](x.Blocks), Turn: nullable[string](x.Turn),
	}
}
