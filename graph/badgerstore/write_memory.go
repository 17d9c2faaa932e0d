package badgerstore

import (
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
	if err := t.usable(); err != nil {
		return err
	}
	old, err := t.readMemory(m.ID, b)
	known, err := graph.Found(err)
	if err != nil {
		return err
	}
	if known && old.Status() == graph.Forgotten {
		return graph.FieldError(graph.CodeInvalidRequest, "id", "names a forgotten memory")
	}
	if m.ExternalID != "" && (!known || old.ExternalID != m.ExternalID) {
		if err := t.lockExternalID(m); err != nil {
			return err
		}
	}
	var meta byte
	if m.Status() != graph.Active {
		meta = endedMeta
	}
	return t.apply(func(w *txWriter) {
		// Text that another one replaces is erased with it: a summary is written again without
		// what its source said.
		erase := known && (old.Content != m.Content || old.Summary != m.Summary)
		w.replaceRow(w.ks.rowKey(rowMemory, b[:]), payload, meta, erase)
		w.updateIndex(old, m, b)
		t.writtenMemories[b] = true
		t.addChange(graph.NodeMemory, kind, m.ID, m.Namespace, m.UpdatedAt)
	})
}

// lockExternalID makes the transaction conflict with others that give a memory the same external
// id in the namespace.
func (t *tx) lockExternalID(m *graph.Memory) error {
	n := t.names.name(m.Namespace, m.ExternalID)
	k := t.namedKey(rowExternal, n[:])
	if _, _, err := t.rowMeta(k); err != nil {
		return err
	}
	return t.apply(func(w *txWriter) { w.deleteKey(k) })
}

// updateIndex changes index and mention rows from one version of a memory (nil: none) to
// the next.
func (w *txWriter) updateIndex(old, next *graph.Memory, b [16]byte) {
	want := w.derivedKeys(next, b)
	if old != nil {
		for k := range w.derivedKeys(old, b) {
			if want[k] {
				delete(want, k)
			} else {
				w.deleteKey(key(k))
			}
		}
	}
	for k := range want {
		w.putMarker(key(k))
	}
	for _, e := range next.Entities {
		if eb, err := e.Bytes(); err == nil && want[string(w.ks.rowKey(rowMention, eb[:], b[:]))] {
			w.attachToEntity(eb)
		}
	}
}

// attachToEntity makes the transaction conflict with one that deletes an entity at the same time, which reads
// the row that this writes.
func (w *txWriter) attachToEntity(b [16]byte) { w.deleteKey(w.ks.rowKey(rowAttached, b[:])) }

// derivedKeys is the set of index and mention rows of a memory.
func (w *txWriter) derivedKeys(m *graph.Memory, b [16]byte) map[string]bool {
	keys := map[string]bool{}
	for _, k := range w.indexKeys(m, b) {
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
	b, err := t.keyOf(id)
	if err != nil {
		return err
	}
	found, err := t.attach("id", b)
	if err != nil {
		return err
	}
	if !found {
		return graph.ErrNotFound
	}
	return t.apply(func(w *txWriter) { w.putRow(w.ks.rowKey(rowEmbedding, b[:]), wire.FloatBytes(vector), 0) })
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
	return found, t.apply(func(w *txWriter) { w.putMarker(w.ks.rowKey(rowAttached, b[:])) })
}
