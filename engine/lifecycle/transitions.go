package lifecycle

import (
	"errors"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// RecomputeConflicts recomputes the conflict signal of every memory that stood against m, which
// leaves ACTIVE.
func RecomputeConflicts(tx graph.Tx, m *graph.Memory, now time.Time) error {
	return recomputeAround(tx, m, false, now)
}

// RecomputeReactivated recomputes the conflict signals on both sides where m, which the transaction
// has written, is ACTIVE again.
func RecomputeReactivated(tx graph.Tx, m *graph.Memory, now time.Time) error {
	signal, err := ConflictSignal(tx, m, m, true)
	if err != nil {
		return err
	}
	if err := PutSignal(tx, m, signal, now); err != nil {
		return err
	}
	return recomputeAround(tx, m, true, now)
}

// Reactivate makes a memory ACTIVE again that was folded into what goes, or superseded by it.
func Reactivate(tx graph.Tx, m *graph.Memory, now time.Time) error {
	m.SetState(now, func(s *graph.State) {
		if s.Status == graph.Superseded {
			s.ValidTo = time.Time{} // its successor had ended it
		}
		s.Status = graph.Active
	})
	if err := Unmerge(tx, m); err != nil {
		return err
	}
	m.SupersededBy, m.UpdatedAt = "", now
	if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
		return err
	}
	return RecomputeReactivated(tx, m, now)
}

// Unmerge takes a memory out of what it was folded into. That one says what it says
// all the same, so its way back to the memory stays: an erasure has to find it.
func Unmerge(tx graph.Tx, m *graph.Memory) error {
	if m.Consolidated == "" {
		return nil
	}
	into := m.Consolidated
	m.Consolidated = ""
	return tx.DeleteEdge(m.ID, graph.ConsolidatedInto, into)
}

// recomputeAround recomputes the conflict signal of every ACTIVE memory that stands against m.
func recomputeAround(tx graph.Tx, m *graph.Memory, stands bool, now time.Time) error {
	against, err := tx.Edges(m.ID, graph.Both, graph.Contradicts)
	if err != nil {
		return err
	}
	for _, edge := range against {
		other, err := tx.Memory(OtherEnd(edge, m.ID))
		if err != nil {
			return err
		}
		if other.Status() != graph.Active {
			continue
		}
		signal, err := ConflictSignal(tx, other, m, stands)
		if err != nil {
			return err
		}
		if err := PutSignal(tx, other, signal, now); err != nil {
			return err
		}
	}
	return nil
}

// PutSignal writes a conflict signal where it is another one than before.
func PutSignal(tx graph.Tx, m *graph.Memory, signal float64, now time.Time) error {
	if signal == m.Conflict {
		return nil
	}
	m.Conflict, m.UpdatedAt = signal, now
	return tx.PutMemory(m, graph.EventUpdated)
}

// ConflictSignal is C: the highest conflict × min(1, A_other/A_self) over the ACTIVE
// memories in conflict with m, SPEC section 4. Whether one of them, mover, counts is said
// and not read: it may be on its way.
func ConflictSignal(r graph.Reader, m, mover *graph.Memory, stands bool) (float64, error) {
	against, err := r.Edges(m.ID, graph.Both, graph.Contradicts)
	if err != nil {
		return 0, err
	}
	signal := 0.0
	for _, edge := range against {
		other, counts := mover, stands
		if id := OtherEnd(edge, m.ID); id != mover.ID {
			if other, err = r.Memory(id); errors.Is(err, graph.ErrNotFound) {
				continue
			}
			if err != nil {
				return 0, err
			}
			counts = other.Status() == graph.Active
		}
		if counts {
			signal = max(signal, edge.Weight*min(1, Ratio(other.Authority, m.Authority)))
		}
	}
	return signal, nil
}

// OtherEnd is the other end of an edge.
func OtherEnd(e graph.Edge, id graph.ID) graph.ID {
	if e.From == id {
		return e.To
	}
	return e.From
}

// SucceedsEngram reports whether a memory takes the place of an engram: what replaced it,
// a quorum or its owner's word, stands in for the gates. SPEC section 6.
func SucceedsEngram(r graph.Reader, m *graph.Memory) (bool, error) {
	if m.Supersedes == "" || m.Status() != graph.Active || m.State().Tier != graph.L2 {
		return false, nil
	}
	before, err := r.Memory(m.Supersedes)
	return err == nil && before.State().Tier == graph.L3, err
}

// InBuffer reports a turn that is in L0 and stands.
func InBuffer(m *graph.Memory) bool {
	return m.Status() == graph.Active && m.State().Tier == graph.L0
}

// Believed reports whether a memory still has a say: it is ACTIVE, or a part of another.
func Believed(m *graph.Memory) bool {
	return m.Status() == graph.Active || m.Status() == graph.Consolidated
}
