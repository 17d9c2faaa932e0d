package dgraphstore

import (
	"errors"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// PutMemory writes a memory, new or changed, and appends a change of that kind.
func (t tx) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	if err := validatePut(m, kind); err != nil {
		return err
	}
	key := t.ks.nodeKey(m.ID)
	next, err := encodeMemory(sealKey("memory", key), m)
	if err != nil {
		return err
	}
	if err := t.guard(onMemory, string(m.ID)); err != nil {
		return err
	}
	if _, err := t.attach("id", m.ID); err != nil {
		return err
	}
	if err := t.putRow(memories, key, next); err != nil {
		return err
	}
	t.writes.addChange(graph.NodeMemory, kind, m.ID, m.Namespace, m.UpdatedAt)
	return nil
}

func validatePut(m *graph.Memory, kind graph.EventKind) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if m.Status() == graph.Forgotten {
		return graph.FieldError(graph.CodeInvalidRequest, "status", "only an erasure sets FORGOTTEN")
	}
	if kind == graph.EventForgotten || kind == graph.EventLagged || !slices.Contains(graph.EventKinds, kind) {
		return graph.FieldError(graph.CodeInvalidRequest, "kind", "is not a kind of change that can be stored")
	}
	if m.Position != nil {
		for _, x := range m.Position {
			if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
				return graph.FieldError(graph.CodeInvalidRequest, "position", "must be finite")
			}
		}
	}
	return nil
}

// attach prepares to attach something to a memory. It reports whether the memory exists, and
// returns an error if it is FORGOTTEN. It conflicts with a concurrent Erase: attach reads the
// memory, which Erase writes, and writes onAttach, which Erase reads.
func (t tx) attach(field string, id graph.ID) (bool, error) {
	if _, err := wire.UUID(field, id); err != nil {
		return false, err
	}
	m, err := t.Memory(id)
	if errors.Is(err, graph.ErrNotFound) {
		t.writes.addWrite(keyHashOf(onAttach, string(id)))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if m.Status() == graph.Forgotten {
		return false, graph.FieldError(graph.CodeInvalidRequest, field, "names a forgotten memory")
	}
	t.writes.addWrite(keyHashOf(onAttach, string(id)))
	return true, nil
}

// PutEmbedding stores the vector of a memory that is written in the same or an earlier
// transaction.
func (t tx) PutEmbedding(id graph.ID, vector []float32) error {
	if len(vector) == 0 || len(vector) > graph.MaxVector {
		return graph.FieldError(graph.CodeInvalidRequest, "embedding", "must have 1 to %d numbers", graph.MaxVector)
	}
	for _, x := range vector {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return graph.FieldError(graph.CodeInvalidRequest, "embedding", "must hold finite numbers")
		}
	}
	if err := t.guard(onEmbedding, string(id)); err != nil {
		return err
	}
	if !id.Valid() {
		return graph.ErrNotFound
	}
	there, err := t.attach("id", id)
	if err != nil {
		return err
	}
	if !there {
		return graph.ErrNotFound
	}
	t.writes.vectors[id] = slices.Clone(vector)
	return t.writes.addBytes(4 * len(vector))
}
