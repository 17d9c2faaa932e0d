package lifecycle

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/graph"
)

// IsOver reports whether all that a memory states has ended at an instant: bounded stays whose end has come, and claims that
// a later statement ends at a date. What happened, and what was so before, is never over.
func IsOver(m *graph.Memory, at time.Time) bool {
	_, all := Ended(m, at)
	return all
}

// Ended returns the last end of what a memory states that is over at an instant, zero if nothing is, and whether that is all
// that it states.
func Ended(m *graph.Memory, at time.Time) (last time.Time, all bool) {
	all = len(m.Claims) > 0
	for i := range m.Claims {
		s := m.Claims[i].State()
		if told := m.Claims[i].Modality; (told == reader.Past.String() || told == reader.Event.String()) && s.RevisedBy == "" || s.ValidTo.IsZero() || s.ValidTo.After(at) {
			all = false
		} else if s.ValidTo.After(last) {
			last = s.ValidTo
		}
	}
	return last, all
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

// SaidFrom returns the instant since which all that a memory states is so: that of its text if every claim says one before the event
// time, "I moved to Bergen in March", otherwise the event time.
func SaidFrom(m *graph.Memory) time.Time {
	var last time.Time
	for i := range m.Claims {
		s := m.Claims[i].State()
		if s.ValidFrom.IsZero() || !s.ValidFrom.Before(m.OccurredAt) {
			return m.OccurredAt
		}
		last = Later(last, s.ValidFrom)
	}
	return FirstTime(last, m.OccurredAt)
}

// ComesNotYet reports that a later statement is over, or begins after an instant at which the earlier one holds.
func ComesNotYet(earlier, later *graph.Memory, at time.Time) bool {
	return IsOver(later, at) || IsYetToCome(later, at) && !IsYetToCome(earlier, at)
}

// SharesSlotKey reports whether two memories state the same predicate of one subject.
func SharesSlotKey(a, b *graph.Memory) bool {
	if a == nil || b == nil {
		return false
	}
	for i := range a.Claims {
		s := a.Claims[i].State()
		if slices.ContainsFunc(b.Claims, func(c graph.Claim) bool {
			x := c.State()
			return s.Subject != "" && claimkey.Claim(s.Subject, s.Predicate, s.Object) == claimkey.Claim(x.Subject, x.Predicate, x.Object)
		}) {
			return true
		}
	}
	return false
}
