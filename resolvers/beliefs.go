package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r queryResolver) Conflicts(ctx context.Context, namespaces []string, first *int) ([]*gql.Conflict, error) {
	c := caller(ctx)
	n, err := boundedInt("first", first, 50, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.Conflicts(ctx, c, namespaces, n)
	if err != nil {
		return nil, err
	}
	views := make([]*engine.View, 0, 2*len(found))
	for _, pair := range found {
		views = append(views, pair.Later, pair.Earlier)
	}
	members := r.load(c, views...)
	out := make([]*gql.Conflict, len(found))
	for i, pair := range found {
		out[i] = &gql.Conflict{Later: encodeMemory(members[2*i]), Earlier: encodeMemory(members[2*i+1]), Score: pair.Score, At: pair.At}
	}
	return out, nil
}

func (r mutationResolver) ResolveConflict(ctx context.Context, input gql.ResolveConflictInput) ([]*gql.Memory, error) {
	c := caller(ctx)
	if input.Keep != nil && *input.Keep == "" { // an empty id would mean: keep both
		return nil, graph.FieldError(graph.CodeInvalidRequest, "keep", "must be a or b, or null to keep both")
	}
	views, err := r.verbs.ResolveConflict(ctx, c, graph.ID(input.A), graph.ID(input.B), enumValue[graph.ID](input.Keep), valueOr(input.Reason, ""))
	if err != nil {
		return nil, err
	}
	return encodeMemories(r.load(c, views...)), nil
}

func (r mutationResolver) UndoRevision(ctx context.Context, id string) ([]*gql.Memory, error) {
	c := caller(ctx)
	views, err := r.verbs.UndoRevision(ctx, c, graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeMemories(r.load(c, views...)), nil
}

func (r mutationResolver) Feedback(ctx context.Context, query, id string, relevant *bool, user *string, outcome *gql.FeedbackOutcome) (*gql.Memory, error) {
	if relevant == nil && outcome == nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "relevant", "is required without an outcome")
	}
	c := caller(ctx)
	v, err := r.verbs.Feedback(ctx, c, engine.FeedbackInput{
		Query: query, ID: graph.ID(id), Relevant: valueOr(relevant, false), Outcome: engine.FeedbackOutcome(valueOr(outcome, "")), User: valueOr(user, ""),
	})
	return r.loadOne(c, v, err)
}

func (r mutationResolver) ReleaseEngrams(ctx context.Context, ids []string) ([]*gql.Memory, error) {
	c := caller(ctx)
	views, err := r.verbs.ReleaseEngrams(ctx, c, enumValues[graph.ID](ids))
	if err != nil {
		return nil, err
	}
	return encodeMemories(r.load(c, views...)), nil
}

func (r mutationResolver) WithdrawSource(ctx context.Context, input gql.WithdrawSourceInput) (*gql.Withdrawal, error) {
	space, err := namespace(input.Namespace)
	if err != nil {
		return nil, err
	}
	w, err := r.verbs.WithdrawSource(ctx, caller(ctx), input.Source, space, valueOr(input.Reason, ""), valueOr(input.DryRun, false))
	if err != nil {
		return nil, err
	}
	return &gql.Withdrawal{
		Withdrawal: w,
		Withdrawn:  len(w.Withdrawn), Descended: len(w.Descended), Rebuilt: len(w.Rebuilt), Restored: len(w.Restored),
	}, nil
}

func (r withdrawalResolver) WithdrawnIds(_ context.Context, obj *gql.Withdrawal, first *int) ([]string, error) {
	return firstIDStrings(obj.Withdrawal.Withdrawn, first)
}

func (r withdrawalResolver) DescendedIds(_ context.Context, obj *gql.Withdrawal, first *int) ([]string, error) {
	return firstIDStrings(obj.Withdrawal.Descended, first)
}

func (r withdrawalResolver) RebuiltIds(_ context.Context, obj *gql.Withdrawal, first *int) ([]string, error) {
	return firstIDStrings(obj.Withdrawal.Rebuilt, first)
}

func (r withdrawalResolver) SafetyCriticalIds(_ context.Context, obj *gql.Withdrawal, first *int) ([]string, error) {
	return firstIDStrings(obj.Withdrawal.SafetyCritical, first)
}

func (r withdrawalResolver) RestoredIds(_ context.Context, obj *gql.Withdrawal, first *int) ([]string, error) {
	return firstIDStrings(obj.Withdrawal.Restored, first)
}

func (r queryResolver) DecayForecast(ctx context.Context, days *int, namespaces []string, user *string, first *int) ([]*gql.DecayForecast, error) {
	c := caller(ctx)
	horizon, err := boundedInt("days", days, 30, 365)
	if err != nil {
		return nil, err
	}
	n, err := boundedInt("first", first, 50, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	found, err := r.verbs.DecayForecast(ctx, c, horizon, namespaces, valueOr(user, ""), n)
	if err != nil {
		return nil, err
	}
	views := convert(found, func(f engine.Forecast) *engine.View { return f.Memory })
	out := make([]*gql.DecayForecast, len(found))
	for i, self := range r.load(c, views...) {
		out[i] = &gql.DecayForecast{Memory: encodeMemory(self), FadesAt: found[i].FadesAt, ArchivesAt: nullableTime(found[i].Archives)}
	}
	return out, nil
}
