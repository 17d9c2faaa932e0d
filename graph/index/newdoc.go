package index

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/text"
)

// DocOf returns the Doc that the index would make of a memory, without its vector.
func DocOf(m *graph.Memory) *Doc { return newDoc(m, false) }

// newDoc makes the Doc of a memory.
func newDoc(m *graph.Memory, embedded bool) *Doc {
	return &Doc{
		ID:        m.ID,
		Ownership: &Ownership{Namespace: m.Namespace, User: m.User, Agent: m.Agent, Project: m.Project, Session: m.Session},
		Treatment: &Treatment{
			Type: canonical(graph.Types, m.Type), Consent: canonical(graph.Consents, m.Consent), SourceKind: canonical(graph.SourceKinds, m.SourceKind),
			Sensitivity: canonical(graph.Sensitivities, m.Sensitivity), Authority: m.Authority, Conflict: m.Conflict,
			DecayClass: canonical(graph.DecayClasses, m.DecayClass), DecayK: m.DecayK, Important: m.Important, SafetyCritical: m.SafetyCritical,
			Pattern: patternKind(m),
		},
		Timestamps: &Timestamps{CreatedAt: m.CreatedAt, RecordedAt: m.RecordedAt, AnchorAt: m.AnchorAt, ExpiresAt: m.ExpiresAt},
		Lineage: newLineage(m.Supersedes, m.SupersededBy, m.Version,
			m.Usage.Clone()),
		Subject: m.Subject, Tags: slices.Clone(m.Tags), Entities: slices.Clone(m.Entities),
		Importance: m.Importance, Confidence: m.Confidence, Salience: m.Salience,
		OccurredAt: m.OccurredAt, ValidFrom: m.ValidFrom,
		History: canonicalStates(m.History), Chain: sharedID(m.Chain, m.ID),
		QuestionShare: text.QuestionShare(m.Content), AboutUser: text.SpeaksOfUser(m.Content, graph.UserOf(m.User), m.SourceKind == graph.FromAssistant),
		Annotated: m.Annotated(), Embedded: embedded,
	}
}

// patternKind returns the kind of the pattern that a memory holds; empty for none.
func patternKind(m *graph.Memory) graph.PatternKind {
	if m.Pattern == nil {
		return ""
	}
	return canonical(graph.PatternKinds, m.Pattern.Kind)
}

// initialLineage is the lineage of a memory that has not changed.
var initialLineage = &Lineage{Version: 1}

func newLineage(supersedes, by graph.ID, version int, u graph.Usage) *Lineage {
	if supersedes == "" && by == "" && version == 1 && u.Count == 0 && len(u.Days) == 0 && u.Last.IsZero() {
		return initialLineage
	}
	return &Lineage{supersedes, by, version, u}
}

func canonicalStates(history []graph.State) []graph.State {
	out := slices.Clone(history)
	for i := range out {
		out[i].Status = canonical(graph.Statuses, out[i].Status)
		out[i].Tier = canonical(graph.Tiers, out[i].Tier)
	}
	return out
}

// canonical returns the value of the list that equals v, so that all users share one string.
func canonical[T comparable](values []T, v T) T {
	if i := slices.Index(values, v); i >= 0 {
		return values[i]
	}
	return v
}

// sharedID returns a. If b is equal, it returns b, so that both share their bytes.
func sharedID(a, b graph.ID) graph.ID {
	if a == b {
		return b
	}
	return a
}

// withUsage returns a copy of the Doc with another usage.
func (d *Doc) withUsage(at graph.Usage) *Doc {
	n, t := *d, *d.Lineage
	t.Usage, n.Lineage = at, &t
	return &n
}
