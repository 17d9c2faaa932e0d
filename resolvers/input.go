package resolvers

import (
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// or is what p points at, or what stands for null and omitted.
func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// word is a nullable enum value or string as one of the engine's; null is empty.
func word[To, From ~string](p *From) To {
	if p == nil {
		return ""
	}
	return To(*p)
}

func words[To, From ~string](list []From) []To {
	if list == nil {
		return nil
	}
	out := make([]To, len(list))
	for i, s := range list {
		out[i] = To(s)
	}
	return out
}

// count is an argument that bounds a list: null and omitted are otherwise, anything
// outside 1 to most is INVALID_REQUEST.
func count(field string, p *int, otherwise, most int) (int, error) {
	n := or(p, otherwise)
	if n < 1 || n > most {
		return 0, graph.FieldError(graph.CodeInvalidRequest, field, "must be 1 to %d", most)
	}
	return n, nil
}

func asOf(in *gql.AsOf) graph.AsOf {
	if in == nil {
		return graph.AsOf{}
	}
	return graph.AsOf{Recorded: or(in.Recorded, time.Time{}), Valid: or(in.Valid, time.Time{})}
}

func access(at *gql.AsOf, requireConsent, includeImplicit *bool, implicit bool) engine.Access {
	return engine.Access{AsOf: asOf(at), RequireConsent: or(requireConsent, false), IncludeImplicit: or(includeImplicit, implicit)}
}

// namespace refuses the empty name, which would silently mean the default.
func namespace(p *string) (string, error) {
	if p != nil && *p == "" {
		return "", graph.FieldError(graph.CodeInvalidRequest, "namespace", "must be 1 to 64 letters, digits or underscores")
	}
	return or(p, ""), nil
}

func rememberInput(in *gql.RememberInput) (engine.RememberInput, error) {
	space, err := namespace(in.Namespace)
	return engine.RememberInput{
		Content: in.Content, Consent: word[graph.Consent](in.Consent), Type: word[graph.Type](in.Type), Namespace: space,
		User: or(in.User, ""), Session: or(in.Session, ""), Project: or(in.Project, ""), Agent: or(in.Agent, ""),
		Subject: or(in.Subject, ""), Predicate: or(in.Predicate, ""), Object: or(in.Object, ""),
		SourceKind: word[graph.SourceKind](in.SourceKind), Source: or(in.Source, ""),
		Authority: in.Authority, Salience: in.Salience, Surprise: in.Surprise,
		Confidence: in.Confidence, Importance: in.Importance, Criticality: in.Criticality,
		Entities: in.Entities, Tags: in.Tags, Meta: in.Meta, DecayK: in.DecayK,
		DecayClass: word[graph.DecayClass](in.DecayClass), Sensitivity: word[graph.Sensitivity](in.Sensitivity), Priority: word[graph.Priority](in.Priority), TTLSeconds: in.TTLSeconds,
		ValidFrom: or(in.ValidFrom, time.Time{}), ValidTo: or(in.ValidTo, time.Time{}), OccurredAt: or(in.OccurredAt, time.Time{}),
		Important: or(in.Important, false), Core: or(in.Core, false), SafetyCritical: or(in.SafetyCritical, false),
		OnDuplicate: word[engine.OnDuplicate](in.OnDuplicate), IdempotencyKey: or(in.IdempotencyKey, ""),
	}, err
}

func searchInput(in gql.SearchInput) (engine.SearchInput, error) {
	topK, err := count("topK", in.TopK, 10, 100)
	return engine.SearchInput{
		Query: or(in.Query, ""), TopK: topK,
		Mode: word[engine.SearchMode](in.Mode), Effort: word[engine.Effort](in.Effort), Fusion: word[engine.Fusion](in.Fusion),
		Namespaces: in.Namespaces, User: or(in.User, ""), Project: or(in.Project, ""), Session: or(in.Session, ""),
		Types: words[graph.Type](in.Types), Tags: in.Tags, Statuses: words[graph.Status](in.Statuses),
		Since: or(in.Since, time.Time{}), Until: or(in.Until, time.Time{}),
		Access:       access(in.AsOf, in.RequireConsent, in.IncludeImplicit, false),
		MinAuthority: or(in.MinAuthority, 0), MinImportance: or(in.MinImportance, 0),
		Hops: in.Hops, Weights: weights(in.Weights), Track: or(in.Track, true),
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
		Namespaces: in.Namespaces, User: or(in.User, ""), Project: or(in.Project, ""), Session: or(in.Session, ""),
		Subject: or(in.Subject, ""), Entity: graph.ID(or(in.Entity, "")), Types: words[graph.Type](in.Types),
		Statuses: words[graph.Status](in.Statuses), Tags: in.Tags,
	}
}

func updateInput(in gql.UpdateInput) engine.UpdateInput {
	out := engine.UpdateInput{
		ID: graph.ID(in.ID), Importance: in.Importance, Tags: in.Tags, SetTags: in.Tags != nil,
		Priority: word[graph.Priority](in.Priority), Important: in.Important,
	}
	out.Meta, out.SetMeta = in.Meta.ValueOK()
	out.DecayK, out.SetDecayK = in.DecayK.ValueOK()
	return out
}

func adjudicateInput(in gql.AdjudicateInput) (engine.AdjudicateInput, error) {
	space, err := namespace(in.Namespace)
	out := engine.AdjudicateInput{
		Fact: in.Fact, Subject: in.Subject, Namespace: space, Consent: word[graph.Consent](in.Consent),
		IdempotencyKey: or(in.IdempotencyKey, ""),
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
		Deep: or(in.Deep, true), DryRun: or(in.DryRun, false), Wait: or(in.Wait, true),
	}
}

var directions = map[gql.Direction]graph.Direction{
	gql.DirectionOut: graph.Out, gql.DirectionIn: graph.In, gql.DirectionBoth: graph.Both,
}
