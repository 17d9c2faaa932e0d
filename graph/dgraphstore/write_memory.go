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
	key := t.ks.node(m.ID)
	next, err := encodeMemory(sealed("memory", key), m)
	if err != nil {
		return err
	}
	if err := t.guard(onMemory, string(m.ID)); err != nil {
		return err
	}
	if _, err := t.hang("id", m.ID); err != nil {
		return err
	}
	if err := t.put(memories, key, next); err != nil {
		return err
	}
	t.w.changed(graph.NodeMemory, kind, m.ID, m.Namespace, m.UpdatedAt)
	return nil
}

func validatePut(m *graph.Memory, kind graph.EventKind) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if m.Status() == graph.Forgotten {
		return graph.FieldError(graph.CodeInvalidRequest, "status", "FORGOTTEN comes by erasing only")
	}
	if kind == graph.EventForgotten || kind == graph.EventLagged || !slices.Contains(graph.EventKinds, kind) {
		return graph.FieldError(graph.CodeInvalidRequest, "kind", "is not a kind of change that is written")
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

// hang makes sure that something may hang on a memory: it answers whether there is one,
// and an error where it is FORGOTTEN. An Erase at the same time and what is hung on its
// memory exclude each other: this reads the memory, which an Erase writes, and writes
// the mark that an Erase reads.
func (t tx) hang(field string, id graph.ID) (bool, error) {
	if _, err := wire.UUID(field, id); err != nil {
		return false, err
	}
	m, err := t.Memory(id)
	if errors.Is(err, graph.ErrNotFound) {
		t.w.write(markOf(onHang, string(id)))
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if m.Status() == graph.Forgotten {
		return false, graph.FieldError(graph.CodeInvalidRequest, field, "names a forgotten memory")
	}
	t.w.write(markOf(onHang, string(id)))
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
	there, err := t.hang("id", id)
	if err != nil {
		return err
	}
	if !there {
		return graph.ErrNotFound
	}
	t.w.vectors[id] = slices.Clone(vector)
	return t.w.grow(4 * len(vector))
}
