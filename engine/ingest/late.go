package ingest

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/graph"
)

// maxTimeline is the number of earlier statements of a slot among which a late arrival takes its place.
const maxTimeline = 64

// longAgo is how much earlier than a known statement a late arrival was said for which it is no rival of it: it enters as past if both meet in one
// slot, whatever the certainty is, and else both stand.
const longAgo = 7 * 24 * time.Hour

// longBefore reports whether a draft of an instant was said so long before a neighbour in English that it is no rival of it.
func longBefore(d *Draft, n *Neighbour, at time.Time) bool {
	return n.occurredAt.Sub(at) >= longAgo && d.said != nil && n.said != nil && readAlike(d.said, n.said) && relationOf(d.said, n.said, true).Veto != vetoLanguage
}

// lapsed reports whether everything that a memory states was bounded when it was said, and over at an instant: "I'm in Bergen this week" is no
// rival of what is said in the next month.
func lapsed(m *graph.Memory, at time.Time) bool {
	for i := range m.Claims {
		st := m.Claims[i].State()
		if st.RevisedBy != "" || st.ValidTo.IsZero() || st.ValidTo.After(at) || !st.ValidTo.After(m.OccurredAt) {
			return false
		}
	}
	return len(m.Claims) > 0
}

// fitIn gives a late arrival its place among the statements that the one which revises it has replaced: it ends where the next one begins,
// and the one before it ends where it begins. So the timeline of a slot does not depend on the order of arrival.
func (s *WriteTx) fitIn(m *graph.Memory, state *graph.State, by *graph.Memory) error {
	slots := slotsOf(m)
	ask, known := []graph.ID{by.ID}, map[graph.ID]bool{by.ID: true, m.ID: true}
	for ; len(ask) > 0 && len(known) < maxTimeline; ask = ask[1:] {
		edges, err := s.Tx.Edges(ask[0], graph.Out, graph.Revises)
		if err != nil {
			return err
		}
		for _, edge := range edges {
			if known[edge.To] || edge.Weight == 0 {
				continue
			}
			known[edge.To] = true
			x, err := s.Tx.Memory(edge.To)
			if found, err := graph.Found(err); err != nil {
				return err
			} else if !found || x.Status() != graph.Superseded || !slices.ContainsFunc(slotsOf(x), func(k uint64) bool { return slices.Contains(slots, k) }) {
				continue
			}
			ask = append(ask, x.ID)
			end := x.State().ValidTo
			switch {
			case !end.IsZero() && !end.After(x.ValidFrom): // it was never true
			case x.ValidFrom.After(m.ValidFrom):
				if state.ValidTo.IsZero() || state.ValidTo.After(x.ValidFrom) {
					state.ValidTo = x.ValidFrom
				}
			case x.ValidFrom.Before(m.ValidFrom) && (end.IsZero() || end.After(m.ValidFrom)) && state.ValidTo.After(m.ValidFrom):
				x.SetState(lifecycle.Later(s.Now, x.State().From), func(st *graph.State) { st.ValidTo = m.ValidFrom })
				x.UpdatedAt = s.Now
				if err := s.Tx.PutMemory(x, graph.EventUpdated); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// slotsOf returns the slots of what a memory says.
func slotsOf(m *graph.Memory) (slots []uint64) {
	for i := range m.Claims {
		if st := m.Claims[i].State(); !st.Negated {
			slots = append(slots, slotOf(st))
		}
	}
	return slots
}

// endLateClaim closes one claim of a late arrival that a later statement ends. The memory is not written yet.
func (s *WriteTx) endLateClaim(r Revision, m *graph.Memory) {
	c := m.Claim(r.claim)
	from := lifecycle.FirstTime(c.State().ValidFrom, m.ValidFrom)
	end := lifecycle.FirstTime(r.from, r.memory.ValidFrom)
	switch {
	case r.kind == reader.Corrected:
		end = from
	case !end.After(from):
		end = from.Add(time.Millisecond)
	}
	c.SetState(s.Now, func(st *graph.ClaimState) {
		st.RevisedBy, st.Withdrawn = r.memory.ID, r.kind == reader.Corrected
		if st.ValidTo.IsZero() || st.ValidTo.After(end) {
			st.ValidTo = end
		}
	})
}
