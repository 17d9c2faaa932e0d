package badgerstore

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// DropDamaged removes those rows of a memory that fail their checksum, without reading more of them.
func (t *tx) DropDamaged(id graph.ID) (memory, vector bool, err error) {
	b, err := wire.UUID("id", id)
	if err != nil {
		return false, false, err
	}
	if err := t.usable(); err != nil {
		return false, false, err
	}
	_, err = t.readMemory(id, b)
	memory = errors.Is(err, graph.ErrIntegrity)
	if _, err = graph.Found(err); err != nil && !memory {
		return false, false, err
	}
	_, err = t.Embedding(id)
	vector = errors.Is(err, graph.ErrIntegrity)
	if _, err = graph.Found(err); err != nil && !vector {
		return false, false, err
	}
	return memory, vector, t.apply(func(w *txWriter) {
		if memory {
			w.deleteKey(w.ks.rowKey(rowMemory, b[:]))
		}
		if vector {
			w.deleteKey(w.ks.rowKey(rowEmbedding, b[:]))
		}
	})
}
