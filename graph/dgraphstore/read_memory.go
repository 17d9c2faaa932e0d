package dgraphstore

import (
	"errors"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// Memory answers a memory in any status with its usage, or ErrNotFound.
func (r *reader) Memory(id graph.ID) (*graph.Memory, error) {
	if err := r.point(onMemory, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	key := r.ks.node(id)
	text, stored, err := r.record(memories, key)
	if err != nil {
		return nil, err
	}
	return r.memory(key, text, stored)
}

// memory reads a memory from its record, with the usage of the stored row.
func (r *reader) memory(key, text string, stored row) (*graph.Memory, error) {
	if text == "" {
		return nil, graph.ErrNotFound
	}
	id, err := r.ks.id(key)
	if err != nil {
		return nil, err
	}
	m, err := decodeMemory(sealed("memory", key), id, text)
	if err != nil || m.Status() == graph.Forgotten {
		return m, err // a use that came in beside the erasure counts for nothing
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

// Memories answers in the order of ids; what is missing is nil.
func (r *reader) Memories(ids []graph.ID) ([]*graph.Memory, error) {
	var keys []string
	for _, id := range ids {
		if err := r.point(onMemory, string(id)); err != nil {
			return nil, err
		}
		if key := r.ks.node(id); id.Valid() && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	if err := r.alive(); err != nil {
		return nil, err
	}
	stored, err := r.rows(memories, keys...)
	if err != nil {
		return nil, err
	}
	out := make([]*graph.Memory, len(ids))
	for i, id := range ids {
		if !id.Valid() {
			continue
		}
		key := r.ks.node(id)
		text := stored[key].Record
		if r.w != nil {
			if e, ok := r.w.edits[rowID{memories, key}]; ok {
				text = e.next
			}
		}
		m, err := r.memory(key, text, stored[key])
		if errors.Is(err, graph.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[i] = m
	}
	r.ahead.list(out)
	return out, nil
}

// Embedding answers the stored vector, or ErrNotFound where it is pending.
func (r *reader) Embedding(id graph.ID) ([]float32, error) {
	if err := r.point(onEmbedding, string(id)); err != nil {
		return nil, err
	}
	if !id.Valid() {
		return nil, graph.ErrNotFound
	}
	if r.w != nil {
		if v, ok := r.w.vectors[id]; ok {
			if v == nil {
				return nil, graph.ErrNotFound
			}
			return slices.Clone(v), nil
		}
	}
	v, err := r.vector(id)
	if err == nil && v == nil {
		err = graph.ErrNotFound
	}
	return v, err
}
