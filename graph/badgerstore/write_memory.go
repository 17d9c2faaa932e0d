package badgerstore

import (
	"errors"
	"math"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// PutMemory writes a memory, new or changed, and appends a change of that kind.
func (t *tx) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	if err := validatePut(m, kind); err != nil {
		return err
	}
	b, err := wire.UUID("id", m.ID)
	if err != nil {
		return err
	}
	payload, err := encodeMemory(m)
	if err != nil {
		return err
	}
	old, err := t.before(m.ID, b)
	if err != nil {
		return err
	}
	if old != nil && old.Status() == graph.Forgotten {
		return graph.FieldError(graph.CodeInvalidRequest, "id", "names a forgotten memory")
	}
	return t.write(func(w *writer) error {
		if err := w.put(w.ks.row(rowMemory, b[:]), payload, 0); err != nil {
			return err
		}
		if err := w.reindex(old, m, b); err != nil {
			return err
		}
		if t.put == nil {
			t.put = map[[16]byte]bool{}
		}
		t.put[b] = true
		t.changed(graph.NodeMemory, kind, m.ID, m.Namespace, m.UpdatedAt)
		return nil
	})
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

// before answers the memory as it stands, nil where there is none.
func (t *tx) before(id graph.ID, b [16]byte) (*graph.Memory, error) {
	if err := t.alive(); err != nil {
		return nil, err
	}
	old, err := t.stored(id, b)
	if errors.Is(err, graph.ErrNotFound) {
		return nil, nil
	}
	return old, err
}

// reindex brings index and mention rows from one version of a memory (nil: none) to
// the next.
func (w *writer) reindex(old, next *graph.Memory, b [16]byte) error {
	want := w.hanging(next, b)
	if old != nil {
		for k := range w.hanging(old, b) {
			if want[k] {
				delete(want, k)
				continue
			}
			if err := w.unset(key(k)); err != nil {
				return err
			}
		}
	}
	for k := range want {
		if err := w.flag(key(k)); err != nil {
			return err
		}
	}
	return nil
}

// hanging is the set of index and mention rows of a memory.
func (w *writer) hanging(m *graph.Memory, b [16]byte) map[string]bool {
	keys := map[string]bool{}
	for _, k := range w.ks.indexed(m, b) {
		keys[string(k)] = true
	}
	for _, e := range m.Entities {
		if eb, err := e.Bytes(); err == nil {
			keys[string(w.ks.row(rowMention, eb[:], b[:]))] = true
		}
	}
	return keys
}

// PutEmbedding stores the vector of a memory that is written in the same or an
// earlier transaction.
func (t *tx) PutEmbedding(id graph.ID, vector []float32) error {
	payload, err := encodeVector(vector)
	if err != nil {
		return err
	}
	if err := t.alive(); err != nil {
		return err
	}
	b, err := id.Bytes()
	if err != nil {
		return graph.ErrNotFound
	}
	found, err := t.hang("id", b)
	if err != nil {
		return err
	}
	if !found {
		return graph.ErrNotFound
	}
	return t.write(func(w *writer) error { return w.put(w.ks.row(rowEmbedding, b[:]), payload, 0) })
}

// hang makes sure that something may hang on a memory: it answers whether there is
// one, and an error where it is FORGOTTEN. An Erase at the same time and what is hung
// on its memory exclude each other: this reads the memory's row, which an Erase
// writes, and writes the hanging row, which an Erase reads.
func (t *tx) hang(field string, b [16]byte) (found bool, err error) {
	if err := t.alive(); err != nil {
		return false, err
	}
	meta, found, err := t.meta(t.ks.row(rowMemory, b[:]))
	if err == nil && meta == stubMeta {
		err = graph.FieldError(graph.CodeInvalidRequest, field, "names a forgotten memory")
	}
	if err != nil || !found || t.put[b] {
		return found, err
	}
	return found, t.write(func(w *writer) error { return w.flag(w.ks.row(rowHanging, b[:])) })
}
