package index

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// newDoc is what the index keeps of a memory.
func newDoc(m *graph.Memory, embedded bool) *Doc {
	return &Doc{
		ID: m.ID, Namespace: m.Namespace, User: m.User, Agent: m.Agent, Project: m.Project,
		Session: m.Session, Subject: m.Subject,
		Type: known(graph.Types, m.Type), Consent: known(graph.Consents, m.Consent), SourceKind: known(graph.SourceKinds, m.SourceKind),
		Sensitivity: known(graph.Sensitivities, m.Sensitivity),
		Tags:        slices.Clone(m.Tags), Entities: slices.Clone(m.Entities),
		Authority: m.Authority, Importance: m.Importance, Confidence: m.Confidence,
		Salience: m.Salience, Conflict: m.Conflict,
		DecayClass: known(graph.DecayClasses, m.DecayClass), DecayK: m.DecayK,
		Important: m.Important, SafetyCritical: m.SafetyCritical,
		CreatedAt: m.CreatedAt, RecordedAt: m.RecordedAt, OccurredAt: m.OccurredAt,
		ValidFrom: m.ValidFrom, ExpiresAt: m.ExpiresAt, AnchorAt: m.AnchorAt,
		History: states(m.History),
		Chain:   shared(m.Chain, m.ID), Supersedes: m.Supersedes, SupersededBy: m.SupersededBy, Version: m.Version,
		Asks:     asking(m.Content),
		Self:     ofSelf(m),
		Usage:    graph.Usage{Count: m.Usage.Count, Days: slices.Clone(m.Usage.Days), Last: m.Usage.Last},
		Embedded: embedded,
	}
}

func states(history []graph.State) []graph.State {
	out := slices.Clone(history)
	for i := range out {
		out[i].Status = known(graph.Statuses, out[i].Status)
		out[i].Tier = known(graph.Tiers, out[i].Tier)
	}
	return out
}

// known is the value of the list that equals v, so that all share one string.
func known[T comparable](values []T, v T) T {
	if i := slices.Index(values, v); i >= 0 {
		return values[i]
	}
	return v
}

// shared is a, with the bytes of b where they are equal.
func shared(a, b graph.ID) graph.ID {
	if a == b {
		return b
	}
	return a
}

// used is the Doc with one more use at the instant.
func (d *Doc) used(at graph.Usage) *Doc {
	n := *d
	n.Usage = at
	return &n
}
