package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r queryResolver) DeadLetters(ctx context.Context, namespaces []string, work *gql.DeadLetterWork, first *int, after *string) (*gql.DeadLetterConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := boundedInt("first", first, 20, 100)
	if err != nil {
		return nil, err
	}
	start, err := decodeAfterID(cursorDeadLetters, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.DeadLetters(ctx, c, engine.DeadLetterInput{Namespaces: namespaces, Work: engine.Work(valueOr(work, "")), First: n, After: start})
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(found))
	for i, x := range found {
		ids[i] = x.Letter
	}
	info, cursors, err := pageInfo(cursorDeadLetters, ids, start, more)
	if err != nil {
		return nil, err
	}
	out := &gql.DeadLetterConnection{PageInfo: info, Nodes: encodeDeadLetters(found)}
	for i, node := range out.Nodes {
		out.Edges = append(out.Edges, &gql.DeadLetterEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r mutationResolver) RetryDeadLetter(ctx context.Context, ids []string) (*gql.RetryDeadLetterPayload, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	asked := make([]graph.ID, len(ids))
	for i, id := range ids {
		asked[i] = graph.ID(id)
	}
	done, err := r.verbs.RetryDeadLetters(ctx, c, asked)
	if err != nil {
		return nil, err
	}
	return &gql.RetryDeadLetterPayload{Settled: idStrings(done.Settled), Left: encodeDeadLetters(done.Left)}, nil
}

func encodeDeadLetters(list []engine.DeadLetter) []*gql.DeadLetter {
	out := make([]*gql.DeadLetter, len(list))
	for i, x := range list {
		out[i] = &gql.DeadLetter{
			MemoryID: string(x.ID), Namespace: x.Namespace, Work: gql.DeadLetterWork(x.Work), Attempts: x.Attempts,
			FirstAt: x.First, LastAt: x.At, Reason: x.Reason,
		}
	}
	return out
}
