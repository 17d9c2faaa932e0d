package ingest

import (
	"time"

	"github.com/somnograph/somnograph/engine/extract"
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

// repeats reports whether d only repeats m. They must have the same owner, consent and
// type, and no number, date, name or negation may differ. The trust of m must be at least
// that of d. Episodes of different sessions or days are corroboration, not repetition.
func repeats(d *graph.Memory, m existingMemory, now time.Time) bool {
	if d.User != m.user || d.Consent != m.trust.Consent || d.Type != m.kind || !m.trust.AtLeast(d.Trust()) {
		return false
	}
	if d.Type == graph.Episodic {
		at := d.OccurredAt
		if at.IsZero() {
			at = now
		}
		if d.Session != m.session || graph.Day(at) != graph.Day(m.occurredAt) {
			return false
		}
	}
	return extract.SameFacts(d.Content, m.analysis.Text()) && !restatesRule(d, m, now)
}

// restatesRule reports whether d says the rule of m in other words, on another occasion: that is a repetition that counts for a
// pattern.
func restatesRule(d *graph.Memory, m existingMemory, now time.Time) bool {
	return d.Content != m.analysis.Text() && otherOccasion(d, m, now) && pattern.SameRule(m.analysis.Text(), d.Content)
}
