package ingest

import (
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/graph"
)

// isOccasion reports whether a draft that repeats a memory is a rule that is said again in its words on another occasion. It is
// stored, because each occasion counts for a pattern; a sleep merges it. What recall served within the last day, what expires and
// what joins the core only strengthen the memory. So does any repetition once maxAlike memories have the words: one of this
// occasion may be hidden behind them.
func (s *WriteTx) isOccasion(d *Draft, near []Neighbour) bool {
	if d.in.Core || d.ttl > 0 || !pattern.SameRule(d.Memory.Content, d.Memory.Content) || s.servedFrom(d.Memory) != "" {
		return false
	}
	same := 0
	for i := range near {
		m := &near[i].existingMemory
		if m.analysis.Text() != d.Memory.Content || m.user != d.Memory.User {
			continue
		}
		if same++; !otherOccasion(d.Memory, *m, s.Now) {
			return false
		}
	}
	return same > 0 && same < maxAlike
}

// otherOccasion reports whether d is said in another session than m on another day.
func otherOccasion(d *graph.Memory, m existingMemory, now time.Time) bool {
	at := lifecycle.FirstTime(d.OccurredAt, now)
	return graph.Day(at) != graph.Day(m.occurredAt) && (d.Session != m.session || d.Session == "")
}

// strengthenRule strengthens a rule that a draft says on another occasion.
func (s *WriteTx) strengthenRule(d *Draft, id graph.ID) error {
	m, err := s.Tx.Memory(id)
	if err != nil || !StandsFor(m, d.Memory) || !d.Sight.Memory(m) {
		return err
	}
	return s.Strengthen(m, d.Memory)
}
