package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r query) DeadLetters(ctx context.Context, namespaces []string, work *gql.DeadLetterWork, first *int, after *string) (*gql.DeadLetterConnection, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	n, err := count("first", first, 20, 100)
	if err != nil {
		return nil, err
	}
	behind, err := afterID(ofLetters, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.DeadLetters(ctx, c, engine.DeadLetterInput{Namespaces: namespaces, Work: engine.Work(or(work, "")), First: n, After: behind})
	if err != nil {
		return nil, err
	}
	ids := make([]graph.ID, len(found))
	for i, x := range found {
		ids[i] = x.Letter
	}
	info, cursors, err := pageInfo(ofLetters, ids, behind, more)
	if err != nil {
		return nil, err
	}
	out := &gql.DeadLetterConnection{PageInfo: info, Nodes: deadLetters(found)}
	for i, node := range out.Nodes {
		out.Edges = append(out.Edges, &gql.DeadLetterEdge{Cursor: cursors[i], Node: node})
	}
	return out, nil
}

func (r mutation) RetryDeadLetter(ctx context.Context, ids []string) (*gql.RetryDeadLetterPayload, error) {
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
	return &gql.RetryDeadLetterPayload{Settled: idStrings(done.Settled), Left: deadLetters(done.Left)}, nil
}

func deadLetters(list []engine.DeadLetter) []*gql.DeadLetter {
	out := make([]*gql.DeadLetter, len(list))
	for i, x := range list {
		out[i] = &gql.DeadLetter{
			MemoryID: string(x.ID), Namespace: x.Namespace, Work: gql.DeadLetterWork(x.Work), Attempts: x.Attempts,
			FirstAt: x.First, LastAt: x.At, Reason: x.Reason,
		}
	}
	return out
}
