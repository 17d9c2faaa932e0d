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

// The shredder destroys the keys that committed transactions retired. It waits until no snapshot
// shows the former rows; an erasure waits only shredGrace for those, and what still reads then
// fails with errShredded.

const (
	// shredEvery is the longest time that a retired key waits for others, so that one rewrite of a
	// segment destroys many.
	shredEvery = time.Second
	// shredGrace is how long an erasure waits for reads that began before it.
	shredGrace = 250 * time.Millisecond
)

// retirement is the keys that one commit retired.
type retirement struct {
	tenant  graph.Tenant
	commit  uint64
	numbers []uint64
}

// shredder collects retirements and destroys them one pass at a time.
type shredder struct {
	mu      sync.Mutex
	waiting []retirement
	wake    chan struct{}
	pass    sync.Mutex // held during a pass
}

func newShredder() *shredder { return &shredder{wake: make(chan struct{}, 1)} }

func (d *shredder) add(r ...retirement) {
	if len(r) == 0 {
		return
	}
	d.mu.Lock()
	d.waiting = append(d.waiting, r...)
	d.mu.Unlock()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// take removes and returns the retirements of commits up to one.
func (d *shredder) take(upTo uint64) (ripe []retirement) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting = slices.DeleteFunc(d.waiting, func(r retirement) bool {
		if r.commit > upTo {
			return false
		}
		ripe = append(ripe, r)
		return true
	})
	return ripe
}

// ringOf returns the keys of a tenant; nil: the store has none.
func (s *Store) ringOf(t graph.Tenant) (*keyring.Ring, error) {
	if s.options.Keys == nil {
		return nil, nil
	}
	return s.options.Keys.Ring(t)
}

// Shred returns when the keys of everything that was deleted or replaced before the call are
// destroyed: no copy of the store's files can be read for it any more. Reads that began before and
// last longer than 250 ms may fail with graph.ErrUnavailable. A store without keys does nothing.
func (s *Store) Shred(ctx context.Context) error {
	if err := s.calls.Begin(ctx); err != nil {
		return err
	}
	defer s.calls.End()
	if s.options.Keys == nil {
		return nil
	}
	last := s.order.last()
	for until := time.Now().Add(shredGrace); s.order.oldestSnapshot() < last && time.Now().Before(until); {
		if err := calls.Pause(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
	return s.shred(last)
}

// shred destroys the keys that commits up to one have retired.
func (s *Store) shred(upTo uint64) error {
	s.shredder.pass.Lock()
	defer s.shredder.pass.Unlock()
	byTenant := map[graph.Tenant][]retirement{}
	ripe := s.shredder.take(upTo)
	for _, r := range ripe {
		byTenant[r.tenant] = append(byTenant[r.tenant], r)
	}
	var errs []error
	for t, rs := range byTenant {
		if err := s.shredTenant(t, rs); err != nil {
			s.shredder.add(rs...)
			errs = append(errs, fmt.Errorf("badgerstore: destroy keys: %w", err))
		}
	}
	return errors.Join(errs...)
}

// shredTenant destroys keys of one tenant and then deletes the rows that list them. Both can be
// done again.
func (s *Store) shredTenant(t graph.Tenant, rs []retirement) error {
	ring, err := s.ringOf(t)
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
		k := w.ks.rowKey(rowGeneration)
		w.setValue(k, seal(k, formWhole, be64(ring.Generation())), 0)
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

// shredRetired destroys retired keys in the background until stop is closed.
func (s *Store) shredRetired(stop <-chan struct{}) {
	timer := time.NewTimer(shredEvery)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case <-s.shredder.wake:
			select {
			case <-stop:
				return
			case <-timer.C:
			}
			if err := s.shred(s.order.oldestSnapshot()); err != nil {
				s.options.Logger.Error("[RTBF] keys could not be destroyed, trying again", "error", err)
			}
			timer.Reset(shredEvery)
		}
	}
}

// loadRetired takes up the keys that were not destroyed before the store was closed, and compares
// the generation of each ring with the one in the store.
func (s *Store) loadRetired() error {
	if s.options.Keys == nil {
		return nil
	}
	return eachTenant(s.db, s.order.lastCommit.Commit, func(t graph.Tenant, r rowReader) error {
		ring, err := s.ringOf(t)
		if err != nil {
			return err
		}
		generation, err := r.readUint64(r.ks.rowKey(rowGeneration))
		if err != nil {
			return err
		}
		if ring.Generation() < generation {
			return fmt.Errorf("%w: the keys are older than the data: an earlier copy of their directory was put back, which would undo erasures", graph.ErrIntegrity)
		}
		prefix := r.ks.rowKey(rowRetired)
		return r.scanRows(prefix, prefix, false, func(k key, payload []byte) (bool, error) {
			numbers, err := parseRetired(k, payload)
			if err == nil && binary.BigEndian.Uint64(k[len(prefix):]) != numbers[0] {
				err = integrityError(k, "not a list of keys")
			}
			if err == nil {
				s.shredder.add(retirement{tenant: t, numbers: numbers})
			}
			return true, err
		})
	})
}
