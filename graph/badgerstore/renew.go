package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/keyring"
)

// The keys of a sealed store are replaced while it is read and written. The master key and the keys
// of the tenants are matters of the keyring. Data keys are replaced in two steps, so that others who
// seal with keys of the same ring can act between them: RenewRows seals every row again under new
// keys, and EndRenewal destroys the former ones. What was interrupted is done again from its
// beginning, which passes over what is done.

// errNotSealed is returned for a store without keys.
var errNotSealed = graph.Errorf(graph.CodeInvalidRequest, "the store is not sealed: it has no keys to replace")

// RotateMaster replaces the key that seals the keys of all tenants.
func (s *Store) RotateMaster(ctx context.Context) error {
	if err := s.calls.Begin(ctx); err != nil {
		return err
	}
	defer s.calls.End()
	if s.keys == nil {
		return errNotSealed
	}
	return s.keys.RotateMaster()
}

// RotateKey replaces the key that seals the data keys of a tenant.
func (s *Store) RotateKey(ctx context.Context, scope graph.Scope) error {
	ring, end, err := s.beginRotation(ctx, scope)
	if err != nil {
		return err
	}
	defer end()
	if err := ring.RotateKey(); err != nil {
		return err
	}
	return s.noteMark(scope.Tenant, keyring.Mark{Generation: ring.Generation()})
}

// beginRotation begins a call that replaces keys of a tenant.
func (s *Store) beginRotation(ctx context.Context, scope graph.Scope) (*keyring.Ring, func(), error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return nil, nil, err
	}
	ring, err := s.Ring(scope.Tenant)
	if err == nil && ring == nil {
		err = errNotSealed
	}
	if err == nil {
		err = s.writable()
	}
	if err != nil {
		s.calls.End()
		return nil, nil, err
	}
	return ring, s.calls.End, nil
}

// RenewRows seals every row of a tenant again, under new data keys, and reports how many of about how
// many rows are done. It returns the number of the first new key, for EndRenewal; 0: the tenant has no
// keys. Reads and writes go on. A call after an interruption goes on.
func (s *Store) RenewRows(ctx context.Context, scope graph.Scope, progress func(done, total int)) (first uint64, err error) {
	ring, end, err := s.beginRotation(ctx, scope)
	if err != nil {
		return 0, err
	}
	defer end()
	defer s.guardReads(&err)
	if err := s.waitSealed(ctx); err != nil {
		return 0, err
	}
	if first, err = ring.BeginRenewal(); err != nil || first == 0 {
		return 0, err
	}
	// A transaction that began before may still write a row under a former key.
	if err := s.noteMark(scope.Tenant, keyring.Mark{}); err != nil {
		return 0, err
	}
	if err := waitForOldest(ctx, s.order.oldestUpdate, s.order.last()); err != nil {
		return 0, err
	}
	total, err := s.countSealable(scope.Tenant)
	if err != nil {
		return 0, err
	}
	done, ks := 0, newKeyspace(scope.Tenant)
	for row, content := range sealedRows {
		if !content {
			continue
		}
		for from := ks.rowKey(byte(row)); from != nil; {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			var seen int
			seen, _, from, err = s.resealRows(scope.Tenant, ks.rowKey(byte(row)), from, func(number uint64) bool { return number < first })
			if err != nil {
				return 0, err
			}
			done += seen
			progress(done, max(done, total))
		}
	}
	return first, s.noteMark(scope.Tenant, keyring.Mark{First: first})
}

// EndRenewal destroys the data keys of a tenant below the first new one, when no read needs them any
// more. Earlier copies of the data can't be read afterwards.
func (s *Store) EndRenewal(ctx context.Context, scope graph.Scope, first uint64) error {
	ring, end, err := s.beginRotation(ctx, scope)
	if err != nil {
		return err
	}
	defer end()
	last := s.order.last()
	if err := waitForOldest(ctx, s.order.oldestSnapshot, last); err != nil {
		return err
	}
	if _, err := s.shred(func(r retirement) bool { return r.tenant == scope.Tenant && r.commit <= last }); err != nil {
		return err
	}
	if err := ring.EndRenewal(first); err != nil {
		return err
	}
	return s.noteMark(scope.Tenant, keyring.Mark{Generation: ring.Generation()})
}

// waitForOldest waits until the oldest commit that is in use is at least the last one.
func waitForOldest(ctx context.Context, oldest func() uint64, last uint64) error {
	for oldest() < last {
		if err := calls.Pause(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// countSealable counts the rows with content of a tenant.
func (s *Store) countSealable(t graph.Tenant) (n int, err error) {
	err = s.viewRows(t, func(r rowReader) error {
		for row, content := range sealedRows {
			if !content {
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

// noteMark commits what the store has to know of the keys of a tenant.
func (s *Store) noteMark(t graph.Tenant, m keyring.Mark) error {
	w := s.beginWriter(t)
	defer w.release()
	w.noteRing(m)
	w.deleteKey(w.ks.rowKey(rowRetired, be64(0))) // a commit has to write something: there is no key 0
	_, err := s.commitWriter(w)
	return err
}

// noteGenerations records the generations of all rings: keys of the index were destroyed, of which the
// store does not know. Without that, the next opening would look for rows whose keys are gone.
func (s *Store) noteGenerations() error {
	if s.keys == nil {
		return nil
	}
	marks := map[graph.Tenant]keyring.Mark{}
	err := s.viewRows("", func(r rowReader) error {
		names, err := r.keyTails(storeKey(rowTenant))
		for _, name := range names {
			of := rowReader{txn: r.txn, ks: newKeyspace(graph.Tenant(name))}
			mark, merr := readRingMark(of)
			err = errors.Join(err, merr)
			marks[graph.Tenant(name)] = mark
		}
		return err
	})
	for t, mark := range marks {
		ring, rerr := s.Ring(t)
		if rerr != nil || ring.Generation() <= mark.Generation {
			err = errors.Join(err, rerr)
			continue
		}
		err = errors.Join(err, s.noteMark(t, keyring.Mark{Generation: ring.Generation()}))
	}
	if err != nil {
		return fmt.Errorf("badgerstore: record the generations of the keys: %w", err)
	}
	return nil
}
