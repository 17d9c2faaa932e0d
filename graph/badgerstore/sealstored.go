package badgerstore

import (
	"errors"

	"github.com/somnograph/somnograph/graph"
)

// sealBatch is how many rows one transaction seals.
const sealBatch = 100

// sealStored seals the rows that were written before the store had keys. It runs in the
// background until stop is closed, and again at the next start if it did not finish. Afterwards
// Badger's tables are rewritten, so that they do not hold the former rows.
func (s *Store) sealStored(stop <-chan struct{}) {
	tenants, err := tenantsOf(s.db, s.order.last())
	if err != nil {
		s.options.Logger.Error("[WRITE] rows could not be sealed", "error", err)
		return
	}
	sealed := 0
	for _, t := range tenants {
		n, err := s.sealTenant(t, stop)
		sealed += n
		if errors.Is(err, errStopped) {
			return
		}
		if err != nil {
			s.options.Logger.Error("[WRITE] rows could not be sealed", "sealed", sealed, "error", err)
			return
		}
	}
	if sealed == 0 {
		return
	}
	if err := s.db.Flatten(1); err != nil {
		s.options.Logger.Error("[WRITE] tables could not be rewritten", "error", err)
		return
	}
	s.options.Logger.Info("[WRITE] rows of before are sealed", "rows", sealed)
}

// errStopped is returned when the store is closed.
var errStopped = errors.New("badgerstore: closing")

// sealTenant seals the rows of a tenant and then marks it. It returns how many.
func (s *Store) sealTenant(t graph.Tenant, stop <-chan struct{}) (sealed int, err error) {
	done := false
	err = s.viewRows(t, func(r rowReader) (err error) {
		_, done, err = r.rowMeta(r.ks.rowKey(rowSealed))
		return err
	})
	if done || err != nil {
		return 0, err
	}
	ks := newKeyspace(t)
	for row, content := range sealedRows {
		if !content {
			continue
		}
		for from := ks.rowKey(byte(row)); from != nil; {
			select {
			case <-stop:
				return sealed, errStopped
			default:
			}
			var n int
			if n, from, err = s.sealRows(t, ks.rowKey(byte(row)), from); err != nil {
				return sealed, err
			}
			sealed += n
		}
	}
	w := s.beginWriter(t)
	defer w.release()
	w.putMarker(ks.rowKey(rowSealed))
	_, err = s.commitWriter(w)
	return sealed, err
}

// sealRows seals a batch of rows with a prefix, from a key on, and returns the key to go on from;
// nil: there are no more. A row that another transaction changes meanwhile is sealed by it.
func (s *Store) sealRows(t graph.Tenant, prefix, from key) (sealed int, next key, err error) {
	for {
		w := s.beginWriter(t)
		var keys []key
		var payloads [][]byte
		var metas []byte
		next = nil
		err = w.scanRows(prefix, from, false, func(k key, payload []byte) (bool, error) {
			if len(keys) == sealBatch {
				next = append(key(nil), k...)
				return false, nil
			}
			row, ok, err := w.findRow(k)
			if err != nil || !ok {
				return false, err
			}
			plain := false
			err = row.value(func(v []byte) error { form, _, err := unseal(k, v); plain = form&formSealed == 0; return err })
			if err == nil && plain && row.meta() != stubMeta {
				keys = append(keys, append(key(nil), k...))
				payloads = append(payloads, append([]byte(nil), payload...))
				metas = append(metas, row.meta())
			}
			return true, err
		})
		for i, k := range keys {
			if err != nil {
				break
			}
			w.putRow(k, payloads[i], metas[i])
		}
		if err == nil {
			_, err = s.commitWriter(w)
		}
		w.release()
		if !errors.Is(err, errConflict) {
			return len(keys), next, err
		}
	}
}
