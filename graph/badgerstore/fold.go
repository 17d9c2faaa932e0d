package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// fold writes all batches into usage rows, each use once: a row that already counts
// up to the end of a batch is left, also where the fold of that batch was cut short
// by a crash and begins again.
func (b *usageBook) fold(s *Store) error {
	b.folding.Lock()
	defer b.folding.Unlock()
	for {
		b.mu.Lock()
		if len(b.batches) == 1 && b.batches[0].end != 0 {
			b.batches = append(b.batches, newBatch())
		}
		if len(b.batches) == 1 {
			err := b.trim(s)
			b.mu.Unlock()
			return err
		}
		batch := b.batches[0]
		b.mu.Unlock()
		if err := s.foldBatch(batch); err != nil {
			return err
		}
		b.mu.Lock()
		b.batches = slices.Clone(b.batches[1:])
		b.mu.Unlock()
	}
}

// trim begins the log anew where all of it is folded and it has grown. The caller
// holds the lock.
func (b *usageBook) trim(s *Store) error {
	if b.log == nil || b.log.size() < trimSize {
		return nil
	}
	return b.log.restart(b.pos, s.opts.Logger)
}

// use is one memory of a batch.
type use struct {
	tenant graph.Tenant
	id     graph.ID
	row    usageRow
}

// foldBatch folds one batch that nothing is added to any more.
func (s *Store) foldBatch(batch *usageBatch) error {
	batch.mu.RLock()
	var uses []use
	for t, ids := range batch.uses {
		for id, u := range ids {
			uses = append(uses, use{t, id, *u})
		}
	}
	batch.mu.RUnlock()
	slices.SortFunc(uses, func(a, b use) int {
		if a.tenant != b.tenant {
			return compare(a.tenant, b.tenant)
		}
		return compare(a.id, b.id)
	})
	for some := range slices.Chunk(uses, foldSize) {
		if err := s.foldSome(some, batch, false); err != nil {
			return err
		}
	}
	return s.foldSome(nil, batch, true)
}

func compare[T ~string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// foldSome folds some memories of a batch in one transaction, and where last is set
// records that all of the log up to its end is folded.
func (s *Store) foldSome(uses []use, batch *usageBatch, last bool) error {
	for n := 0; ; n++ {
		if err := s.writable(); err != nil {
			return err
		}
		err := s.foldOnce(uses, batch, last)
		if !errors.Is(err, errConflict) {
			return err
		}
		if n == retries {
			return graph.ErrConflict
		}
	}
}

func (s *Store) foldOnce(uses []use, batch *usageBatch, last bool) error {
	w := s.begin("")
	defer w.end()
	for _, u := range uses {
		w.tenant, w.ks = u.tenant, newKeyspace(u.tenant)
		if err := w.foldUse(u, batch.end); err != nil {
			return err
		}
	}
	if last {
		w.tenant, w.ks = "", nil
		for t, at := range batch.last { // also where a use was of what is FORGOTTEN by now
			w.note(t, at.Time())
		}
		if err := w.put(storeKey(rowFolded), be64(batch.end), 0); err != nil {
			return err
		}
	}
	if !w.dirty() {
		return nil
	}
	_, err := s.commit(w)
	return err
}

// foldUse adds the uses of one memory to its row.
func (w *writer) foldUse(u use, end uint64) error {
	b, err := wire.UUID("id", u.id)
	if err != nil {
		return err
	}
	r := reader{rows: w.rows}
	m, err := r.stored(u.id, b)
	if errors.Is(err, graph.ErrNotFound) || err == nil && m.Status() == graph.Forgotten {
		return nil
	}
	if err != nil {
		return err
	}
	row, err := w.usageOf(b)
	if err != nil || row.UpTo >= end {
		return err
	}
	row.add(u.row)
	row.UpTo = end
	payload, err := encode(&row)
	if err != nil {
		return err
	}
	if err := w.put(w.ks.row(rowUsage, b[:]), payload, 0); err != nil {
		return err
	}
	at := u.row.Last.Time()
	w.changed(u.tenant, graph.Change{At: at, Node: graph.NodeUsage, Kind: graph.EventUpdated, ID: u.id, Namespace: m.Namespace})
	return nil
}

// load takes up the counts that lie in the log and are not folded yet.
func (b *usageBook) load(s *Store, dir string) error {
	var folded uint64
	k := storeKey(rowFolded)
	err := s.look("", func(view rows) error {
		return view.get(k, func(_ byte, v []byte) error {
			if len(v) != 8 {
				return broken(k, "not a position")
			}
			folded = binary.BigEndian.Uint64(v)
			return nil
		})
	})
	if err != nil && !errors.Is(err, graph.ErrNotFound) {
		return err
	}
	log, records, err := openUsageLog(dir, folded, s.mark.last.Usage, s.opts.Logger)
	if err != nil {
		return err
	}
	b.log, b.pos = log, log.end
	for _, r := range records {
		if err := b.recover(s, r); err != nil {
			return errors.Join(err, log.file.Close())
		}
	}
	return nil
}

// recover counts a record that was in the log, without the memories whose rows
// already count it.
func (b *usageBook) recover(s *Store, r usageRecord) error {
	var ids []graph.ID
	err := s.look(r.tenant, func(view rows) error {
		for _, id := range r.ids {
			key, err := wire.UUID("ids", id)
			if err != nil {
				return err
			}
			row, err := view.usageOf(key)
			if err != nil {
				return err
			}
			if row.UpTo < r.end {
				ids = append(ids, id)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	batch := b.batches[len(b.batches)-1]
	batch.add(r.tenant, ids, r.at, r.end)
	signal(b.dirty)
	if batch.size >= batchSize {
		b.batches = append(b.batches, newBatch())
		signal(b.full)
	}
	return nil
}

// close folds what can be folded and closes the log.
func (b *usageBook) close(s *Store) error {
	err := b.fold(s)
	if errors.Is(err, graph.ErrUnavailable) {
		err = nil // it stays in the log, which is synced below
	}
	if b.log == nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && len(b.batches) == 1 && b.log.size() > 0 {
		err = b.log.restart(b.pos, s.opts.Logger)
	}
	if e := b.log.file.Sync(); e != nil {
		return errors.Join(err, fmt.Errorf("badgerstore: sync the usage log: %w", e), b.log.file.Close())
	}
	return errors.Join(err, s.mark.synced(b.pos), b.log.file.Close())
}
