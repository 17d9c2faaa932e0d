package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/kin"
)

func (r query) Tasks(ctx context.Context, status *gql.TaskStatus, namespaces []string, user, project, session *string, first *int, after *string, requireConsent, includeImplicit *bool) (*gql.TaskConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	in := engine.TaskInput{
		Namespaces: namespaces, User: or(user, ""), Project: or(project, ""), Session: or(session, ""),
		Status: word[engine.TaskStatus](status), Access: access(nil, requireConsent, includeImplicit, true),
	}
	if in.First, err = count("first", first, 50, graph.MaxPage); err != nil {
		return nil, err
	}
	if in.After, err = afterID(ofTasks, after); err != nil {
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
	info, cursors, err := pageInfo(ofTasks, ids, in.After, more)
	if err != nil {
		return nil, err
	}
	out := &gql.TaskConnection{PageInfo: info}
	for i, self := range r.kin(c, views...) {
		node := task(found[i], self)
		out.Nodes = append(out.Nodes, node)
		out.Edges = append(out.Edges, &gql.TaskEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r mutation) ConfirmTask(ctx context.Context, id string) (*gql.Task, error) {
	return r.task(ctx, id, r.verbs.ConfirmTask)
}

func (r mutation) DismissTask(ctx context.Context, id string) (*gql.Task, error) {
	return r.task(ctx, id, r.verbs.DismissTask)
}

func (r mutation) task(ctx context.Context, id string, verb func(context.Context, engine.Caller, graph.ID) (*engine.Task, error)) (*gql.Task, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	x, err := verb(ctx, c, graph.ID(id))
	if err != nil {
		return nil, err
	}
	return task(x, r.kin(c, x.Memory)[0]), nil
}

func task(x *engine.Task, self kin.Member) *gql.Task {
	return &gql.Task{
		Memory: memory(self), Status: gql.TaskStatus(x.Status), Confidence: x.Confidence, Strength: x.Strength,
		Blocks: null[string](x.Blocks), Turn: null[string](x.Turn),
	}
}
