package ingest

import (
	"slices"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// restore makes hold again what a revision ended that m withdraws: after "I never lived in Bergen" the speaker lives where they lived before
// they said so. m may not be written yet. It restores nothing in a slot for which m has a value of its own, because that value takes the place,
// nothing that was denied, and nothing of whose slot something else was said since, apart from what m revises with it. So does a plan that m
// calls off.
func (s *WriteTx) restore(r Revision, m *graph.Memory, with []Revision) error {
	if r.kind != reader.Corrected && !r.off {
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
		if wasDenied(old, r.memory.ID) || !slices.ContainsFunc(old.Claims, func(c graph.Claim) bool { return slices.Contains(slots, slotOf(c.State())) }) {
			continue
		}
		if r.off && saysOther(m, old) {
			continue
		}
		if over, err := s.endedSince(old, r.memory.ID, m, with); err != nil || over {
			if err != nil {
				return err
			}
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

// wasDenied reports whether the memory by said that what old states was never so. Such a statement is not restored.
func wasDenied(old *graph.Memory, by graph.ID) bool {
	if old.SupersededBy == by && !old.State().ValidTo.After(old.ValidFrom) {
		return true
	}
	return slices.ContainsFunc(old.Claims, func(c graph.Claim) bool { return c.State().Withdrawn && c.State().RevisedBy == by })
}

// endedSince reports whether the owner of a memory that was ended has said something in its slots since, besides what ended it, m and what m revises.
func (s *WriteTx) endedSince(old *graph.Memory, by graph.ID, m *graph.Memory, with []Revision) (bool, error) {
	since := func(x *graph.Memory) bool {
		return !slices.ContainsFunc(with, func(r Revision) bool { return r.memory.ID == x.ID }) && x.ID != old.ID && x.ID != by && x.ID != m.ID && workspace.SameOwner(old.User, x.User) && x.OccurredAt.After(old.OccurredAt)
	}
	for i := range old.Claims {
		key := slotOf(old.Claims[i].State())
		for j := range s.written {
			if x := s.written[j].memory; x.Namespace == old.Namespace && x.Status() == graph.Active && since(x) && slices.Contains(claimkey.Keys{}.Of(x), key) {
				return true, nil
			}
		}
		var ids []graph.ID
		for _, x := range s.svc.Index.MemoriesClaiming(s.t.Scope, []string{old.Namespace}, key, func(x *index.Doc) bool {
			return workspace.StateOf(x).Status == graph.Active && workspace.SameOwner(old.User, x.User)
		}, slotEach) {
			ids = append(ids, x.ID)
		}
		found, err := graph.Undamaged(s.Tx, ids)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(found, func(x *graph.Memory) bool { return x != nil && since(x) }) {
			return true, nil
		}
	}
	return false, nil
}

// withdrawnSlots returns the slots of what a correction withdraws, without those for which m has a value.
func withdrawnSlots(r Revision, m *graph.Memory) (slots []uint64) {
	for i := range r.memory.Claims {
		if c := &r.memory.Claims[i]; !r.partial() || c.N == r.claim {
			slots = append(slots, slotOf(c.State()))
		}
	}
	return slices.DeleteFunc(slots, func(slot uint64) bool {
		return !r.off && slices.ContainsFunc(m.Claims, func(c graph.Claim) bool { return !c.State().Negated && slotOf(c.State()) == slot })
	})
}

// saysOther reports whether m states another value than old in one slot, of now.
func saysOther(m, old *graph.Memory) bool {
	return slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
		is := c.State()
		return !is.Negated && !is.ValidFrom.After(m.OccurredAt) && slices.ContainsFunc(old.Claims, func(c graph.Claim) bool {
			was := c.State()
			return slotOf(is) == slotOf(was) && reader.OtherValue(was.Object, is.Object)
		})
	})
}

// slotOf returns the slot of what a claim says.
func slotOf(s graph.ClaimState) uint64 { return claimkey.Claim(s.Subject, s.Predicate, s.Object) }
