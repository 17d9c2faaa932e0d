package badgerstore

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// DropDamaged removes those rows of a memory that fail their checksum, without reading more of them.
func (t *tx) DropDamaged(id graph.ID) (damage graph.Damage, err error) {
	b, err := wire.UUID("id", id)
	if err != nil {
		return damage, err
	}
	if err := t.usable(); err != nil {
		return damage, err
	}
	var gone [][]byte
	// test notes a row that was read with an error.
	test := func(row byte, err error) (bool, error) {
		if graph.DamagedRow(err) {
			gone = append(gone, t.ks.rowKey(row, b[:]))
			return true, nil
		}
		_, err = graph.Found(err)
		return false, err
	}
	_, memoryErr := t.readMemory(id, b)
	_, vectorErr := t.Embedding(id)
	_, usageErr := t.foldedUsage(b)
	var errs [3]error
	damage.Memory, errs[0] = test(rowMemory, memoryErr)
	damage.Vector, errs[1] = test(rowEmbedding, vectorErr)
	damage.Usage, errs[2] = test(rowUsage, usageErr)
	if err := errors.Join(errs[:]...); err != nil {
		return graph.Damage{}, err
	}
	return damage, t.apply(func(w *txWriter) {
		for _, key := range gone {
			w.deleteKey(key)
		}
	})
}
