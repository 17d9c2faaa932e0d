package badgerstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// An earlier copy of the data that was put back has rows whose keys were destroyed since. They are
// removed with everything that refers to them before anything else reads the store.

// sweepBatch is how many rows one transaction of a sweep removes.
const sweepBatch = 500

// sweep removes the rows of a tenant whose keys were destroyed.
func (s *Store) sweep(t graph.Tenant) error {
	var dead []key
	err := s.viewRows(t, func(r rowReader) (err error) {
		dead, err = r.destroyedRows()
		return err
	})
	if err != nil || len(dead) == 0 {
		return err
	}
	ks := newKeyspace(t)
	gone, ids := map[string]bool{}, map[[16]byte]bool{}
	var memories []graph.ID
	for _, k := range dead {
		gone[string(k)] = true
		switch tail := k[len(ks)+1:]; k[len(ks)] {
		case rowMemory:
			memories = append(memories, graph.IDFromBytes([16]byte(tail)))
			ids[[16]byte(tail)] = true
		case rowEntity:
			ids[[16]byte(tail)] = true
		}
	}
	err = s.viewRows(t, func(r rowReader) error { return r.addReferring(gone, ids) })
	if err != nil {
		return err
	}
	keys := make([]key, 0, len(gone))
	for k := range gone {
		keys = append(keys, key(k))
	}
	slices.SortFunc(keys, func(a, b key) int { return bytes.Compare(a, b) })
	for part := range slices.Chunk(keys, sweepBatch) {
		if err := s.removeSwept(t, part, nil); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(memories, sweepBatch) {
		if err := s.removeSwept(t, nil, part); err != nil {
			return err
		}
	}
	if s.swept == nil {
		s.swept = map[graph.Tenant][]graph.ID{}
	}
	s.swept[t] = memories
	s.options.Logger.Warn("[RTBF] this copy of the data held what was erased since; it was removed", "memories", len(memories), "rows", len(keys))
	return nil
}

// Swept returns the memories of the scope that the store removed when it was opened.
func (s *Store) Swept(scope graph.Scope) []graph.ID { return s.swept[scope.Tenant] }

// removeSwept deletes rows, and removes memories from what the remaining rows say.
func (s *Store) removeSwept(t graph.Tenant, keys []key, memories []graph.ID) error {
	w := s.beginWriter(t)
	defer w.release()
	for _, k := range keys {
		w.deleteRow(k)
	}
	x := &tx{reader: reader{rowReader: w.rowReader, tenant: t, store: s, writer: w, ctx: context.Background()}, writtenMemories: map[[16]byte]bool{}}
	for _, id := range memories {
		b, err := id.Bytes()
		if err == nil {
			err = x.removeFromRelations(id, b)
		}
		if err != nil {
			return fmt.Errorf("badgerstore: remove what was erased: %w", err)
		}
		x.addChange(graph.NodeMemory, graph.EventForgotten, id, "", s.options.Now())
	}
	_, err := s.commitWriter(w)
	return err
}

// destroyedRows returns the keys of the sealed rows whose own keys were destroyed.
func (r rowReader) destroyedRows() (dead []key, err error) {
	for row, content := range sealedRows {
		if !content {
			continue
		}
		err := r.scanStored(r.ks.rowKey(byte(row)), func(k key, value []byte) error {
			form, sealed, err := unseal(k, value)
			if err != nil || form&formSealed == 0 {
				return err
			}
			if form&^formSealed == formParts {
				sealed = sealed[2:]
			}
			number, err := keyNumber(k, sealed)
			if err != nil {
				return err
			}
			_, err = r.ring.Key(number)
			if errors.Is(err, keyring.ErrDestroyed) {
				dead = append(dead, bytes.Clone(k))
				return nil
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return dead, nil
}

// idsIn says where the ids begin in the keys of the rows that refer to memories, entities and
// relations: after so many bytes.
var idsIn = map[byte]int{
	rowEmbedding: 0, rowUsage: 0, rowEdgeOut: 0, rowEdgeIn: 0, rowMention: 0, rowRelationOut: 0, rowRelationIn: 0,
	rowAttached: 0, rowRequestOf: 0, rowNoted: 0, rowIndex: 1, rowEntityIndex: 0, rowRelation: 0,
	rowRequestOfKeyed: 0, rowIndexKeyed: 1, rowEntityIndexKeyed: 0, rowRelationKeyed: 0,
}

// addReferring adds to gone the keys of the rows that refer to ids or to rows in gone.
func (r rowReader) addReferring(gone map[string]bool, ids map[[16]byte]bool) error {
	refers := func(k key) bool {
		for tail := k[len(r.ks)+1+idsIn[k[len(r.ks)]]:]; len(tail) >= 16; tail = tail[16:] {
			if ids[[16]byte(tail)] {
				return true
			}
		}
		return false
	}
	for row := range idsIn {
		err := r.scanStored(r.ks.rowKey(row), func(k key, _ []byte) error {
			if refers(k) {
				gone[string(k)] = true
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	// Names lead to entities, ids of relations to their rows.
	for _, row := range []byte{rowNamed, rowNamedKeyed} {
		err := r.scanStored(r.ks.rowKey(row), func(k key, value []byte) error {
			_, id, err := unseal(k, value)
			if err == nil && len(id) == 16 && ids[[16]byte(id)] {
				gone[string(k)] = true
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	relations := map[string]bool{}
	for row, of := range map[byte]byte{rowTriple: rowRelation, rowTripleKeyed: rowRelationKeyed} {
		err := r.scanStored(r.ks.rowKey(row), func(k key, value []byte) error {
			_, triple, err := unseal(k, value)
			if err != nil || !gone[string(r.ks.rowKey(of, triple))] {
				return err
			}
			id := k[len(r.ks)+1:]
			gone[string(k)], relations[string(id)] = true, true
			if len(triple) == 48 {
				gone[string(r.ks.rowKey(rowRelationOut, triple[:16], id))] = true
				gone[string(r.ks.rowKey(rowRelationIn, triple[32:], id))] = true
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	// Rows of relations that remain are left: removeFromRelations needs them.
	err := r.scanStored(r.ks.rowKey(rowSays), func(k key, _ []byte) error {
		if relations[string(k[len(k)-16:])] {
			gone[string(k)] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.scanStored(r.ks.rowKey(rowNoted), func(k key, _ []byte) error {
		if tail := k[len(r.ks)+1:]; len(tail) == 48 && gone[string(r.ks.rowKey(rowNote, tail[16:]))] {
			gone[string(k)] = true
		}
		return nil
	})
}

// scanStored calls use for the stored values with a prefix. use must not keep key and value.
func (r rowReader) scanStored(prefix key, use func(k key, value []byte) error) error {
	o := badger.DefaultIteratorOptions
	o.PrefetchValues, o.Prefix = false, prefix
	it := r.txn.NewIterator(o)
	defer it.Close()
	for it.Seek(prefix); it.ValidForPrefix(prefix); it.Next() {
		item := it.Item()
		if err := item.Value(func(v []byte) error { return use(item.Key(), v) }); err != nil {
			return err
		}
	}
	return nil
}
