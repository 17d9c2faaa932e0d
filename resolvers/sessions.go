package resolvers

import (
	"context"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/kin"
)

func (r mutation) Observe(ctx context.Context, input gql.ObserveInput) (*gql.ObservePayload, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
	space, err := namespace(input.Namespace)
	if err != nil {
		return nil, err
	}
	seen, err := r.verbs.Observe(ctx, c, engine.Observation{
		Session: input.Session, Role: strings.ToLower(string(input.Role)), Text: input.Text, Consent: word[graph.Consent](input.Consent),
		Namespace: space, User: or(input.User, ""), Agent: or(input.Agent, ""), Project: or(input.Project, ""),
		OccurredAt: or(input.OccurredAt, time.Time{}), IdempotencyKey: or(input.IdempotencyKey, ""),
	})
	if err != nil {
		return nil, err
	}
	return &gql.ObservePayload{Memory: memory(r.kin(c, seen.Memory)[0]), Flushed: r.kin(c, seen.Flushed...), Replayed: seen.Replayed}, nil
}

func (r mutation) CloseSession(ctx context.Context, session string, in *string) (*gql.SessionReport, error) {
	c, err := caller(ctx)
	if err != nil {
		return nil, err
	}
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
		Flushed: r.kin(c, s.Flushed...), Kept: r.kin(c, s.Kept...), Expired: r.kin(c, s.Expired...),
	}, nil
}

func (r observePayload) Flushed(_ context.Context, obj *gql.ObservePayload, first *int) ([]*gql.Memory, error) {
	return firstMemories(obj.Flushed, first)
}

func (r ofSession) Flushed(_ context.Context, obj *gql.SessionReport, first *int) ([]*gql.Memory, error) {
	return firstMemories(obj.Flushed, first)
}

func (r ofSession) Kept(_ context.Context, obj *gql.SessionReport, first *int) ([]*gql.Memory, error) {
	return firstMemories(obj.Kept, first)
}

func (r ofSession) Expired(_ context.Context, obj *gql.SessionReport, first *int) ([]*gql.Memory, error) {
	return firstMemories(obj.Expired, first)
}

// firstMemories is the first of the memories that one read brought up.
func firstMemories(members []kin.Member, first *int) ([]*gql.Memory, error) {
	n, err := count("first", first, 50, maxNested)
	if err != nil {
		return nil, err
	}
	return memories(members[:min(n, len(members))]), nil
}
