package lifecycle

import (
	"time"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// IsOver reports whether all that a memory states has ended at an instant: bounded stays whose end has come, and claims that
// a later statement ends at a date. What happened, and what was so before, is never over.
func IsOver(m *graph.Memory, at time.Time) bool {
	for i := range m.Claims {
		s := m.Claims[i].State()
		if told := m.Claims[i].Modality; (told == reader.Past.String() || told == reader.Event.String()) && s.RevisedBy == "" || s.ValidTo.IsZero() || s.ValidTo.After(at) {
			return false
		}
	}
	return len(m.Claims) > 0
}

// IsYetToCome reports whether all that a memory states begins after an instant.
func IsYetToCome(m *graph.Memory, at time.Time) bool {
	for i := range m.Claims {
		if s := m.Claims[i].State(); !s.ValidFrom.After(at) {
			return false
		}
	}
	return len(m.Claims) > 0
}
