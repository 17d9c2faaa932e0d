package badgerstore

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// PutMemory writes a memory, new or changed, and appends a change of that kind.
func (t *tx) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	if err := m.ValidatePut(kind); err != nil {
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
	old, err := t.currentMemory(m.ID, b)
	if err != nil {
		return err
	}
	if old != nil && old.Status() == graph.Forgotten {
		return graph.FieldError(graph.CodeInvalidRequest, "id", "names a forgotten memory")
	}
	return t.apply(func(w *txWriter) error {
		if err := w.putRow(w.ks.rowKey(rowMemory, b[:]), payload, 0); err != nil {
			return err
		}
		if err := w.updateIndex(old, m, b); err != nil {
			return err
		}
		if t.writtenMemories == nil {
			t.writtenMemories = map[[16]byte]bool{}
		}
		t.writtenMemories[b] = true
		t.addChange(graph.NodeMemory, kind, m.ID, m.Namespace, m.UpdatedAt)
		return nil
	})
}

// currentMemory returns the present memory, nil if there is none.
func (t *tx) currentMemory(id graph.ID, b [16]byte) (*graph.Memory, error) {
	if err := t.usable(); err != nil {
		return nil, err
	}
	old, err := t.readMemory(id, b)
	if errors.Is(err, graph.ErrNotFound) {
		return nil, nil
	}
	return old, err
}

// updateIndex changes index and mention rows from one version of a memory (nil: none) to
// the next.
func (w *txWriter) updateIndex(old, next *graph.Memory, b [16]byte) error {
	want := w.derivedKeys(next, b)
	if old != nil {
		for k := range w.derivedKeys(old, b) {
			if want[k] {
				delete(want, k)
				continue
			}
			if err := w.deleteKey(key(k)); err != nil {
				return err
			}
		}
	}
	for k := range want {
		if err := w.putMarker(key(k)); err != nil {
			return err
		}
	}
	return nil
}

// derivedKeys is the set of index and mention rows of a memory.
func (w *txWriter) derivedKeys(m *graph.Memory, b [16]byte) map[string]bool {
	keys := map[string]bool{}
	for _, k := range w.ks.indexKeys(m, b) {
		keys[string(k)] = true
	}
	for _, e := range m.Entities {
		if eb, err := e.Bytes(); err == nil {
			keys[string(w.ks.rowKey(rowMention, eb[:], b[:]))] = true
		}
	}
	return keys
}

// PutEmbedding stores the vector of a memory that is written in the same or an
// earlier transaction.
func (t *tx) PutEmbedding(id graph.ID, vector []float32) error {
	if err := graph.ValidateEmbedding(vector); err != nil {
		return err
	}
	if err := t.usable(); err != nil {
		return err
	}
	b, err := id.Bytes()
	if err != nil {
		return graph.ErrNotFound
	}
	found, err := t.attach("id", b)
	if err != nil {
		return err
	}
	if !found {
		return graph.ErrNotFound
	}
	return t.apply(func(w *txWriter) error { return w.putRow(w.ks.rowKey(rowEmbedding, b[:]), encodeVector(vector), 0) })
}

// attach prepares to attach something to a memory. It reports whether the memory exists,
// and returns an error if it is FORGOTTEN. It conflicts with a concurrent Erase: attach
// reads the memory's row, which Erase writes, and writes the rowAttached row, which Erase
// reads.
func (t *tx) attach(field string, b [16]byte) (found bool, err error) {
	if err := t.usable(); err != nil {
		return false, err
	}
	meta, found, err := t.rowMeta(t.ks.rowKey(rowMemory, b[:]))
	if err == nil && meta == stubMeta {
		err = graph.FieldError(graph.CodeInvalidRequest, field, "names a forgotten memory")
	}
	if err != nil || !found || t.writtenMemories[b] {
		return found, err
	}
	return found, t.apply(func(w *txWriter) error { return w.putMarker(w.ks.rowKey(rowAttached, b[:])) })
}
