package lifecycle

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// ReactivateMerged makes the memories ACTIVE again that were merged into m, which is about
// to be erased or ended, except those in taken, which go with it. The next sleep makes a new
// summary of them.
func ReactivateMerged(tx graph.Tx, m *graph.Memory, taken map[graph.ID]bool, at time.Time) error {
	folded, err := tx.Edges(m.ID, graph.In, graph.ConsolidatedInto)
	if err != nil {
		return err
	}
	for _, edge := range folded {
		if taken[edge.From] {
			continue
		}
		source, err := tx.Memory(edge.From)
		if err != nil {
			return err
		}
		if source.Status() != graph.Consolidated || source.Consolidated != m.ID || !WasActive(source) {
			continue
		}
		if m.Status() == graph.Superseded { // what m said was revised, and they said the same
			if err := supersedeMerged(tx, source, m, at); err != nil {
				return err
			}
			continue
		}
		if err := Reactivate(tx, source, at); err != nil {
			return err
		}
		if err := MarkForReview(tx, source.ID); err != nil {
			return err
		}
	}
	return nil
}

// WasActive reports whether a memory was ever ACTIVE. The evidence of an adjudication never was.
func WasActive(m *graph.Memory) bool {
	return slices.ContainsFunc(m.History, func(s graph.State) bool { return s.Status == graph.Active })
}

// supersedeMerged ends a memory that was merged into m, as m was ended.
func supersedeMerged(tx graph.Tx, source, m *graph.Memory, at time.Time) error {
	end := m.State().ValidTo
	source.SetState(at, func(s *graph.State) {
		s.Status = graph.Superseded
		if s.ValidTo.IsZero() || !end.IsZero() && s.ValidTo.After(end) {
			s.ValidTo = end
		}
	})
	if err := Unmerge(tx, source); err != nil {
		return err
	}
	source.SupersededBy, source.UpdatedAt = m.SupersededBy, at
	return tx.PutMemory(source, graph.EventSuperseded)
}

// ClearVector replaces the vector of a memory that an erased memory had been merged into by
// zeros. The memory then waits to be embedded again, from its own text alone.
func ClearVector(tx graph.Tx, id graph.ID, at time.Time) error {
	m, err := tx.Memory(id)
	if err != nil || m.Status() == graph.Forgotten || m.EmbeddingModel == "" || m.EmbeddingModel == graph.NoModel {
		return err
	}
	v, err := tx.Embedding(id)
	if err != nil {
		return err
	}
	if err := tx.PutEmbedding(id, make([]float32, len(v))); err != nil {
		return err
	}
	m.EmbeddingModel, m.UpdatedAt = "", at
	return tx.PutMemory(m, graph.EventUpdated)
}

// ReviewSetting names the setting with the ids of memories that lost their summary. The next
// complete deep sleep summarises them again, however long they have been unused.
const ReviewSetting = "sleep.again"

// maxReview is how many ids it holds at most.
const maxReview = 1000

// MarkForReview has the next sleep summarise memories that were summarised before.
func MarkForReview(tx graph.Tx, more ...graph.ID) error {
	var ids []graph.ID
	if _, err := ReadSetting(tx, ReviewSetting, &ids); err != nil {
		return err
	}
	before := len(ids)
	for _, id := range more {
		if len(ids) < maxReview && !slices.Contains(ids, id) { // more are summarised when a related memory arrives
			ids = append(ids, id)
		}
	}
	if len(ids) == before {
		return nil
	}
	return PutSetting(tx, ReviewSetting, ids)
}

// CloseChain links the version before m to the version after it, where they point to m. A
// memory that was superseded by hand points to another chain, which does not point back.
func CloseChain(tx graph.Tx, m *graph.Memory, at time.Time) error {
	for _, side := range []struct {
		id      graph.ID
		pointer func(*graph.Memory) *graph.ID
		to      graph.ID
	}{
		{m.Supersedes, func(before *graph.Memory) *graph.ID { return &before.SupersededBy }, m.SupersededBy},
		{m.SupersededBy, func(after *graph.Memory) *graph.ID { return &after.Supersedes }, m.Supersedes},
	} {
		if side.id == "" {
			continue
		}
		n, err := tx.Memory(side.id)
		if err != nil {
			return err
		}
		if n.Status() == graph.Forgotten || *side.pointer(n) != m.ID {
			continue
		}
		*side.pointer(n) = side.to
		n.UpdatedAt = at
		if err := tx.PutMemory(n, graph.EventUpdated); err != nil {
			return err
		}
	}
	return nil
}

// MadeOfOthers reports whether the text of a memory was derived from other memories.
func MadeOfOthers(m *graph.Memory) bool {
	return m.SourceKind == graph.FromConsolidation || m.SourceKind == graph.FromExtraction
}
