package resolvers

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

func (r mutationResolver) Remember(ctx context.Context, input gql.RememberInput) (*gql.RememberPayload, error) {
	c := caller(ctx)
	in, err := rememberInput(&input)
	if err != nil {
		return nil, err
	}
	result, err := r.verbs.Remember(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return encodeRemembered(*result, r.load(c, result.Memory)[0]), nil
}

// Share shows a private memory to others.
func (r mutationResolver) Share(ctx context.Context, id string, with gql.Audience) (*gql.RememberPayload, error) {
	c := caller(ctx)
	result, err := r.verbs.Share(ctx, c, graph.ID(id), engine.Audience(with))
	if err != nil {
		return nil, err
	}
	return encodeRemembered(*result, r.load(c, result.Memory)[0]), nil
}

// RememberMany lets each invalid item fail on its own, whether the engine or the decoding of
// its input refuses it.
func (r mutationResolver) RememberMany(ctx context.Context, input []*gql.RememberInput) ([]*gql.RememberPayload, error) {
	c := caller(ctx)
	if len(input) > engine.MaxMany {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "input", "has %d items, more than %d", len(input), engine.MaxMany)
	}
	results := make([]engine.RememberResult, len(input))
	var items []engine.RememberInput
	var places []int
	for i, one := range input {
		in, err := rememberInput(one)
		if err != nil {
			results[i].Error = publicError(err)
			continue
		}
		items, places = append(items, in), append(places, i)
	}
	written, err := r.verbs.RememberMany(ctx, c, items)
	if err != nil {
		return nil, err
	}
	views := make([]*engine.View, len(input))
	for i, result := range written {
		results[places[i]] = result
		views[places[i]] = result.Memory
	}
	out := make([]*gql.RememberPayload, len(input))
	for i, self := range r.load(c, views...) {
		out[i] = encodeRemembered(results[i], self)
	}
	return out, nil
}

func encodeRemembered(result engine.RememberResult, self loader.Memory) *gql.RememberPayload {
	out := &gql.RememberPayload{
		Memory: encodeMemory(self), Promoted: result.Promoted, DuplicateOf: nullable[string](result.DuplicateOf), Replayed: result.Replayed,
		Conflicts: idStrings(result.ConflictsWith), Error: encodeItemError(result.Error), Pending: result.Pending,
		RevisedIDs: result.Revised,
	}
	if out.Memory != nil {
		out.Score = &result.Score
	}
	return out
}

func (r mutationResolver) Supersede(ctx context.Context, input gql.SupersedeInput) (*gql.SupersedePayload, error) {
	c := caller(ctx)
	external, err := externalID(input.ExternalID)
	if err != nil {
		return nil, err
	}
	result, err := r.verbs.Supersede(ctx, c, engine.SupersedeInput{
		ID: graph.ID(input.ID), Content: input.Content, Reason: valueOr(input.Reason, ""), ValidFrom: valueOr(input.ValidFrom, time.Time{}),
		Source: valueOr(input.Source, ""), Authority: input.Authority, IdempotencyKey: valueOr(input.IdempotencyKey, ""), ExternalID: external,
		Tags: input.Tags, Meta: input.Meta,
	})
	if err != nil {
		return nil, err
	}
	both := r.load(c, result.Memory, result.Previous)
	return &gql.SupersedePayload{
		Memory: encodeMemory(both[0]), Previous: encodeMemory(both[1]), Replayed: result.Replayed, Conflicts: idStrings(result.ConflictsWith),
	}, nil
}

func (r mutationResolver) Adjudicate(ctx context.Context, input gql.AdjudicateInput) (*gql.Adjudication, error) {
	c := caller(ctx)
	in, err := adjudicateInput(input)
	if err != nil {
		return nil, err
	}
	a, err := r.verbs.Adjudicate(ctx, c, in)
	if err != nil {
		return nil, err
	}
	both := r.load(c, a.Current, a.Previous)
	return &gql.Adjudication{
		Decision: gql.GateDecision(a.Decision), Reason: nullable[gql.ErrorCode](a.Reason), Quorum: a.Quorum, Required: a.Required,
		Conflict: a.Conflict, Similarity: a.Similarity, Current: encodeMemory(both[0]), Previous: encodeMemory(both[1]), Replayed: a.Replayed,
		Judge: encodeJudgement(a.Judge), Degraded: enumValues[gql.Part](a.Degraded),
	}, nil
}

func (r mutationResolver) Update(ctx context.Context, input gql.UpdateInput) (*gql.Memory, error) {
	c := caller(ctx)
	v, err := r.verbs.Update(ctx, c, updateInput(input))
	return r.loadOne(c, v, err)
}

func (r mutationResolver) Expire(ctx context.Context, id string) (*gql.Memory, error) {
	return r.byID(ctx, id, r.verbs.Expire)
}

func (r mutationResolver) Pin(ctx context.Context, id string) (*gql.Memory, error) {
	return r.byID(ctx, id, r.verbs.Pin)
}

func (r mutationResolver) Unpin(ctx context.Context, id string) (*gql.Memory, error) {
	return r.byID(ctx, id, r.verbs.Unpin)
}

func (r mutationResolver) byID(ctx context.Context, id string, verb func(context.Context, engine.Caller, graph.ID) (*engine.View, error)) (*gql.Memory, error) {
	c := caller(ctx)
	v, err := verb(ctx, c, graph.ID(id))
	return r.loadOne(c, v, err)
}

func (r mutationResolver) Forget(ctx context.Context, input gql.ForgetInput) (*gql.ForgetPayload, error) {
	space, err := namespace(input.Namespace)
	if err != nil {
		return nil, err
	}
	proof, err := r.verbs.Forget(ctx, caller(ctx), engine.ForgetInput{
		IDs: enumValues[graph.ID](input.Ids), User: valueOr(input.User, ""), Subject: valueOr(input.Subject, ""), Entity: valueOr(input.Entity, ""), Namespace: space,
		Tenant: valueOr(input.Tenant, false), DryRun: valueOr(input.DryRun, false), IdempotencyKey: valueOr(input.IdempotencyKey, ""),
	})
	if err != nil {
		return nil, err
	}
	return &gql.ForgetPayload{Receipt: encodeReceipt(proof)}, nil
}

// AdvanceClock is in the schema only with a simulated clock.
func (r mutationResolver) AdvanceClock(ctx context.Context, seconds int) (*time.Time, error) {
	if r.advance == nil {
		return nil, graph.Errorf(graph.CodeUnavailable, "the server has a real clock: start it with --simulated-clock")
	}
	if seconds < 0 {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "seconds", "must be 0 or more: the clock can't go backwards")
	}
	now, err := r.advance(ctx, time.Duration(seconds)*time.Second)
	if err != nil {
		return nil, err
	}
	return &now, nil
}
