package resolvers

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

func (r queryResolver) Tasks(ctx context.Context, status *gql.TaskStatus, dueBefore *time.Time, namespaces []string, user, project, session *string, first *int, after *string, requireConsent, includeImplicit *bool) (*gql.TaskConnection, error) {
	c := caller(ctx)
	in := engine.TaskInput{
		Namespaces: namespaces, User: valueOr(user, ""), Project: valueOr(project, ""), Session: valueOr(session, ""),
		Status: enumValue[engine.TaskStatus](status), DueBefore: valueOr(dueBefore, time.Time{}),
		Access: accessOf(nil, requireConsent, includeImplicit, true),
	}
	var err error
	if in.First, in.After, err = pageArguments(cursorTasks, first, 50, graph.MaxPage, after); err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Tasks(ctx, c, in)
	if err != nil {
		return nil, err
	}
	out := &gql.TaskConnection{}
	for i, self := range r.load(c, convert(found, func(x *engine.Task) *engine.View { return x.Memory })...) {
		out.Nodes = append(out.Nodes, encodeTask(found[i], self))
	}
	id := func(x *engine.Task) graph.ID { return x.Memory.ID }
	out.Edges, out.PageInfo, err = connect(cursorTasks, found, id, out.Nodes, in.After, more, func(cursor string, node *gql.Task) *gql.TaskEdge {
		return &gql.TaskEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r mutationResolver) ConfirmTask(ctx context.Context, id string) (*gql.Task, error) {
	return r.task(ctx, id, r.verbs.ConfirmTask)
}

func (r mutationResolver) CompleteTask(ctx context.Context, id string) (*gql.Task, error) {
	return r.task(ctx, id, r.verbs.CompleteTask)
}

func (r mutationResolver) DismissTask(ctx context.Context, id string) (*gql.Task, error) {
	return r.task(ctx, id, r.verbs.DismissTask)
}

func (r mutationResolver) task(ctx context.Context, id string, verb func(context.Context, engine.Caller, graph.ID) (*engine.Task, error)) (*gql.Task, error) {
	c := caller(ctx)
	x, err := verb(ctx, c, graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeTask(x, r.load(c, x.Memory)[0]), nil
}

func encodeTask(x *engine.Task, self loader.Memory) *gql.Task {
	return &gql.Task{
		Memory: encodeMemory(self), Status: gql.TaskStatus(x.Status), Confidence: x.Confidence, Strength: x.Strength,
		Blocks: nullable[string](x.Blocks), BlockedBy: convert(x.BlockedBy, func(id graph.ID) string { return string(id) }),
		Due: nullableTime(x.Due), EndedAt: nullableTime(x.EndedAt), Turn: nullable[string](x.Turn),
	}
}
