package erasure

import (
	"errors"
	"strings"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// anonymous is what an erasure keeps of a memory that is a matter of safety: what it says,
// with nobody in it. Nil where nothing is kept.
func (svc *Service) anonymisedCopy(r graph.Reader, job *erasureJob, m *graph.Memory) (*graph.Memory, error) {
	if !m.SafetyCritical || m.Status() != graph.Active || lifecycle.IsExpired(m, job.At) || m.Consent == graph.ConsentNone || job.Everything ||
		strings.HasPrefix(m.Source, anonymisedSourcePrefix) {
		return nil, nil
	}
	names := []string{m.User, m.Agent, job.User}
	for _, id := range m.Entities {
		x, err := r.Entity(id)
		if errors.Is(err, graph.ErrNotFound) {
			return nil, nil // who knows whose name it was
		}
		if err != nil {
			return nil, err
		}
		if x.Type == graph.Person {
			names = append(names, x.Name, x.Canonical)
		}
	}
	text, sure := anonymise(m.Content, names)
	if !sure {
		return nil, nil
	}
	id, err := svc.NewID(job.At)
	if err != nil {
		return nil, err
	}
	kept := &graph.Memory{
		ID: id, Chain: id, Version: 1, Namespace: m.Namespace, Type: m.Type, Content: text,
		Salience: m.Salience, Authority: m.Authority, Surprise: m.Surprise, Confidence: m.Confidence,
		Importance: m.Importance, Criticality: m.Criticality, DecayClass: m.DecayClass, SafetyCritical: true,
		Sensitivity: m.Sensitivity, Consent: m.Consent, SourceKind: graph.FromSystem, Source: job.anonymisedBy(),
		CreatedAt: job.At, UpdatedAt: job.At, RecordedAt: job.At, OccurredAt: job.At, ValidFrom: job.At, AnchorAt: job.At,
	}
	kept.Checksum = graph.Sum(kept.Content, kept.CreatedAt, kept.SourceKind, kept.Source)
	kept.SetState(job.At, func(s *graph.State) { s.Status, s.Tier = graph.Active, graph.L1 })
	return kept, nil
}

// anonymisedSource begins the source of what an erasure kept; the receipt's id follows.
const anonymisedSourcePrefix = "anonymised by "

// anonymised is the source of what this erasure keeps.
func (j *erasureJob) anonymisedBy() string { return anonymisedSourcePrefix + string(j.Receipt) }
