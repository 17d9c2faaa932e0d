package dgraphstore

import (
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// encodeMemory returns the sealed memory at key. It fails if an id in it is invalid.
func encodeMemory(key string, m *graph.Memory) (string, error) {
	r, err := wire.MemoryOf(m)
	if err != nil {
		return "", err
	}
	return encode(key, r)
}

// decodeMemory parses the sealed memory id at key, without its usage.
func decodeMemory(key string, id graph.ID, text string) (*graph.Memory, error) {
	var r wire.Memory
	if err := decode(key, text, &r); err != nil {
		return nil, err
	}
	m, err := r.Memory(id)
	if err != nil {
		return nil, integrityError(key, err.Error())
	}
	return m, nil
}
