package badgerstore

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
)

// NameHash is the form of names in keys without a secret.
var NameHash = nameHash

// NameSteps is the number of steps of ConvertNames.
const NameSteps = 4

// AfterCommit returns options with a function that is called after every commit, before the next,
// and which convert few names in a commit.
func AfterCommit(o Options, fn func()) Options {
	o.afterCommit, o.nameBatch = fn, 20
	return o
}

// BeginHashed makes new tenants of a sealed store as those of earlier versions, without HMACs.
func (s *Store) BeginHashed() {
	s.order.mu.Lock()
	defer s.order.mu.Unlock()
	for t := range s.order.lastRecorded {
		if s.order.namePhases[t] == nil {
			s.order.setNamePhase(t, namesKeyed, 1)
		}
	}
	s.order.newNames = namesHashed
}

// BackToLayout2 makes a store whose tenants began with BeginHashed one of layout 2.
func (s *Store) BackToLayout2() error {
	for _, t := range append([]graph.Tenant{""}, s.order.tenants()...) {
		w := s.beginWriter(t)
		if t == "" {
			w.putRow(storeKey(rowSchema), binary.BigEndian.AppendUint32(nil, layoutSealed), 0)
			w.deleteRow(storeKey(rowNamesCheck))
		} else {
			w.deleteRow(w.ks.rowKey(rowNames))
		}
		_, err := s.commitWriter(w)
		w.release()
		if err != nil {
			return err
		}
	}
	return s.keys.PutSecret(namesSecret, nil)
}

// tenants are those that hold data.
func (o *commitOrder) tenants() []graph.Tenant {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Collect(maps.Keys(o.lastRecorded))
}

// HasTenant reports whether a tenant holds data.
func (s *Store) HasTenant(t graph.Tenant) bool { return s.order.hasTenant(t) }

// ConvertNames does a step of the conversion of a tenant's names, from 0.
func (s *Store) ConvertNames(t graph.Tenant, step int) error {
	p := &sealing{said: s.options.Now()}
	switch step {
	case 0:
		return s.nextNamePhase(t, namesBoth)
	case 1:
		return s.eachNamed(t, p, s.stop, (*txWriter).copyNamed)
	case 2:
		return s.nextNamePhase(t, namesLeft)
	}
	if err := s.keyNames(t, p, s.stop); err != nil {
		return err
	}
	return s.nextNamePhase(t, namesKeyed)
}

// StoredKeys returns every key of the database, also of deleted rows.
func (s *Store) StoredKeys() (keys [][]byte) {
	txn := s.db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{AllVersions: true})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		keys = append(keys, it.Item().KeyCopy(nil))
	}
	return keys
}

// FormerNames counts the rows of a tenant with names that are not HMACs.
func (s *Store) FormerNames(t graph.Tenant) (n int, err error) {
	err = s.viewRows(t, func(r rowReader) error {
		for row, named := range nameRows {
			if named.kind == 0 {
				continue
			}
			if err := r.scanStored(r.ks.rowKey(byte(row)), func(key, []byte) error { n++; return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}
