package resolvers

import (
	"encoding/json"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

// nullable converts a value for GraphQL; empty becomes null.
func nullable[To, From ~string](s From) *To {
	if s == "" {
		return nil
	}
	to := To(s)
	return &to
}

func nullableTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// orErased returns s, or the value of an erased memory if s is empty.
func orErased[To, From ~string](s From, erased To) To {
	if s == "" {
		return erased
	}
	return To(s)
}

func idStrings(ids []graph.ID) []string {
	return convert(ids, func(id graph.ID) string { return string(id) })
}

func encodeMemories(members []loader.Memory) []*gql.Memory {
	out := make([]*gql.Memory, 0, len(members))
	for _, m := range members {
		if m.View != nil {
			out = append(out, encodeMemory(m))
		}
	}
	return out
}

// encodeMemory converts a memory; nil if there is none.
func encodeMemory(self loader.Memory) *gql.Memory {
	v := self.View
	if v == nil {
		return nil
	}
	m := v.Memory
	out := &gql.Memory{
		Self: self,
		ID:   string(m.ID), ExternalID: nullable[string](m.ExternalID), Content: nullable[string](m.Content), Unavailable: encodeItemError(v.Unavailable),
		Type: orErased(m.Type, gql.MemoryTypeEpisodic), Tier: gql.Tier(v.State.Tier), Status: gql.MemoryStatus(v.State.Status),
		Namespace: m.Namespace, User: nullable[string](graph.UserOf(m.User)), Session: nullable[string](m.Session),
		Project: nullable[string](m.Project), Agent: nullable[string](m.Agent), Private: graph.AgentOf(m.User) != "",
		Subject: nullable[string](m.Subject), Predicate: nullable[string](m.Predicate), Object: nullable[string](m.Object),
		Consent: orErased(m.Consent, gql.ConsentNone), ConsentDefaulted: m.ConsentDefaulted, SourceKind: orErased(m.SourceKind, gql.SourceKindSystem), Source: nullable[string](m.Source),
		Tags: m.Tags, Meta: m.Meta, ToolCalls: encodeToolCalls(m.ToolCalls),
		Salience: m.Salience, Usage: m.Usage.Count, UsageDays: len(m.Usage.Days), Authority: m.Authority,
		Conflict: m.Conflict, Surprise: m.Surprise, Confidence: m.Confidence, Importance: m.Importance,
		Criticality: m.Criticality, Retention: v.Retention, DecayClass: orErased(m.DecayClass, gql.DecayClassNone),
		Core: v.State.Core, Version: m.Version, Checksum: nullable[string](m.Checksum),
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, LastAccessedAt: m.LastAccessedAt(), RecordedAt: m.RecordedAt,
		OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom, ValidTo: nullableTime(v.State.ValidTo), ExpiresAt: nullableTime(m.ExpiresAt),
		SupersededAt: supersededAt(v), Priority: nullable[gql.Priority](m.Priority), Important: m.Important,
		SafetyCritical: m.SafetyCritical, Chain: string(m.Chain), Reason: nullable[string](m.Reason),
		EmbeddingModel: nullable[string](m.EmbeddingModel), DeletedAt: nullableTime(m.DeletedAt),
		Sensitivity: nullable[gql.Sensitivity](m.Sensitivity),
	}
	if m.DecayK > 0 {
		out.DecayK = &m.DecayK
	}
	encodeChunk(out, m.Chunk)
	if p := m.Procedure; p != nil {
		out.Trigger, out.Steps = nullable[string](p.Trigger), p.Steps
	}
	if v.Unavailable != nil {
		out.Content = nil
	}
	return out
}

// supersededAt is null if the memory was not superseded yet at the time of the read.
func supersededAt(v *engine.View) *time.Time {
	t, at := v.SupersededAt(), v.Access.AsOf.Recorded
	if !at.IsZero() && t.After(at) {
		return nil
	}
	return nullableTime(t)
}

func encodeItemError(e *graph.Error) *gql.ItemError {
	if e == nil {
		return nil
	}
	return &gql.ItemError{Code: gql.ErrorCode(e.Code), Message: e.Sentence(), Field: nullable[string](e.Field)}
}

func encodeEntity(v *engine.EntityView) *gql.Entity {
	if v == nil {
		return nil
	}
	return &gql.Entity{
		ID: string(v.ID), Name: v.Name, Type: gql.EntityType(v.Type), MentionCount: v.MentionCount,
		Namespace: v.Namespace, User: nullable[string](graph.UserOf(v.User)), FirstSeen: v.FirstSeen, LastSeen: nullableTime(v.LastSeen),
	}
}

func encodeRelation(r loader.Relation) *gql.Relation {
	v := r.View
	return &gql.Relation{
		Self: r,
		ID:   string(v.ID), Predicate: v.Predicate, Strength: v.Strength, Weight: v.Weight, Confidence: v.Confidence,
		ValidFrom: v.ValidFrom, ValidTo: nullableTime(v.ValidTo), EventTime: nullableTime(v.EventTime), RecordedAt: v.RecordedAt,
	}
}

func encodeParts(p rank.Parts) *gql.ScoreParts {
	return &gql.ScoreParts{
		Semantic: p.Semantic, Keyword: p.Keyword, Recency: p.Recency, Importance: p.Importance,
		Project: p.Project, Entity: p.Entity, Task: p.Task,
	}
}

// encodeHit converts a hit. The explanation is included only if requested, because it takes as
// long as everything else.
func encodeHit(h engine.Hit, self loader.Memory, explained bool) (*gql.Hit, error) {
	out := &gql.Hit{
		Memory: encodeMemory(self), Score: h.Score, Label: gql.HitLabel(h.Label), Parts: encodeParts(h.Parts), Path: idStrings(h.Path),
		RivalIDs: idStrings(h.Rivals), Tier: gql.HitTier(h.Tier),
	}
	if explained && h.Explain != nil {
		var err error
		if out.Explanation, err = json.Marshal(h.Explain()); err != nil {
			return nil, err
		}
	}
	for _, p := range h.Provenance {
		out.Provenance = append(out.Provenance, &gql.Provenance{Store: gql.MemoryStore(p.Store), ID: string(p.ID), Version: p.Version})
	}
	return out, nil
}

func encodeReceipt(r *graph.Receipt) *gql.DeletionReceipt {
	out := &gql.DeletionReceipt{
		ID: string(r.ID), Status: gql.DeletionStatus(r.Status), Count: r.Count, Hash: r.Hash, Anonymised: r.Anonymised,
		RequestedAt: r.RequestedAt, CompletedAt: nullableTime(r.CompletedAt), Forecast: r.Forecast,
	}
	if r.Forecast != nil {
		out.Mentions, out.SafetyCriticalLost = &r.Forecast.Mentions, idStrings(r.Forecast.SafetyLost)
	}
	return out
}
