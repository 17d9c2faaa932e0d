package ingest

import (
	"cmp"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// DraftChunk validates a chunk of a document and drafts it. The text says what the document says,
// so the draft has claims and entities, but no subject of its own, and its source kind is DOCUMENT.
// The error names the faulty field of in.
func (svc *Service) DraftChunk(c workspace.Caller, in RememberInput, chunk graph.Chunk) (*Draft, *graph.Error) {
	surprise := 0.0 // reference material is not compared with what is known
	in.Type, in.SourceKind, in.OnDuplicate, in.Surprise = graph.Document, graph.FromDocument, Insert, &surprise
	in.User, in.Agent = cmp.Or(in.User, c.User), cmp.Or(in.Agent, c.Agent)
	d, err := svc.prepare(c, in)
	if err != nil {
		return nil, err
	}
	d.Statement = extract.Statement{}
	m := d.Memory
	m.Subject, m.Predicate, m.Object, m.Stated, m.Chunk = "", "", "", false, &chunk
	return d, nil
}

// NewChunk writes a drafted chunk as the next version of previous, or as a first version if that is
// nil. With staged it is ARCHIVED until RestoreChunk. A chunk contests and revises nothing: an
// older text of the document ends only with EndChunk.
func (s *WriteTx) NewChunk(d *Draft, previous *graph.Memory, staged bool) (*graph.Memory, error) {
	p, err := s.Policy(d.Memory.Namespace)
	if err != nil {
		return nil, err
	}
	if err := lifecycle.Admits(p, d.Memory.Consent); err != nil {
		return nil, err
	}
	m, err := s.NewMemory(d)
	if err != nil {
		return nil, err
	}
	chunk := *d.Memory.Chunk
	m.Chunk = &chunk
	core := false
	if previous != nil {
		number, err := lastVersion(s.Tx, previous)
		if err != nil {
			return nil, err
		}
		m.Chain, m.Version, m.Supersedes, core = previous.Chain, number+1, previous.ID, previous.State().Core
	}
	r, err := s.ScoreNew(m, d, nil, nil)
	if err != nil {
		return nil, err
	}
	m.SetState(s.Now, func(st *graph.State) {
		st.Status, st.Tier, st.Core = graph.Active, graph.L1, core
		if staged {
			st.Status, st.Core = graph.Archived, false
		}
		if r.Promoted {
			st.Tier = graph.L2
		}
	})
	if d.Vector != nil {
		m.EmbeddingModel = s.svc.Embedder.Name()
	}
	return m, s.PutAs(graph.EventCreated, m, d.Vector, nil)
}

// MayEndChunk returns nil if the caller may end a chunk, and FORBIDDEN otherwise: its grant is below
// the authority of the chunk, or the chunk belongs to nobody, is core or safety-critical.
func MayEndChunk(c workspace.Caller, m *graph.Memory) error {
	if !InPlace(m) && m.Status() != graph.Archived {
		return nil
	}
	if m.SafetyCritical {
		return safetyError("path")
	}
	return mayEnd(c, m)
}

// EndChunk ends a chunk that its document no longer has: it becomes SUPERSEDED by the chunk that
// takes its place, or EXPIRED if by is nil. A chunk that has ended, or that is safety-critical,
// is left as it is.
func (s *WriteTx) EndChunk(old, by *graph.Memory) (ended bool, err error) {
	if !InPlace(old) && old.Status() != graph.Archived || old.SafetyCritical {
		return false, nil
	}
	if err := lifecycle.RecomputeConflicts(s.Tx, old, s.Now); err != nil {
		return false, err
	}
	if err := s.withdrawSummaries(old); err != nil {
		return false, err
	}
	kind := graph.EventExpired
	old.SetState(s.Now, func(st *graph.State) {
		st.Status, st.Core = graph.Expired, false
		if by != nil {
			st.Status = graph.Superseded
			if st.ValidTo.IsZero() || st.ValidTo.After(by.ValidFrom) {
				st.ValidTo = by.ValidFrom
			}
		}
	})
	if by != nil {
		kind, old.SupersededBy = graph.EventSuperseded, by.ID
	}
	old.UpdatedAt = s.Now
	if err := lifecycle.Unmerge(s.Tx, old); err != nil {
		return false, err
	}
	return true, s.Tx.PutMemory(old, kind)
}

// RestoreChunk makes a chunk that had ended, or that was staged, ACTIVE again at a position.
func (s *WriteTx) RestoreChunk(m *graph.Memory, index int) error {
	m.Chunk.Index = index
	return lifecycle.Reactivate(s.Tx, m, s.Now)
}

// MoveChunk changes the position of a chunk.
func (s *WriteTx) MoveChunk(m *graph.Memory, index int) error {
	m.Chunk.Index, m.UpdatedAt = index, s.Now
	return s.Tx.PutMemory(m, graph.EventUpdated)
}

// InPlace reports whether a chunk stands for its part of the document.
func InPlace(m *graph.Memory) bool {
	return m.Status() == graph.Active || m.Status() == graph.Consolidated
}

// Restorable reports whether a chunk that has ended can become ACTIVE again.
func Restorable(m *graph.Memory, now time.Time) bool {
	switch m.Status() {
	case graph.Archived, graph.Superseded, graph.Expired:
		return m.ExpiresAt.IsZero() || m.ExpiresAt.After(now)
	}
	return false
}
