package resolvers

import (
	"context"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

func (r mutationResolver) Observe(ctx context.Context, input gql.ObserveInput) (*gql.ObservePayload, error) {
	c := caller(ctx)
	space, err := namespace(input.Namespace)
	if err != nil {
		return nil, err
	}
	seen, err := r.verbs.Observe(ctx, c, engine.Observation{
		Session: input.Session, Role: strings.ToLower(string(input.Role)), Text: input.Text, Consent: enumValue[graph.Consent](input.Consent),
		Namespace: space, User: valueOr(input.User, ""), Agent: valueOr(input.Agent, ""), Project: valueOr(input.Project, ""),
		OccurredAt: valueOr(input.OccurredAt, time.Time{}), IdempotencyKey: valueOr(input.IdempotencyKey, ""),
	})
	if err != nil {
		return nil, err
	}
	return &gql.ObservePayload{Memory: encodeMemory(r.load(c, seen.Memory)[0]), Flushed: r.load(c, seen.Flushed...), Replayed: seen.Replayed}, nil
}

func (r mutationResolver) CloseSession(ctx context.Context, session string, in *string) (*gql.SessionReport, error) {
	c := caller(ctx)
	space, err := namespace(in)
	if err != nil {
		return nil, err
	}
	s, err := r.verbs.CloseSession(ctx, c, session, space)
	if err != nil {
		return nil, err
	}
	return &gql.SessionReport{
		Session: s.Session, StartedAt: s.StartedAt, EndedAt: s.EndedAt,
		Flushed: r.load(c, s.Flushed...), Kept: r.load(c, s.Kept...), Expired: r.load(c, s.Expired...),
	}, nil
}

func (r observePayloadResolver) Flushed(_ context.Context, obj *gql.ObservePayload, first *int) ([]*gql.Memory, error) {
	return firstMemories(obj.Flushed, first)
}

func (r sessionReportResolver) Flushed(_ context.Context, obj *gql.SessionReport, first *int) ([]*gql.Memory, error) {
	return firstMemories(obj.Flushed, first)
}

func (r sessionReportResolver) Kept(_ context.Context, obj *gql.SessionReport, first *int) ([]*gql.Memory, error) {
	return firstMemories(obj.Kept, first)
}

func (r sessionReportResolver) Expired(_ context.Context, obj *gql.SessionReport, first *int) ([]*gql.Memory, error) {
	return firstMemories(obj.Expired, first)
}

// firstMemories encodes the first memories of a batch.
func firstMemories(members []loader.Memory, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 50, maxNestedItems)
	if err != nil {
		return nil, err
	}
	return encodeMemories(members[:min(n, len(members))]), nil
}
