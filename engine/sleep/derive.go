package sleep

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/plasticity"
	"github.com/somnograph/somnograph/engine/rehearsal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// derivedImportance is the factor on the highest importance among its sources that gives
// the importance of a derived memory.
const derivedImportance = 0.9

// derivation is a derived memory before it is stored.
type derivation struct {
	memory  *graph.Memory // nil: nothing is derived
	vector  []float32     // nil: the embedder is unavailable
	covered map[graph.ID]bool
	sources []*graph.Memory // the memories whose words it may contain

	replaces []graph.ID // earlier folds of the same sources
}

// derive creates a memory from its sources. It has the owner of the sources, the lowest
// trust, and the highest salience and criticality. Its id is derived from the step, so that
// a repeated step creates no second memory.
func (run *sleepRun) derive(s plannedStep, kind graph.Type, text string, sources []*graph.Memory) (*graph.Memory, error) {
	id, err := run.derivedID(s)
	if err != nil {
		return nil, err
	}
	first, trust := sources[0], leastTrust(sources)
	m := &graph.Memory{
		ID: id, Chain: id, Version: 1, Namespace: first.Namespace, User: first.User, Project: first.Project,
		Type: kind, Content: text, DecayClass: lifecycle.DecayClassOf(kind),
		Authority: trust.Authority, Consent: trust.Consent, Sensitivity: trust.Sensitivity, ValidFrom: first.ValidFrom,
		SourceKind: graph.FromConsolidation, Source: string(run.checkpoint.ID), CreatedAt: run.checkpoint.At, AnchorAt: run.checkpoint.At, RecordedAt: run.checkpoint.At,
	}
	m.Checksum = graph.Sum(text, m.CreatedAt, m.SourceKind, m.Source)
	for _, x := range sources {
		left := decay.RetentionAt(workspace.DecayOf(x, x.State()), run.checkpoint.At)
		m.Salience = max(m.Salience, x.Salience*left)
		m.Importance = max(m.Importance, derivedImportance*x.Importance)
		m.Criticality = max(m.Criticality, x.Criticality)
		m.Confidence += x.Confidence / float64(len(sources))
		m.OccurredAt = lifecycle.Later(m.OccurredAt, x.OccurredAt)
		if x.Project != m.Project {
			m.Project = ""
		}
		m.ConsentDefaulted = m.ConsentDefaulted || x.ConsentDefaulted && x.Consent == m.Consent
		for _, entity := range x.Entities {
			if !slices.Contains(m.Entities, entity) && len(m.Entities) < graph.MaxEntities {
				m.Entities = append(m.Entities, entity)
			}
		}
	}
	m.Confidence = min(m.Confidence, plasticity.SingleSourceCap(m.Authority))
	lifecycle.ReadClaims(m, extract.Statement{}, m.OccurredAt)
	lifecycle.DateClaims(m)
	return m, nil
}

// derivedID returns the id of the memory that a step derives.
func (run *sleepRun) derivedID(s plannedStep) (graph.ID, error) {
	parts := []string{string(run.checkpoint.ID), string(s.Verb), s.Key}
	for _, id := range s.IDs {
		parts = append(parts, string(id))
	}
	return graph.DerivedID(run.checkpoint.At, parts...)
}

// sharedSubject returns the subject that all memories have; empty if there is none.
func sharedSubject(all []*graph.Memory) string {
	if slices.ContainsFunc(all, func(m *graph.Memory) bool { return m.Subject != all[0].Subject }) {
		return ""
	}
	return all[0].Subject
}

// embedded embeds a derivation that replaces its sources. Without a vector it would be harder to
// find than they are, so there is none until the embedder answers.
func (run *sleepRun) embedded(ctx context.Context, d derivation) (derivation, error) {
	if err := run.embed(ctx, &d); err != nil || d.vector == nil {
		return derivation{}, err
	}
	return d, nil
}

// embed embeds the derived memory. If the embedder is unavailable, the memory waits for its
// embedding like any other.
func (run *sleepRun) embed(ctx context.Context, d *derivation) error {
	if !run.svc.Ceilings.Embedder.Allows(d.memory) {
		return nil
	}
	vectors, err := run.svc.Embedder.Embed(ctx, []string{d.memory.Content}, models.Passage)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		run.svc.Log.Warn("[SLEEP] a derived memory could not be embedded; will retry in the background", "id", d.memory.ID, "error", err)
		return nil
	}
	d.vector, d.memory.EmbeddingModel = vectors[0], run.svc.Embedder.Name()
	return nil
}

