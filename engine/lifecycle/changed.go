package lifecycle

import (
	"errors"
	"time"

	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/graph"
)

// maxMerges bounds how many merges are followed from a turn to the memory that holds its text.
const maxMerges = 8

// ChangedSince returns when the text of a memory stopped being true, as known at present; zero: it
// is still true. It follows merges.
func ChangedSince(r graph.Reader, m *graph.Memory, now time.Time) (time.Time, error) {
	for range maxMerges {
		s := m.State()
		switch {
		case s.Status == graph.Superseded:
			if !s.ValidTo.IsZero() && s.ValidTo.Before(m.SupersededAt()) {
				return s.ValidTo, nil
			}
			return m.SupersededAt(), nil
		case !s.ValidTo.IsZero() && !s.ValidTo.After(now):
			return s.ValidTo, nil
		case s.Status != graph.Consolidated || m.Consolidated == "":
			return time.Time{}, nil
		}
		into, err := r.Memory(m.Consolidated)
		if errors.Is(err, graph.ErrNotFound) {
			return time.Time{}, nil
		}
		if err != nil {
			return time.Time{}, err
		}
		m = into
	}
	return time.Time{}, nil
}

// PatternStands is the share of the sources of a pattern that may have been superseded while the
// pattern still stands. With more, a sleep derives a new version, or ends it.
const PatternStands = 0.2

// Stands reports whether a pattern passed its last check, and no more than PatternStands of its sources have changed since.
func Stands(r graph.Reader, id graph.ID, now time.Time) (bool, error) {
	m, err := r.Memory(id)
	if err != nil || m.Pattern == nil || m.Pattern.HeldOut <= pattern.HeldOutAbove {
		return false, err
	}
	edges, err := r.Edges(id, graph.Out, graph.DerivedFrom)
	if err != nil {
		return false, err
	}
	changed := 0
	for _, edge := range edges {
		source, err := r.Memory(edge.To)
		if known, err := graph.Found(err); err != nil {
			return false, err
		} else if !known {
			continue
		}
		at, err := ChangedSince(r, source, now)
		if err != nil {
			return false, err
		}
		if !at.IsZero() && source.Status() != graph.Forgotten {
			changed++
		}
	}
	return float64(changed) <= PatternStands*float64(len(edges)), nil
}

// EndPattern makes a pattern SUPERSEDED by its next version, or without one ARCHIVED, because its sources no longer say it. A sleep
// draws an ARCHIVED one again if they do.
func EndPattern(tx graph.Tx, m *graph.Memory, next graph.ID, now time.Time) error {
	status, event := graph.Archived, graph.EventArchived
	if next != "" {
		status, event = graph.Superseded, graph.EventSuperseded
	}
	m.SetState(now, func(s *graph.State) {
		s.Status = status
		if s.ValidTo.IsZero() {
			s.ValidTo = Later(now, m.ValidFrom)
		}
	})
	m.SupersededBy, m.UpdatedAt = next, now
	if err := tx.PutMemory(m, event); err != nil {
		return err
	}
	return RecomputeConflicts(tx, m, now)
}
