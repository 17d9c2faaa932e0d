package dgraphstore

import (
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Memory returns a memory in any status with its usage, or ErrNotFound.
func (r *reader) Memory(id graph.ID) (*graph.Memory, error) {
	if err := r.pointRead(onMemory, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	key := r.ks.nodeKey(id)
	text, stored, err := r.readRecord(memories, key)
	if err != nil {
		return nil, err
	}
	return r.memoryOf(key, text, stored)
}

// memoryOf decodes a memory from its record, with the usage of the stored row.
func (r *reader) memoryOf(key, text string, stored row) (*graph.Memory, error) {
	if text == "" {
		return nil, graph.ErrNotFound
	}
	id, err := r.ks.parseID(key)
	if err != nil {
		return nil, err
	}
	m, err := decodeMemory(sealKey("memory", key), id, text)
	if err != nil || m.Status() == graph.Forgotten {
		return m, err // a use that was counted during the erasure is ignored
	}
	m.Usage, err = usageOf(key, stored)
	return m, err
}

// usageOf adds the uses that are not folded yet to those that are.
func usageOf(key string, stored row) (graph.Usage, error) {
	u, err := decodeUsage(key, stored.Usage)
	if err != nil {
		return u, err
	}
	for _, use := range stored.Uses {
		for range max(1, use.Times) {
			addUse(&u, wire.Stamp(use.At))
		}
	}
	return u, nil
}

// addUse counts one use.
func addUse(u *graph.Usage, at wire.Stamp) {
	t := at.Time()
	u.Count++
	if t.After(u.Last) {
		u.Last = t
	}
	if i, found := slices.BinarySearch(u.Days, graph.Day(t)); !found {
		u.Days = slices.Insert(u.Days, i, graph.Day(t))
	}
}

// Memories returns memories in the order of ids, nil for a missing one.
func (r *reader) Memories(ids []graph.ID) ([]*graph.Memory, error) {
	var keys []string
	for _, id := range ids {
		if err := r.pointRead(onMemory, string(id)); err != nil {
			return nil, err
		}
		if key := r.ks.nodeKey(id); id.Valid() && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if err := r.checkUsable(); err != nil {
		return nil, err
	}
	stored, err := r.readRows(memories, keys...)
	if err != nil {
		return nil, err
	}
	out := make([]*graph.Memory, len(ids))
	for i, id := range ids {
		if !id.Valid() {
			continue
		}
		key := r.ks.nodeKey(id)
		text := stored[key].Record
		if r.writes != nil {
			if e, ok := r.writes.edits[rowID{memories, key}]; ok {
				text = e.record
			}
		}
		m, err := r.memoryOf(key, text, stored[key])
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[i] = m
	}
	r.vectorPrefetch.setListed(out)
	return out, nil
}

// Embedding returns the stored vector, or ErrNotFound if it is pending.
func (r *reader) Embedding(id graph.ID) ([]float32, error) {
	if err := r.pointRead(onEmbedding, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	if r.writes != nil {
		if v, ok := r.writes.vectors[id]; ok {
			if v == nil {
				return nil, graph.ErrNotFound
			}
			return slices.Clone(v), nil
		}
	}
	v, err := r.readVector(id)
	if err == nil && v == nil {
		err = graph.ErrNotFound
	}
	return v, err
}
