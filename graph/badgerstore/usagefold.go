package badgerstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// FlushUses writes the uses counted so far into their rows. While the store can't be written
// they stay in their log; reads show them nevertheless.
func (s *Store) FlushUses(ctx context.Context) error {
	if err := s.calls.Begin(ctx); err != nil {
		return err
	}
	defer s.calls.End()
	if err := s.usage.foldAll(s); !errors.Is(err, graph.ErrUnavailable) {
		return err
	}
	return nil
}

// foldAll writes all batches into usage rows, each use once: it skips a row that already
// counts up to the end of a batch, as after a crash in the middle of a fold.
func (b *usageBuffer) foldAll(s *Store) error {
	b.foldMu.Lock()
	defer b.foldMu.Unlock()
	for {
		b.mu.Lock()
		if len(b.batches) == 1 && b.batches[0].end != 0 {
			b.batches = append(b.batches, newBatch())
		}
		if len(b.batches) == 1 {
			err := b.trimLog(s)
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

// putUsage writes the usage of a memory.
func (w *txWriter) putUsage(k key, row usageRow) {
	if w.names.key != nil {
		row.Sessions, row.Keyed = nil, row.Sessions
	}
	w.putRecord(k, &row)
}

// trimLog starts a new segment of the log if all of it is folded and it is large, or to be left behind. The
// caller holds the lock.
func (b *usageBuffer) trimLog(s *Store) error {
	if b.log == nil || b.log.size() < trimSize && !b.leave {
		return nil
	}
	b.leave = false
	return b.log.startSegment(b.logEnd, s.options.Logger)
}

// memoryUse is the usage of one memory in a batch.
type memoryUse struct {
	tenant graph.Tenant
	id     graph.ID
	row    usageRow
}

// foldBatch folds one batch that no use is added to any more.
func (s *Store) foldBatch(batch *usageBatch) error {
	batch.mu.RLock()
	var uses []memoryUse
	for t, ids := range batch.uses {
		for id, u := range ids {
			uses = append(uses, memoryUse{t, id, *u})
		}
	}
	batch.mu.RUnlock()
	slices.SortFunc(uses, func(a, b memoryUse) int {
		return cmp.Or(cmp.Compare(a.tenant, b.tenant), cmp.Compare(a.id, b.id))
	})
	for some := range slices.Chunk(uses, foldChunkSize) {
		if err := s.foldChunk(some, batch, false); err != nil {
			return err
		}
	}
	return s.foldChunk(nil, batch, true)
}

// foldChunk folds some memories of a batch in one transaction. If last is set, it also
// records that the log up to the end of the batch is folded.
func (s *Store) foldChunk(uses []memoryUse, batch *usageBatch, last bool) error {
	for n := 0; ; n++ {
		if err := s.writable(); err != nil {
			return err
		}
		err := s.tryFold(uses, batch, last)
		if !errors.Is(err, errConflict) {
			return err
		}
		if n == maxRetries {
			return graph.ErrConflict
		}
	}
}

func (s *Store) tryFold(uses []memoryUse, batch *usageBatch, last bool) (err error) {
	defer s.guardReads(&err)
	w := s.beginWriter("")
	defer w.release()
	for _, u := range uses {
		if err := w.enter(u.tenant); err != nil {
			return err
		}
		if err := s.foldMemory(w, u, batch.end); err != nil {
			return err
		}
	}
	if last {
		w.tenant, w.ks, w.ring = "", nil, nil
		for t, at := range batch.last { // also for uses of memories that are FORGOTTEN by now
			w.noteRecorded(t, at.Time())
		}
		w.putRow(storeKey(rowFolded), be64(batch.end), 0)
	}
	_, err = s.commitWriter(w)
	return err
}

// foldMemory adds the uses of one memory to its row. The uses of a damaged row are lost: they must not
// keep those of all others in the log.
func (s *Store) foldMemory(w *txWriter, u memoryUse, end uint64) error {
	err := w.foldMemory(u, end)
	if graph.DamagedRow(err) {
		s.options.Logger.Error("[WRITE] uses of a damaged memory are not counted", "id", u.id, "error", err)
		return nil
	}
	return err
}

func (w *txWriter) foldMemory(u memoryUse, end uint64) error {
	b, err := wire.UUID("id", u.id)
	if err != nil {
		return err
	}
	m, err := w.readMemory(u.id, b)
	if known, err := graph.Found(err); !known || m.Status() == graph.Forgotten {
		return err
	}
	row, err := w.foldedUsage(b)
	if err != nil || row.UpTo >= end {
		return err
	}
	row.add(u.row)
	row.UpTo = end
	w.putUsage(w.ks.rowKey(rowUsage, b[:]), row)
	w.addChange(u.tenant, graph.Change{At: u.row.Last.Time(), Node: graph.NodeUsage, Kind: graph.EventUpdated, ID: u.id, Namespace: m.Namespace})
	return nil
}

// loadLog reads the counts from the log that are not folded yet.
func (b *usageBuffer) loadLog(s *Store, dir string) error {
	var folded uint64
	err := s.viewRows("", func(view rowReader) (err error) {
		folded, err = view.readUint64(storeKey(rowFolded))
		return err
	})
	if err != nil {
		return err
	}
	log, records, err := openUsageLog(dir, folded, s.watermark.current.Usage, s.options.Logger)
	if err != nil {
		return err
	}
	b.log, b.logEnd = log, log.end
	log.keyed = s.keys != nil
	for _, r := range records {
		if err := b.replay(s, r); err != nil {
			return errors.Join(err, log.file.Close())
		}
	}
	return nil
}

// replay counts a record of the log, except for memories whose rows already count it.
func (b *usageBuffer) replay(s *Store, r usageRecord) error {
	var ids []graph.ID
	err := s.viewRows(r.tenant, func(view rowReader) error {
		r.use.Sessions = view.names.sessions(r.plain, r.use.Sessions)
		for _, id := range r.ids {
			key, err := wire.UUID("ids", id)
			if err != nil {
				return err
			}
			row, err := view.foldedUsage(key)
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
	b.addUses(r.tenant, ids, r.use, r.end)
	return nil
}

// close folds what can be folded and closes the log.
func (b *usageBuffer) close(s *Store) error {
	err := b.foldAll(s)
	if errors.Is(err, graph.ErrUnavailable) {
		err = nil // it stays in the log, which is synced below
	}
	if b.log == nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && len(b.batches) == 1 && b.log.size() > 0 && s.failure.Load() == nil {
		err = b.log.startSegment(b.logEnd, s.options.Logger)
	}
	if e := b.log.file.Sync(); e != nil {
		return errors.Join(err, fmt.Errorf("badgerstore: sync the usage log: %w", e), b.log.file.Close())
	}
	return errors.Join(err, s.watermark.setUsageSynced(b.logEnd), b.log.file.Close())
}
