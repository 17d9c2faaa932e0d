package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r queryResolver) DeadLetters(ctx context.Context, namespaces []string, work *gql.DeadLetterWork, first *int, after *string) (*gql.DeadLetterConnection, error) {
	n, start, err := pageArguments(cursorDeadLetters, first, 20, 100, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.DeadLetters(ctx, caller(ctx), engine.DeadLetterInput{Namespaces: namespaces, Work: engine.Work(valueOr(work, "")), First: n, After: start})
	if err != nil {
		return nil, err
	}
	out := &gql.DeadLetterConnection{Nodes: convert(found, encodeDeadLetter)}
	id := func(x engine.DeadLetter) graph.ID { return x.Letter }
	out.Edges, out.PageInfo, err = connect(cursorDeadLetters, found, id, out.Nodes, start, more, func(cursor string, node *gql.DeadLetter) *gql.DeadLetterEdge {
		return &gql.DeadLetterEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r mutationResolver) RetryDeadLetter(ctx context.Context, ids []string) (*gql.RetryDeadLetterPayload, error) {
	done, err := r.verbs.RetryDeadLetters(ctx, caller(ctx), enumValues[graph.ID](ids))
	if err != nil {
		return nil, err
	}
	return &gql.RetryDeadLetterPayload{Settled: idStrings(done.Settled), Left: convert(done.Left, encodeDeadLetter)}, nil
}

func (r mutationResolver) DiscardDeadLetter(ctx context.Context, ids []string) ([]string, error) {
	done, err := r.verbs.DiscardDeadLetters(ctx, caller(ctx), enumValues[graph.ID](ids))
	return idStrings(done), err
}

func (r mutationResolver) ResetBreaker(ctx context.Context, name string) (*gql.CircuitBreaker, error) {
	s, err := r.verbs.ResetBreaker(ctx, caller(ctx), name)
	if err != nil {
		return nil, err
	}
	out := &gql.CircuitBreaker{Name: s.Name, State: gql.BreakerState(s.State), Since: s.Since}
	if s.Reason != "" {
		out.Reason = &s.Reason
	}
	if !s.RetryAt.IsZero() {
		out.RetryAt = &s.RetryAt
	}
	return out, nil
}

func encodeDeadLetter(x engine.DeadLetter) *gql.DeadLetter {
	state := gql.DeadLetterStateGivenUp
	if x.Retrying {
		state = gql.DeadLetterStateRetrying
	}
	return &gql.DeadLetter{
		MemoryID: string(x.ID), Namespace: x.Namespace, Work: gql.DeadLetterWork(x.Work), State: state, Attempts: x.Attempts,
		FirstAt: x.First, LastAt: x.At, Reason: x.Reason,
	}
}
