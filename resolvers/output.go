package resolvers

import (
	"encoding/json"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/kin"
)

// null is a value as GraphQL has it: what is empty inside is null outside.
func null[To, From ~string](s From) *To {
	if s == "" {
		return nil
	}
	to := To(s)
	return &to
}

func instant(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// said is s, or what stands for it in an erased memory, which says nothing any more.
func said[To, From ~string](s From, erased To) To {
	if s == "" {
		return erased
	}
	return To(s)
}

func idStrings(ids []graph.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

func memories(members []kin.Member) []*gql.Memory {
	out := make([]*gql.Memory, 0, len(members))
	for _, m := range members {
		if m.View != nil {
			out = append(out, memory(m))
		}
	}
	return out
}

// memory is a memory in the words of the schema; nil where there is none.
func memory(self kin.Member) *gql.Memory {
	v := self.View
	if v == nil {
		return nil
	}
	m := v.Memory
	out := &gql.Memory{
		Self: self,
		ID:   string(m.ID), Content: null[string](m.Content), Unavailable: itemError(v.Unavailable), Summary: null[string](m.Summary),
		Type: said(m.Type, gql.MemoryTypeEpisodic), Tier: gql.Tier(v.State.Tier), Status: gql.MemoryStatus(v.State.Status),
		Namespace: m.Namespace, User: null[string](m.User), Session: null[string](m.Session),
		Project: null[string](m.Project), Agent: null[string](m.Agent),
		Subject: null[string](m.Subject), Predicate: null[string](m.Predicate), Object: null[string](m.Object),
		Consent: said(m.Consent, gql.ConsentNone), SourceKind: said(m.SourceKind, gql.SourceKindSystem), Source: null[string](m.Source),
		Tags: m.Tags, Meta: m.Meta,
		Salience: m.Salience, Usage: m.Usage.Count, UsageDays: len(m.Usage.Days), Authority: m.Authority,
		Conflict: m.Conflict, Surprise: m.Surprise, Confidence: m.Confidence, Importance: m.Importance,
		Criticality: m.Criticality, Retention: v.Retention, DecayClass: said(m.DecayClass, gql.DecayClassNone),
		Core: v.State.Core, Version: m.Version, Checksum: null[string](m.Checksum),
		CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, LastAccessedAt: m.LastAccessedAt(), RecordedAt: m.RecordedAt,
		OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom, ValidTo: instant(v.State.ValidTo), ExpiresAt: instant(m.ExpiresAt),
		SupersededAt: supersededAt(v), Priority: null[gql.Priority](m.Priority), Important: m.Important,
		SafetyCritical: m.SafetyCritical, Chain: string(m.Chain), Reason: null[string](m.Reason),
		EmbeddingModel: null[string](m.EmbeddingModel), DeletedAt: instant(m.DeletedAt),
		Sensitivity: null[gql.Sensitivity](m.Sensitivity),
	}
	if m.DecayK > 0 {
		out.DecayK = &m.DecayK
	}
	if v.Unavailable != nil {
		out.Content, out.Summary = nil, nil
	}
	return out
}

// supersededAt is null where the read stands before it.
func supersededAt(v *engine.View) *time.Time {
	t, at := v.SupersededAt(), v.Access.AsOf.Recorded
	if !at.IsZero() && t.After(at) {
		return nil
	}
	return instant(t)
}

func itemError(e *graph.Error) *gql.ItemError {
	if e == nil {
		return nil
	}
	return &gql.ItemError{Code: gql.ErrorCode(e.Code), Message: e.Sentence(), Field: null[string](e.Field)}
}

func entity(v *engine.EntityView) *gql.Entity {
	if v == nil {
		return nil
	}
	return &gql.Entity{
		ID: string(v.ID), Name: v.Name, Type: gql.EntityType(v.Type), MentionCount: v.MentionCount,
		Namespace: v.Namespace, User: null[string](v.User), FirstSeen: v.FirstSeen, LastSeen: instant(v.LastSeen),
	}
}

func relation(r kin.Relation) *gql.Relation {
	v := r.View
	return &gql.Relation{
		Self: r,
		ID:   string(v.ID), Predicate: v.Predicate, Strength: v.Strength, Weight: v.Weight, Confidence: v.Confidence,
		ValidFrom: v.ValidFrom, ValidTo: instant(v.ValidTo), EventTime: instant(v.EventTime), RecordedAt: v.RecordedAt,
	}
}

func parts(p rank.Parts) *gql.ScoreParts {
	return &gql.ScoreParts{
		Semantic: p.Semantic, Keyword: p.Keyword, Recency: p.Recency, Importance: p.Importance,
		Project: p.Project, Entity: p.Entity, Task: p.Task,
	}
}

// hit is a hit with its explanation only where that is asked for: writing it takes as long as
// the rest.
func hit(h engine.Hit, self kin.Member, explained bool) (*gql.Hit, error) {
	out := &gql.Hit{
		Memory: memory(self), Score: h.Score, Label: gql.HitLabel(h.Label), Parts: parts(h.Parts), Path: idStrings(h.Path),
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

func neighbourhood(r *engine.RelatedResult, members []kin.Member) *gql.Neighbourhood {
	out := &gql.Neighbourhood{Memories: memories(members), Truncated: r.Truncated}
	for _, e := range r.Edges {
		out.Edges = append(out.Edges, edge(e))
	}
	return out
}

func edge(e engine.EdgeView) *gql.Edge {
	return &gql.Edge{From: string(e.From), To: string(e.To), Kind: gql.EdgeKind(e.Kind), Weight: e.Weight}
}

func receipt(r *graph.Receipt) *gql.DeletionReceipt {
	return &gql.DeletionReceipt{
		ID: string(r.ID), Status: gql.DeletionStatus(r.Status), Count: r.Count, Hash: r.Hash, Anonymised: r.Anonymised,
		RequestedAt: r.RequestedAt, CompletedAt: instant(r.CompletedAt),
	}
}
