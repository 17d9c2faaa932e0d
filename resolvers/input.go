package resolvers

import (
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// valueOr returns *p, or otherwise for null or an omitted value.
func valueOr[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// enumValue converts a nullable enum value or string to an engine type; null becomes "".
func enumValue[To, From ~string](p *From) To {
	if p == nil {
		return ""
	}
	return To(*p)
}

func enumValues[To, From ~string](list []From) []To {
	if list == nil {
		return nil
	}
	return convert(list, func(s From) To { return To(s) })
}

// convert converts the elements of a list.
func convert[From, To any](list []From, one func(From) To) []To {
	out := make([]To, len(list))
	for i, v := range list {
		out[i] = one(v)
	}
	return out
}

// boundedInt returns an integer argument from 1 to most, or otherwise if it is null or omitted.
// Other values are INVALID_REQUEST.
func boundedInt(field string, p *int, otherwise, limit int) (int, error) {
	n := valueOr(p, otherwise)
	if n < 1 || n > limit {
		return 0, graph.FieldError(graph.CodeInvalidRequest, field, "must be 1 to %d", limit)
	}
	return n, nil
}

func asOf(in *gql.AsOf) graph.AsOf {
	if in == nil {
		return graph.AsOf{}
	}
	return graph.AsOf{Recorded: valueOr(in.Recorded, time.Time{}), Valid: valueOr(in.Valid, time.Time{})}
}

func accessOf(at *gql.AsOf, requireConsent, includeImplicit *bool, implicit bool) engine.Access {
	return engine.Access{AsOf: asOf(at), RequireConsent: valueOr(requireConsent, false), IncludeImplicit: valueOr(includeImplicit, implicit)}
}

// namespace refuses the empty name, which would silently mean the default.
func namespace(p *string) (string, error) {
	if p != nil && *p == "" {
		return "", graph.NamespaceError("namespace")
	}
	return valueOr(p, ""), nil
}

// externalID refuses the empty name, which would silently mean none.
func externalID(p *string) (string, error) {
	if p != nil && *p == "" {
		return "", graph.FieldError(graph.CodeInvalidRequest, "externalId", "must be 1 to %d bytes of UTF-8", graph.MaxName)
	}
	return valueOr(p, ""), nil
}

func rememberInput(in *gql.RememberInput) (engine.RememberInput, error) {
	space, err := namespace(in.Namespace)
	if err != nil {
		return engine.RememberInput{}, err
	}
	external, err := externalID(in.ExternalID)
	return engine.RememberInput{
		Content: in.Content, Consent: enumValue[graph.Consent](in.Consent), Type: enumValue[graph.Type](in.Type), Namespace: space,
		User: valueOr(in.User, ""), Session: valueOr(in.Session, ""), Project: valueOr(in.Project, ""), Agent: valueOr(in.Agent, ""),
		Subject: valueOr(in.Subject, ""), Predicate: valueOr(in.Predicate, ""), Object: valueOr(in.Object, ""),
		SourceKind: enumValue[graph.SourceKind](in.SourceKind), Source: valueOr(in.Source, ""),
		Authority: in.Authority, Salience: in.Salience, Surprise: in.Surprise,
		Confidence: in.Confidence, Importance: in.Importance, Criticality: in.Criticality,
		Entities: in.Entities, Tags: in.Tags, Meta: in.Meta, DecayK: in.DecayK,
		DecayClass: enumValue[graph.DecayClass](in.DecayClass), Sensitivity: enumValue[graph.Sensitivity](in.Sensitivity), Priority: enumValue[graph.Priority](in.Priority), TTLSeconds: in.TTLSeconds,
		ValidFrom: valueOr(in.ValidFrom, time.Time{}), ValidTo: valueOr(in.ValidTo, time.Time{}), OccurredAt: valueOr(in.OccurredAt, time.Time{}),
		Important: valueOr(in.Important, false), Core: valueOr(in.Core, false), SafetyCritical: valueOr(in.SafetyCritical, false),
		OnDuplicate: enumValue[engine.OnDuplicate](in.OnDuplicate), IdempotencyKey: valueOr(in.IdempotencyKey, ""),
		Private: valueOr(in.Private, false), ExternalID: external, Trigger: valueOr(in.Trigger, ""), Steps: in.Steps, LearnedFrom: enumValues[graph.ID](in.LearnedFrom),
		Cites: enumValue[graph.ID](in.Cites),
	}, err
}

func searchInput(in gql.SearchInput) (engine.SearchInput, error) {
	topK, err := boundedInt("topK", in.TopK, 10, 100)
	return engine.SearchInput{
		Query: valueOr(in.Query, ""), TopK: topK,
		Mode: enumValue[engine.SearchMode](in.Mode), Effort: enumValue[engine.Effort](in.Effort), Fusion: enumValue[engine.Fusion](in.Fusion),
		Namespaces: in.Namespaces, User: valueOr(in.User, ""), Project: valueOr(in.Project, ""), Session: valueOr(in.Session, ""),
		Types: enumValues[graph.Type](in.Types), Tags: in.Tags, Statuses: enumValues[graph.Status](in.Statuses),
		Since: valueOr(in.Since, time.Time{}), Until: valueOr(in.Until, time.Time{}),
		Access:       accessOf(in.AsOf, in.RequireConsent, in.IncludeImplicit, false),
		MinAuthority: valueOr(in.MinAuthority, 0), MinImportance: valueOr(in.MinImportance, 0),
		Hops: in.Hops, Weights: weights(in.Weights), Track: valueOr(in.Track, true), AskedIn: valueOr(in.AskedIn, ""), MinScoreRatio: in.MinScoreRatio,
		Order: enumValue[engine.SearchOrder](in.Order), TierPreference: enumValue[engine.TierPreference](in.TierPreference),
	}, err
}

func weights(in *gql.WeightsInput) *rank.Overrides {
	if in == nil {
		return nil
	}
	return &rank.Overrides{
		Semantic: in.Semantic, Keyword: in.Keyword, Recency: in.Recency, Importance: in.Importance,
		Project: in.Project, Entity: in.Entity, Task: in.Task,
	}
}

func listInput(in *gql.MemoryFilter) engine.ListInput {
	if in == nil {
		return engine.ListInput{}
	}
	return engine.ListInput{
		Namespaces: in.Namespaces, User: valueOr(in.User, ""), Project: valueOr(in.Project, ""), Session: valueOr(in.Session, ""),
		Subject: valueOr(in.Subject, ""), Entity: graph.ID(valueOr(in.Entity, "")), Types: enumValues[graph.Type](in.Types),
		Statuses: enumValues[graph.Status](in.Statuses), Tags: in.Tags,
	}
}

func updateInput(in gql.UpdateInput) engine.UpdateInput {
	out := engine.UpdateInput{
		ID: graph.ID(in.ID), Importance: in.Importance, Tags: in.Tags, SetTags: in.Tags != nil,
		Priority: enumValue[graph.Priority](in.Priority), Important: in.Important,
	}
	out.Meta, out.SetMeta = in.Meta.ValueOK()
	out.DecayK, out.SetDecayK = in.DecayK.ValueOK()
	return out
}

func adjudicateInput(in gql.AdjudicateInput) (engine.AdjudicateInput, error) {
	space, err := namespace(in.Namespace)
	out := engine.AdjudicateInput{
		Fact: in.Fact, Subject: in.Subject, Namespace: space, Consent: enumValue[graph.Consent](in.Consent),
		IdempotencyKey: valueOr(in.IdempotencyKey, ""), User: valueOr(in.User, ""),
	}
	for _, e := range in.Evidence {
		out.Evidence = append(out.Evidence, engine.Evidence{Source: e.Source, Weight: e.Weight, Confidence: e.Confidence})
	}
	return out, err
}

func sleepInput(in *gql.SleepInput) engine.SleepInput {
	if in == nil {
		return engine.SleepInput{Deep: true, Wait: true}
	}
	return engine.SleepInput{
		MaxItems: in.MaxItems, MaxSeconds: in.MaxSeconds,
		Deep: valueOr(in.Deep, true), DryRun: valueOr(in.DryRun, false), Wait: valueOr(in.Wait, true),
	}
}

var directions = map[gql.Direction]graph.Direction{
	gql.DirectionOut: graph.Out, gql.DirectionIn: graph.In, gql.DirectionBoth: graph.Both,
}