// putDerivation stores a derived memory with edges to its sources. It reports false if the step stored it before.
func (b *batch) putDerivation(d derivation, sources []*graph.Memory) (stored bool, err error) {
	m := *d.memory
	if _, err := b.Memory(m.ID); err == nil {
		return false, nil
	} else if !errors.Is(err, graph.ErrNotFound) {
		return false, err
	}
	if m.Entities, err = existingEntities(b, m.Entities); err != nil {
		return false, err
	}
	p, err := b.run.policy(b, m.Namespace)
	if err != nil {
		return false, err
	}
	lifecycle.BindPolicy(&m, p)
	m.History = nil
	m.UpdatedAt = b.now
	m.SetState(b.now, func(s *graph.State) {
		s.Status, s.Tier = graph.Active, graph.L1
		if m.Type == graph.Semantic || m.Pattern != nil {
			s.Tier = graph.L2 // derived facts start there
		}
	})
	if err := b.PutMemory(&m, graph.EventCreated); err != nil {
		return false, err
	}
	if d.vector != nil {
		if err := b.PutEmbedding(m.ID, d.vector); err != nil {
			return false, err
		}
	}
	b.pending = b.pending || d.vector == nil
	slices.SortFunc(sources, func(x, y *graph.Memory) int { return cmp.Compare(x.ID, y.ID) })
	for _, source := range sources {
		if err := b.PutEdge(graph.Edge{From: m.ID, Kind: graph.DerivedFrom, To: source.ID, Weight: 1, At: b.now}); err != nil {
			return false, err
		}
	}
	return true, nil
}

// existingEntities returns the entities that still exist.
func existingEntities(r graph.Reader, ids []graph.ID) ([]graph.ID, error) {
	var left []graph.ID
	for _, id := range ids {
		_, err := r.Entity(id)
		known, err := graph.Found(err)
		if err != nil {
			return nil, err
		}
		if known {
			left = append(left, id)
		}
	}
	return left, nil
}

// activeSources reads the memories that are still ACTIVE and have consent, by time. Of a
// safety-critical one it returns a copy that names nobody.
func (run *sleepRun) activeSources(ctx context.Context, ids []graph.ID) ([]*graph.Memory, error) {
	var sources []*graph.Memory
	err := run.view(ctx, func(r graph.Reader) error {
		found, err := graph.Undamaged(r, ids)
		sources = slices.DeleteFunc(found, func(m *graph.Memory) bool {
			return m == nil || m.Status() != graph.Active || m.Consent == graph.ConsentNone
		})
		if err != nil {
			return err
		}
		sources, err = withoutPersons(r, sources)
		return err
	})
	slices.SortStableFunc(sources, func(a, b *graph.Memory) int { return a.OccurredAt.Compare(b.OccurredAt) })
	return sources, err
}

// withoutPersons replaces safety-critical memories by copies whose text names nobody, and leaves out
// those of which that is not certain: what is derived from an incident outlives it and is read in
// other connections.
func withoutPersons(r graph.Reader, sources []*graph.Memory) ([]*graph.Memory, error) {
	var out []*graph.Memory
	for _, m := range sources {
		if m.SafetyCritical {
			names, err := lifecycle.PersonsNamed(r, m)
			if err != nil {
				return nil, err
			}
			text, sure := extract.Anonymise(m.Content, names)
			if !sure {
				continue
			}
			m = rehearsal.CopyOf(m)
			m.Content, m.Summary, m.Entities = text, "", nil
		}
		out = append(out, m)
	}
	return out, nil
}

// distilSource converts a memory for package distil.
func (run *sleepRun) distilSource(m *graph.Memory) distil.Source {
	return distil.Source{
		ID: m.ID, Text: m.Content, At: m.OccurredAt, Speaker: m.Agent, Session: m.Session, Revises: m.Supersedes != "",
		Weight: m.Importance * decay.RetentionAt(workspace.DecayOf(m, m.State()), run.checkpoint.At),
	}
}

func (run *sleepRun) distilSources(all []*graph.Memory) []distil.Source {
	out := make([]distil.Source, len(all))
	for i, m := range all {
		out[i] = run.distilSource(m)
	}
	return out
}
