package lifecycle

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// ReactivateMerged makes ACTIVE again what was folded into a memory that goes, but for what goes
// with it: a summary is made anew from what is left, in the next sleep.
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
		// Evidence that the gate took in never stood by itself.
		stood := slices.ContainsFunc(source.History, func(s graph.State) bool { return s.Status == graph.Active })
		if source.Status() != graph.Consolidated || source.Consolidated != m.ID || !stood {
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

// ClearVector takes what was erased out of the vector of a memory that it had been folded
// into: the vector goes, and comes back from the memory's own words.
func ClearVector(tx graph.Tx, id graph.ID, at time.Time) error {
	m, err := tx.Memory(id)
	if err != nil || m.Status() == graph.Forgotten || m.EmbeddingModel == "" {
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

const (
	ReviewSetting = "sleep.again" // memories whose summary went: the next night looks at them again
	maxReview     = 1000
)

// MarkForReview has the next night distil a memory that was distilled before.
func MarkForReview(tx graph.Tx, id graph.ID) error {
	var ids []graph.ID
	if _, err := ReadSetting(tx, ReviewSetting, &ids); err != nil {
		return err
	}
	if len(ids) >= maxReview || slices.Contains(ids, id) {
		return nil // what is over waits until something new belongs to it
	}
	return PutSetting(tx, ReviewSetting, append(ids, id))
}

// CloseChain joins the versions before and behind m, where they point to it: what was
// superseded by hand points to a memory of another chain, which does not point back.
func CloseChain(tx graph.Tx, m *graph.Memory, at time.Time) error {
	for _, side := range []struct {
		id      graph.ID
		pointer func(*graph.Memory) *graph.ID
		to      graph.ID
	}{
		{m.Supersedes, func(before *graph.Memory) *graph.ID { return &before.SupersededBy }, m.SupersededBy},
		{m.SupersededBy, func(behind *graph.Memory) *graph.ID { return &behind.Supersedes }, m.Supersedes},
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

// MadeOfOthers reports whether the words of a memory come from others.
func MadeOfOthers(m *graph.Memory) bool {
	return m.SourceKind == graph.FromConsolidation || m.SourceKind == graph.FromExtraction
}
