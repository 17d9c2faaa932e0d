package resolvers

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

func (r mutationResolver) Observe(ctx context.Context, input gql.ObserveInput) (*gql.ObservePayload, error) {
	c := caller(ctx)
	in, err := observation(&input)
	if err != nil {
		return nil, err
	}
	seen, err := r.verbs.Observe(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return &gql.ObservePayload{Memory: encodeMemory(r.load(c, seen.Memory)[0]), Flushed: r.load(c, readable(c, seen.Flushed)...), Replayed: seen.Replayed}, nil
}

// observation decodes a turn.
func observation(in *gql.ObserveInput) (engine.Observation, error) {
	space, err := namespace(in.Namespace)
	if err != nil {
		return engine.Observation{}, err
	}
	o := engine.Observation{
		Session: in.Session, Role: strings.ToLower(string(in.Role)), Text: in.Text, Consent: enumValue[graph.Consent](in.Consent),
		Namespace: space, User: valueOr(in.User, ""), Agent: valueOr(in.Agent, ""), Project: valueOr(in.Project, ""), Private: valueOr(in.Private, false),
		OccurredAt: valueOr(in.OccurredAt, time.Time{}), IdempotencyKey: valueOr(in.IdempotencyKey, ""),
	}
	for _, c := range in.ToolCalls {
		o.ToolCalls = append(o.ToolCalls, graph.ToolCall{Name: c.Name, Arguments: string(c.Arguments), Result: valueOr(c.Result, "")})
	}
	return o, nil
}

func (r mutationResolver) ObservePast(ctx context.Context, input []*gql.ObserveInput) ([]*gql.ObservedTurn, error) {
	c := caller(ctx)
	if len(input) > engine.MaxMany {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "input", "has %d items, more than %d", len(input), engine.MaxMany)
	}
	results := make([]engine.PastTurn, len(input))
	var turns []engine.Observation
	var places []int
	for i, one := range input {
		in, err := observation(one)
		if err != nil {
			results[i].Error = publicError(err)
			continue
		}
		turns, places = append(turns, in), append(places, i)
	}
	written, err := r.verbs.ObservePast(ctx, c, turns)
	if err != nil {
		return nil, err
	}
	views := make([]*engine.View, len(input))
	for i, x := range written {
		results[places[i]], views[places[i]] = x, x.Memory
	}
	out := make([]*gql.ObservedTurn, len(input))
	for i, self := range r.load(c, views...) {
		out[i] = &gql.ObservedTurn{Memory: encodeMemory(self), Replayed: results[i].Replayed, Error: encodeItemError(results[i].Error)}
	}
	return out, nil
}

func encodeToolCalls(calls []graph.ToolCall) []*gql.ToolCall {
	out := make([]*gql.ToolCall, len(calls))
	for i, c := range calls {
		out[i] = &gql.ToolCall{Name: c.Name, Result: nullable[string](c.Result)}
		if c.Arguments != "" {
			out[i].Arguments = json.RawMessage(c.Arguments)
		}
	}
	return out
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
		Flushed: r.load(c, readable(c, s.Flushed)...), Kept: r.load(c, readable(c, s.Kept)...), Expired: r.load(c, readable(c, s.Expired)...),
	}, nil
}

// readable are the memories of a session that a caller may read: one that only writes reads those that it wrote itself.
func readable(c engine.Caller, views []*engine.View) []*engine.View {
	if c.May(access.MemoryRead) {
		return views
	}
	return slices.DeleteFunc(slices.Clone(views), func(v *engine.View) bool { return v.Principal != c.Name })
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
