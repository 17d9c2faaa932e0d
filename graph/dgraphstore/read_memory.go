package dgraphstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Memory returns a memory in any status with its usage, or ErrNotFound.
func (r *reader) Memory(id graph.ID) (*graph.Memory, error) {
	key, err := r.nodeRead(onMemory, id)
	if err != nil {
		return nil, err
	}
	text, stored, err := r.readRecord(memories, key)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, graph.ErrNotFound
	}
	m, err := decodeMemory(r.ks, key, text)
	if err != nil {
		return nil, err
	}
	return m, addUsage(m, key, stored)
}

// addUsage adds the usage of the stored row to a memory. A use that was counted during the
// erasure is ignored.
func addUsage(m *graph.Memory, key string, stored row) (err error) {
	if m.Status() != graph.Forgotten {
		m.Usage, err = usageOf(key, stored)
	}
	return err
}

// usageOf adds the uses that are not folded yet to those that are.
func usageOf(key string, stored row) (graph.Usage, error) {
	u, err := decodeUsage(key, stored.Usage)
	if err != nil {
		return u, err
	}
	for _, use := range stored.Uses {
		more, err := use.usage(key)
		if err != nil {
			return u, err
		}
		u = u.Plus(more)
	}
	return u, nil
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
		text := r.presentRecord(memories, key, stored[key])
		if text == "" {
			continue
		}
		if out[i], err = decodeMemory(r.ks, key, text); err != nil {
			return nil, err
		}
		if err := addUsage(out[i], key, stored[key]); err != nil {
			return nil, err
		}
	}
	r.vectorPrefetch.setListed(out)
	return out, nil
}

// Embedding returns the stored vector, or ErrNotFound if it is pending.
func (r *reader) Embedding(id graph.ID) ([]float32, error) {
	if _, err := r.nodeRead(onEmbedding, id); err != nil {
		return nil, err
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
