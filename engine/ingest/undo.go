package ingest

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// undoneConflict is the conflict of two memories whose revision was taken back, [0,1].
const undoneConflict = 0.5

// UndoRevision takes back what a memory revised. The memory and those that it revised are
// ACTIVE and in conflict, and the memory begins a chain of its own. None of the pairs is
// revised again by a write. UndoRevision returns the memory and then the others. The error is
// MEMORY_NOT_FOUND for an unknown id, INVALID_REQUEST if the memory revised nothing,
// VERSION_CONFLICT if it has a newer version, and FORBIDDEN if the grant of the caller is
// below the authority of the memory.
func (svc *Service) UndoRevision(ctx context.Context, c workspace.Caller, id graph.ID) ([]*workspace.View, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	return svc.changeBeliefs(ctx, c, func(s *WriteTx) ([]*graph.Memory, error) {
		ids, err := s.undo(c, id)
		if err != nil {
			return nil, err
		}
		return s.Tx.Memories(ids)
	})
}

// undo is one run of the transaction. It returns the ids of the memories that are ACTIVE
// again, that of the newer one first.
func (s *WriteTx) undo(c workspace.Caller, id graph.ID) ([]graph.ID, error) {
	m, err := workspace.LoadOwned(s.Tx, c, id)
	if err != nil {
		return nil, err
	}
	if err := s.mayReplace(c, m); err != nil {
		return nil, err
	}
	edges, err := s.Tx.Edges(id, graph.Out, graph.Revises)
	if err != nil {
		return nil, err
	}
	edges = slices.DeleteFunc(edges, func(e graph.Edge) bool { return e.Weight == 0 })
	if len(edges) == 0 {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "has revised nothing")
	}
	if m.Status() != graph.Active {
		return nil, graph.FieldError(graph.CodeVersionConflict, "id", "is %s, not ACTIVE", m.Status())
	}
	if err := s.beginChain(m); err != nil {
		return nil, err
	}
	ids := []graph.ID{id}
	for _, edge := range edges {
		old, err := s.Tx.Memory(edge.To)
		if err != nil {
			return nil, err
		}
		moved, err := s.movedBack(old, edge.At)
		if err != nil {
			return nil, err
		}
		edge.Weight, edge.At = 0, s.Now
		if err := s.Tx.PutEdge(edge); err != nil {
			return nil, err
		}
		part := reopenClaims(old, id, s.Now) || moved
		if !part && (old.Status() != graph.Superseded || old.SupersededBy != id) || part && old.Status() != graph.Active {
			continue // erased, or superseded by hand since
		}
		if err := s.noteTakenBack(old, m); err != nil {
			return nil, err
		}
		if err := s.Tx.PutEdge(graph.Edge{From: id, Kind: graph.Contradicts, To: old.ID, Weight: undoneConflict, At: s.Now}); err != nil {
			return nil, err
		}
		if err := s.contestRestored(old.ID); err != nil {
			return nil, err
		}
		if part {
			old.UpdatedAt = s.Now
			err = s.Tx.PutMemory(old, graph.EventUpdated)
			if err == nil {
				err = lifecycle.RecomputeReactivated(s.Tx, old, s.Now)
			}
		} else {
			err = s.reopen(old)
		}
		if err != nil {
			return nil, err
		}
		ids = append(ids, old.ID)
	}
	return ids, nil
}

// contestRestored puts a memory that holds again in conflict with what its withdrawal had restored.
func (s *WriteTx) contestRestored(id graph.ID) error {
	edges, err := s.Tx.Edges(id, graph.Out, graph.Revises)
	if err != nil {
		return err
	}
	for _, edge := range edges {
		if edge.Weight > 0 {
			continue
		}
		m, err := s.Tx.Memory(edge.To)
		if err != nil {
			return err
		}
		if m.Status() == graph.Active {
			if err := s.Tx.PutEdge(graph.Edge{From: id, Kind: graph.Contradicts, To: m.ID, Weight: undoneConflict, At: s.Now}); err != nil {
				return err
			}
		}
	}
	return nil
}

// beginChain makes m the first version of a chain of its own.
func (s *WriteTx) beginChain(m *graph.Memory) error {
	if m.Chain == m.ID {
		return nil
	}
	m.Chain, m.Version, m.Supersedes, m.Reason, m.UpdatedAt = m.ID, 1, "", "", s.Now
	return s.Tx.PutMemory(m, graph.EventUpdated)
}

// reopenClaims opens the claims of a memory again that another one revised, and reports
// whether there are any.
func reopenClaims(m *graph.Memory, by graph.ID, now time.Time) bool {
	found := false
	for i := range m.Claims {
		c := &m.Claims[i]
		if c.State().RevisedBy != by {
			continue
		}
		found = true
		var before graph.ClaimState
		for _, state := range slices.Backward(c.History) {
			if state.RevisedBy != by {
				before = state
				break
			}
		}
		c.SetState(now, func(st *graph.ClaimState) {
			st.RevisedBy, st.Withdrawn, st.ValidTo = before.RevisedBy, before.Withdrawn, before.ValidTo
		})
	}
	return found
}

// reopen makes a revised memory ACTIVE again, with the end of validity that it had before.
func (s *WriteTx) reopen(old *graph.Memory) error {
	var end time.Time // a statement that arrived late was never ACTIVE and had none
	for _, state := range slices.Backward(old.History) {
		if state.Status != graph.Superseded {
			end = state.ValidTo
			break
		}
	}
	old.SetState(s.Now, func(st *graph.State) { st.Status, st.ValidTo = graph.Active, end })
	old.SupersededBy, old.UpdatedAt = "", s.Now
	if err := s.Tx.PutMemory(old, graph.EventUpdated); err != nil {
		return err
	}
	return lifecycle.RecomputeReactivated(s.Tx, old, s.Now)
}
