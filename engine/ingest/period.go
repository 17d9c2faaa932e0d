package ingest

import (
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/graph"
)

// withinPeriod moves the beginning of what a later statement brings about, if its text names a period ("in May", "this year") within which the
// earlier statement was made: that was so then, and no text says on which day it ended. It holds until the period ends, or until the later
// statement was made in it. heldAt and saidAt are the instants at which the two were made.
func (r *Revision) withinPeriod(later statement, claim int, heldAt, saidAt time.Time) {
	c, ok := later.said.Claim(claim)
	if !ok || c.Lasting || r.from.IsZero() || heldAt.Before(r.from) || !saidAt.After(heldAt) {
		return
	}
	for _, s := range temporal.Read(later.said.Text()[c.Start:c.End], saidAt).Spans {
		if s.From.Equal(c.ValidFrom) && s.To.After(heldAt) {
			r.told, r.from = r.from, graph.Millis(s.To)
			if s.To.After(saidAt) {
				r.from = saidAt
			}
			return
		}
	}
}

// beginIn moves what a statement says to have begun in a period to the instant at which what it revises ended.
func (r *Revision) beginIn(m *graph.Memory) (moved bool) {
	if r.told.IsZero() {
		return false
	}
	for i := range m.Claims {
		h := m.Claims[i].History
		for j := range h {
			if h[j].ValidFrom.Equal(r.told) && (h[j].ValidTo.IsZero() || h[j].ValidTo.After(r.from)) {
				h[j].ValidFrom, moved = r.from, true
			}
		}
	}
	if moved && m.ValidFrom.Equal(r.told) {
		m.ValidFrom = lifecycle.Later(m.ValidFrom, r.from)
	}
	return moved
}
