package badgerstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/keyring"
)

// The shredder destroys the keys that committed transactions retired: for an erasure at once, else
// when they are old. An erasure waits shredGrace for reads that began before it; those that last
// longer fail with errShredded when they reach what was erased.

const (
	shredEvery = time.Hour              // how often old keys are looked for
	shredGrace = 250 * time.Millisecond // how long an erasure waits for reads
)

// retirement is the keys that one commit retired.
type retirement struct {
	tenant  graph.Tenant
	commit  uint64
	at      time.Time
	numbers []uint64
}

// shredder collects retirements and destroys them one pass at a time.
type shredder struct {
	mu      sync.Mutex
	waiting []retirement
	pass    sync.Mutex // held during a pass
}

func (d *shredder) add(r ...retirement) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = append(d.waiting, r...)
}

// take removes and returns the retirements that are ripe.
func (d *shredder) take(ripe func(retirement) bool) (taken []retirement) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = slices.DeleteFunc(d.waiting, func(r retirement) bool {
		if !ripe(r) {
			return false
		}
		taken = append(taken, r)
		return true
	})
	return taken
}

// Ring returns the keys of a tenant; nil: the store has none.
func (s *Store) Ring(t graph.Tenant) (*keyring.Ring, error) {
	if s.keys == nil {
		return nil, nil
	}
	return s.keys.Ring(t)
}

// Shred returns when the keys of everything in the scope that was deleted before the call are
// destroyed: no copy of the store's files can be read for it any more. It returns the numbers of the
// keys that it destroyed. Reads that began before and last longer than 250 ms may fail with
// graph.ErrUnavailable. A store without keys does nothing.
func (s *Store) Shred(ctx context.Context, scope graph.Scope) (destroyed []uint64, err error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return nil, err
	}
	defer s.calls.End()
	if s.keys == nil {
		return nil, nil
	}
	if err := s.waitSealed(ctx); err != nil {
		return nil, err
	}
	last := s.order.last()
	for until := time.Now().Add(shredGrace); s.order.oldestSnapshot() < last && time.Now().Before(until); {
		if err := calls.Pause(ctx, time.Millisecond); err != nil {
			return nil, err
		}
	}
	return s.shred(func(r retirement) bool { return r.tenant == scope.Tenant && r.commit <= last })
}

// shred destroys the keys that are ripe, and returns their numbers.
func (s *Store) shred(ripe func(retirement) bool) (destroyed []uint64, err error) {
	s.shredder.pass.Lock()
	defer s.shredder.pass.Unlock()
	byTenant := map[graph.Tenant][]retirement{}
	for _, r := range s.shredder.take(ripe) {
		byTenant[r.tenant] = append(byTenant[r.tenant], r)
	}
	var errs []error
	for t, rs := range byTenant {
		if err := s.shredTenant(t, rs); err != nil {
			s.shredder.add(rs...)
			errs = append(errs, fmt.Errorf("badgerstore: destroy keys: %w", err))
			continue
		}
		for _, r := range rs {
			destroyed = append(destroyed, r.numbers...)
		}
	}
	return destroyed, errors.Join(errs...)
}

// shredTenant destroys keys of one tenant and then deletes the rows that list them. Both can be
// done again.
func (s *Store) shredTenant(t graph.Tenant, rs []retirement) (err error) {
	defer s.guardReads(&err)
	ring, err := s.Ring(t)
	if err != nil {
		return err
	}
	var all []uint64
	for _, r := range rs {
		all = append(all, r.numbers...)
	}
	if err := ring.Destroy(all); err != nil {
		return err
	}
	for part := range slices.Chunk(rs, maxShredRows) {
		w := s.beginWriter(t)
		for _, r := range part {
			w.deleteKey(w.ks.retiredKey(r.numbers))
		}
		w.noteRing(keyring.Mark{Generation: ring.Generation()})
		_, err := s.commitWriter(w)
		w.release()
		if err != nil {
			return err
		}
	}
	return nil
}

// maxShredRows is how many rows one commit of the shredder deletes.
const maxShredRows = 1000

// shredOld destroys keys that were retired long ago, in the background until stop is closed.
func (s *Store) shredOld(stop <-chan struct{}) {
	timer := time.NewTicker(shredEvery)
	defer timer.Stop()
	for {
		before, oldest := s.options.Now().Add(-s.options.KeepRetired), s.order.oldestSnapshot()
		_, err := s.shred(func(r retirement) bool { return r.at.Before(before) && r.commit <= oldest })
		if err != nil {
			s.options.Logger.Error("[RTBF] keys could not be destroyed, trying again in an hour", "error", err)
		}
		select {
		case <-stop:
			return
		case <-timer.C:
		}
	}
}

// loadRetired takes up the keys that were not destroyed before the store was closed, and compares
// the generation of each ring with the one in the store.
func (s *Store) loadRetired() error {
	if s.keys == nil {
		return nil
	}
	var older []graph.Tenant
	err := eachTenant(s.db, s.order.lastCommit.Commit, func(t graph.Tenant, r rowReader) error {
		ring, err := s.Ring(t)
		if err != nil {
			return err
		}
		mark := s.order.ringMarks[t]
		if ring.Generation() > mark.Generation { // the data is older, or a crash came between the two
			older = append(older, t)
		}
		if err := ring.Check(t, mark); err != nil {
			return fmt.Errorf("badgerstore: %w", err)
		}
		prefix := r.ks.rowKey(rowRetired)
		return r.scanRows(prefix, prefix, false, func(k key, payload []byte) (bool, error) {
			at, numbers, err := parseRetired(k, payload)
			if err == nil && binary.BigEndian.Uint64(k[len(prefix):]) != numbers[0] {
				err = integrityError(k, "not a list of keys")
			}
			if err == nil {
				s.shredder.add(retirement{tenant: t, at: at, numbers: numbers})
			}
			return true, err
		})
	})
	if len(older) > 0 && s.options.ReadOnly {
		return errors.Join(err, fmt.Errorf("badgerstore: %w: the data is older than its keys", graph.ErrUnfinished))
	}
	for _, t := range older {
		err = errors.Join(err, s.sweep(t))
	}
	return err
}
