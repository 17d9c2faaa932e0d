package engine

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// change reads one memory, lets step change it, and writes it in one transaction.
// step answers what happened; an empty kind means that nothing did. It may run again.
func (e *Engine) change(ctx context.Context, c Caller, id graph.ID, step func(graph.Tx, *graph.Memory, time.Time) (graph.EventKind, error)) (*View, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	now := t.Now()
	var m *graph.Memory
	err = t.UpdateOnly(ctx, func(tx graph.Tx) error {
		if m, err = owned(tx, c, id); err != nil {
			return err
		}
		kind, err := step(tx, m, now)
		if err != nil || kind == "" {
			return err
		}
		m.UpdatedAt = now
		return tx.PutMemory(m, kind)
	})
	if err != nil {
		return nil, e.whole(err)
	}
	return view(m, Access{}, now), nil
}

// owned reads a memory that the caller may change: MEMORY_NOT_FOUND where there is
// none, where it is another's, or where it was erased.
func owned(r graph.Reader, c Caller, id graph.ID) (*graph.Memory, error) {
	m, err := r.Memory(id)
	if err != nil {
		return nil, missing(err)
	}
	if m.Status() == graph.Forgotten || !c.sees(m.Namespace, m.User) {
		return nil, missing(graph.ErrNotFound)
	}
	return m, nil
}

// settle recomputes the conflict signal of every memory that stood against m, which
// leaves ACTIVE.
func settle(tx graph.Tx, m *graph.Memory, now time.Time) error {
	return settleAround(tx, m, false, now)
}

// unsettle recomputes the conflict signals on both sides where m, which the transaction
// has written, is ACTIVE again.
func unsettle(tx graph.Tx, m *graph.Memory, now time.Time) error {
	signal, err := conflictSignal(tx, m, m, true)
	if err != nil {
		return err
	}
	if err := putSignal(tx, m, signal, now); err != nil {
		return err
	}
	return settleAround(tx, m, true, now)
}

// comeBack makes a memory ACTIVE again that was folded into what goes, or superseded by it.
func comeBack(tx graph.Tx, m *graph.Memory, now time.Time) error {
	m.SetState(now, func(s *graph.State) {
		if s.Status == graph.Superseded {
			s.ValidTo = time.Time{} // its successor had ended it
		}
		s.Status = graph.Active
	})
	if err := standApart(tx, m); err != nil {
		return err
	}
	m.SupersededBy, m.UpdatedAt = "", now
	if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
		return err
	}
	return unsettle(tx, m, now)
}

// standApart takes a memory out of what it was folded into. That one says what it says
// all the same, so its way back to the memory stays: an erasure has to find it.
func standApart(tx graph.Tx, m *graph.Memory) error {
	if m.Consolidated == "" {
		return nil
	}
	into := m.Consolidated
	m.Consolidated = ""
	return tx.DeleteEdge(m.ID, graph.ConsolidatedInto, into)
}

// settleAround recomputes the conflict signal of every ACTIVE memory that stands against m.
func settleAround(tx graph.Tx, m *graph.Memory, stands bool, now time.Time) error {
	against, err := tx.Edges(m.ID, graph.Both, graph.Contradicts)
	if err != nil {
		return err
	}
	for _, edge := range against {
		other, err := tx.Memory(end(edge, m.ID))
		if err != nil {
			return err
		}
		if other.Status() != graph.Active {
			continue
		}
		signal, err := conflictSignal(tx, other, m, stands)
		if err != nil {
			return err
		}
		if err := putSignal(tx, other, signal, now); err != nil {
			return err
		}
	}
	return nil
}

// putSignal writes a conflict signal where it is another one than before.
func putSignal(tx graph.Tx, m *graph.Memory, signal float64, now time.Time) error {
	if signal == m.Conflict {
		return nil
	}
	m.Conflict, m.UpdatedAt = signal, now
	return tx.PutMemory(m, graph.EventUpdated)
}

// conflictSignal is C: the highest conflict × min(1, A_other/A_self) over the ACTIVE
// memories in conflict with m, SPEC section 4. Whether one of them, mover, counts is said
// and not read: it may be on its way.
func conflictSignal(r graph.Reader, m, mover *graph.Memory, stands bool) (float64, error) {
	against, err := r.Edges(m.ID, graph.Both, graph.Contradicts)
	if err != nil {
		return 0, err
	}
	signal := 0.0
	for _, edge := range against {
		other, counts := mover, stands
		if id := end(edge, m.ID); id != mover.ID {
			if other, err = r.Memory(id); errors.Is(err, graph.ErrNotFound) {
				continue
			}
			if err != nil {
				return 0, err
			}
			counts = other.Status() == graph.Active
		}
		if counts {
			signal = max(signal, edge.Weight*min(1, ratio(other.Authority, m.Authority)))
		}
	}
	return signal, nil
}

// end is the other end of an edge.
func end(e graph.Edge, id graph.ID) graph.ID {
	if e.From == id {
		return e.To
	}
	return e.From
}
