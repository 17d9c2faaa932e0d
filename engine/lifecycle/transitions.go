package lifecycle

import (
	"errors"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// RecomputeConflicts recomputes the conflict signal of every memory in conflict with m, which
// stops being ACTIVE in this transaction.
func RecomputeConflicts(tx graph.Tx, m *graph.Memory, now time.Time) error {
	return recomputeAround(tx, m, false, now)
}

// RecomputeReactivated recomputes the conflict signals of m and of every memory in conflict
// with it. The transaction has written m as ACTIVE again.
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

// Reactivate makes m ACTIVE again after the memory that it was merged into, or that
// superseded it, has gone.
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

// Unmerge separates m from the memory that it was merged into. The edge from that memory back
// to m stays: its text still derives from m, and an erasure has to find it.
func Unmerge(tx graph.Tx, m *graph.Memory) error {
	if m.Consolidated == "" {
		return nil
	}
	into := m.Consolidated
	m.Consolidated = ""
	return tx.DeleteEdge(m.ID, graph.ConsolidatedInto, into)
}

// recomputeAround recomputes the conflict signal of every ACTIVE memory in conflict with m.
// Active says whether m counts.
func recomputeAround(tx graph.Tx, m *graph.Memory, active bool, now time.Time) error {
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
		signal, err := ConflictSignal(tx, other, m, active)
		if err != nil {
			return err
		}
		if err := PutSignal(tx, other, signal, now); err != nil {
			return err
		}
	}
	return nil
}

// PutSignal writes the conflict signal of m if it changed.
func PutSignal(tx graph.Tx, m *graph.Memory, signal float64, now time.Time) error {
	if signal == m.Conflict {
		return nil
	}
	m.Conflict, m.UpdatedAt = signal, now
	return tx.PutMemory(m, graph.EventUpdated)
}

// ConflictSignal is C: the highest conflict × min(1, A_other/A_self) over the ACTIVE
// memories in conflict with m that everybody sees who sees m, [0,1]; see graph.Contests. active says whether one of them, mover, counts: the
// transaction may be about to change its status.
func ConflictSignal(r graph.Reader, m, mover *graph.Memory, active bool) (float64, error) {
	against, err := r.Edges(m.ID, graph.Both, graph.Contradicts)
	if err != nil {
		return 0, err
	}
	signal := 0.0
	for _, edge := range against {
		other, counts := mover, active
		if id := OtherEnd(edge, m.ID); id != mover.ID {
			if other, err = r.Memory(id); errors.Is(err, graph.ErrNotFound) {
				continue
			}
			if err != nil {
				return 0, err
			}
			counts = other.Status() == graph.Active
		}
		if counts && graph.Contests(other.User, m.User) {
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

// SucceedsEngram reports whether m is the new version of an engram. Such a memory passes no
// gates of its own: the quorum or the owner that replaced the engram decided. It has consent.
func SucceedsEngram(r graph.Reader, m *graph.Memory) (bool, error) {
	if m.Supersedes == "" || m.Consent == graph.ConsentNone || m.Status() != graph.Active || m.State().Tier != graph.L2 {
		return false, nil
	}
	before, err := r.Memory(m.Supersedes)
	return err == nil && before.State().Tier == graph.L3, err
}

// InBuffer reports whether a memory is an ACTIVE turn in L0.
func InBuffer(m *graph.Memory) bool {
	return m.Status() == graph.Active && m.State().Tier == graph.L0
}

// Believed reports whether a memory still counts: it is ACTIVE or merged into another.
func Believed(m *graph.Memory) bool {
	return m.Status() == graph.Active || m.Status() == graph.Consolidated
}
