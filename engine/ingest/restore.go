package ingest

import (
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/graph"
)

// restore makes hold again what a revision ended that m withdraws: after "I never lived in Bergen" the speaker lives where they lived before
// they said so. m is not written yet. It restores nothing in a slot for which m has a value of its own, because that value takes the place.
func (s *WriteTx) restore(r Revision, m *graph.Memory) error {
	if r.kind != reader.Corrected {
		return nil
	}
	slots := withdrawnSlots(r, m)
	edges, err := s.Tx.Edges(r.memory.ID, graph.Out, graph.Revises)
	if err != nil || len(slots) == 0 {
		return err
	}
	for _, edge := range edges {
		if edge.Weight == 0 {
			continue
		}
		old, err := s.Tx.Memory(edge.To)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(old.Claims, func(c graph.Claim) bool { return slices.Contains(slots, slotOf(c.State())) }) {
			continue
		}
		part := reopenClaims(old, r.memory.ID, s.Now)
		switch {
		case part && old.Status() == graph.Active:
			old.UpdatedAt = s.Now
			if err = s.Tx.PutMemory(old, graph.EventUpdated); err == nil {
				err = lifecycle.RecomputeReactivated(s.Tx, old, s.Now)
			}
		case !part && old.Status() == graph.Superseded && old.SupersededBy == r.memory.ID:
			if r.memory.Supersedes == old.ID {
				err = s.beginChain(r.memory)
			}
			if err == nil {
				err = s.reopen(old)
			}
		default:
			continue // erased, or superseded by hand since
		}
		if err != nil {
			return err
		}
		edge.Weight, edge.At = 0, s.Now
		if err := s.Tx.PutEdge(edge); err != nil {
			return err
		}
	}
	return nil
}

// withdrawnSlots returns the slots of what a correction withdraws, without those for which m has a value.
func withdrawnSlots(r Revision, m *graph.Memory) (slots []uint64) {
	for i := range r.memory.Claims {
		if c := &r.memory.Claims[i]; !r.partial() || c.N == r.claim {
			slots = append(slots, slotOf(c.State()))
		}
	}
	return slices.DeleteFunc(slots, func(slot uint64) bool {
		return slices.ContainsFunc(m.Claims, func(c graph.Claim) bool { return !c.State().Negated && slotOf(c.State()) == slot })
	})
}

// slotOf returns the slot of what a claim says.
func slotOf(s graph.ClaimState) uint64 { return claimkey.Claim(s.Subject, s.Predicate, s.Object) }
