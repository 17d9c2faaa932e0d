package erasure

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// anonymisedCopy returns the copy that an erasure keeps of a safety-critical memory: its
// content without names. Nil if nothing is kept: ADR 17 and ADR 156. The copy is for everybody, so it is kept only if who erases may
// write for everybody, and not of what an agent keeps private or of a RESTRICTED memory. It has the voice of its source.
func (svc *Service) anonymisedCopy(r graph.Reader, job *erasureJob, m *graph.Memory) (*graph.Memory, error) {
	if job.Everything || !job.Shares || !isIncident(m) || lifecycle.IsExpired(m, job.At) {
		return nil, nil
	}
	names, err := lifecycle.PersonsNamed(r, m)
	if err != nil {
		return nil, err
	}
	text, sure := extract.Anonymise(m.Content, append(names, job.User))
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
		Sensitivity: m.Sensitivity, Consent: m.Consent, ConsentDefaulted: m.ConsentDefaulted, SourceKind: m.SourceKind, Source: job.anonymisedBy(),
		CreatedAt: job.At, UpdatedAt: job.At, RecordedAt: job.At, OccurredAt: job.At, ValidFrom: job.At, AnchorAt: job.At,
	}
	kept.Checksum = graph.Sum(kept.Content, kept.CreatedAt, kept.SourceKind, kept.Source)
	lifecycle.ReadClaims(kept, extract.Statement{}, job.At)
	lifecycle.DateClaims(kept)
	kept.SetState(job.At, func(s *graph.State) { s.Status, s.Tier = graph.Active, graph.L1 })
	return kept, nil
}

// isIncident reports a memory of which everybody may keep what it says without names: it is ACTIVE and safety-critical, was written with
// consent, is neither private nor RESTRICTED, and is no such copy itself.
func isIncident(m *graph.Memory) bool {
	return m.SafetyCritical && m.Status() == graph.Active && m.Consent != graph.ConsentNone && m.Sensitivity != graph.Restricted && graph.AgentOf(m.User) == "" &&
		!strings.HasPrefix(m.Source, anonymisedSourcePrefix)
}

// statesCare reports whether a memory states what harm follows from if it is not heeded, such as an allergy, that was not ended or withdrawn.
func statesCare(m *graph.Memory) bool {
	return slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
		s := c.State()
		return c.Modality == reader.Asserted.String() && s.RevisedBy == "" && !s.Withdrawn &&
			slices.ContainsFunc(attribute.Of(m, &c, s), func(x attribute.Stated) bool { return x.Attribute == attribute.Care })
	})
}

// anonymisedSourcePrefix is the prefix of the source of an anonymised copy. The receipt's
// id follows.
const anonymisedSourcePrefix = "anonymised by "

// anonymisedBy returns the source of the copies that this erasure keeps.
func (j *erasureJob) anonymisedBy() string { return anonymisedSourcePrefix + string(j.Receipt) }
