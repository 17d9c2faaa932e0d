package badgerstore

import (
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// encodeMemory encodes a memory. It fails if an id in it is invalid.
func encodeMemory(m *graph.Memory) ([]byte, error) {
	r, err := wire.MemoryOf(m)
	if err != nil {
		return nil, err
	}
	return encode(r)
}

// decodeMemory decodes the memory id at k, without its usage.
func decodeMemory(k key, id graph.ID, payload []byte) (*graph.Memory, error) {
	var r wire.Memory
	if err := decode(k, payload, &r); err != nil {
		return nil, err
	}
	m, err := r.Memory(id)
	if err != nil {
		return nil, integrityError(k, err.Error())
	}
	return m, nil
}
