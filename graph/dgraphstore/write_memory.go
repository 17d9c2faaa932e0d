package dgraphstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// PutMemory writes a memory, new or changed, and appends a change of that kind.
func (t tx) PutMemory(m *graph.Memory, kind graph.EventKind) error {
	if err := m.ValidatePut(kind); err != nil {
		return err
	}
	key := t.ks.nodeKey(m.ID)
	next, err := encodeMemory(key, m)
	if err != nil {
		return err
	}
	if err := t.guardKey(onMemory, string(m.ID)); err != nil {
		return err
	}
	if _, err := t.attach("id", m.ID); err != nil {
		return err
	}
	old, err := t.Memory(m.ID)
	known, err := graph.Found(err)
	if err != nil {
		return err
	}
	if m.ExternalID != "" && (!known || old.ExternalID != m.ExternalID) {
		if err := t.guardKey(onExternal, m.Namespace, t.externalKey(m.ExternalID)); err != nil {
			return err
		}
	}
	if known && (old.Content != m.Content || old.Summary != m.Summary) {
		// Text that another one replaces is erased with it: a summary is written again without what its source said.
		t.writes.erases[rowID{memories, key}] = true
	}
	for _, e := range m.Entities {
		if !known || !slices.Contains(old.Entities, e) {
			t.attachToEntity(e)
		}
	}
	if err := t.putRow(memories, key, next); err != nil {
		return err
	}
	t.writes.addChange(graph.NodeMemory, kind, m.ID, m.Namespace, m.UpdatedAt)
	return nil
}

// attachToEntity makes the transaction conflict with one that deletes an entity at the same time.
func (t tx) attachToEntity(id graph.ID) { t.writes.addWrite(keyHashOf(onAttach, string(id))) }

// attach prepares to attach something to a memory. It reports whether the memory exists, and returns an error if it is FORGOTTEN. It
// conflicts with a concurrent Erase: attach reads the memory, which Erase writes, and writes onAttach, which Erase reads.
func (t tx) attach(field string, id graph.ID) (bool, error) {
	if _, err := wire.UUID(field, id); err != nil {
		return false, err
	}
	m, err := t.Memory(id)
	known, err := graph.Found(err)
	if err != nil {
		return false, err
	}
	if known && m.Status() == graph.Forgotten {
		return false, graph.FieldError(graph.CodeInvalidRequest, field, "names a forgotten memory")
	}
	t.writes.addWrite(keyHashOf(onAttach, string(id)))
	return known, nil
}

// PutEmbedding stores the vector of a memory that is written in the same or an earlier transaction.
func (t tx) PutEmbedding(id graph.ID, vector []float32) error {
	if err := graph.ValidateEmbedding(vector); err != nil {
		return err
	}
	if err := t.guardKey(onEmbedding, string(id)); err != nil {
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
