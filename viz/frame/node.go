package frame

import (
	"math"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// VisibleAt reports whether the memory is visible in the picture at a time, and its state then.
// A zero Recorded means at. The result agrees with an as-of read: ACTIVE memories, and with a
// valid time SUPERSEDED ones too.
func (n *Node) VisibleAt(picture graph.AsOf, at time.Time) (graph.State, bool) {
	if !picture.Recorded.IsZero() {
		at = picture.Recorded
	} else if last := n.History[len(n.History)-1].From; last.After(at) {
		at = last // recorded a few milliseconds ahead
	}
	s, born := n.stateAt(at)
	if !born {
		return s, false
	}
	if v := picture.Valid; !v.IsZero() {
		holds := !n.ValidFrom.After(v) && (s.ValidTo.IsZero() || s.ValidTo.After(v))
		return s, holds && (s.Status == graph.Active || s.Status == graph.Superseded)
	}
	return s, s.Status == graph.Active
}

// stateAt is the last state recorded at or before a time, with expiry applied; false if the
// memory was recorded later.
func (n *Node) stateAt(at time.Time) (graph.State, bool) {
	for i := len(n.History) - 1; i >= 0; i-- {
		s := n.History[i]
		if s.From.After(at) {
			continue
		}
		if s.Status == graph.Active && !n.ExpiresAt.IsZero() && !n.ExpiresAt.After(at) {
			s.Status = graph.Expired
		}
		return s, true
	}
	return graph.State{}, false
}

// Retention is the retention of the memory in a state at a time, [0,1]: e^(−k·d), where d is
// the days since the latest of creation, reinforcement and use at or before that time.
func (n *Node) Retention(s graph.State, at time.Time) float64 {
	if n.K == 0 || s.Core || s.Tier == graph.L3 {
		return 1
	}
	anchor := n.CreatedAt
	since := func(t time.Time) {
		if !t.After(at) && t.After(anchor) {
			anchor = t
		}
	}
	since(n.Anchor)
	if n.LastUse.After(at) {
		for _, day := range n.UseDays {
			since(time.Unix(int64(day)*86400, 0))
		}
	} else {
		since(n.LastUse)
	}
	return math.Exp(-n.K * max(0, at.Sub(anchor).Hours()/24))
}
