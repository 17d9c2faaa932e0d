package badgerstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

const (
	maxRecordIDs  = 256         // ids in one record of the log
	batchSize     = 1024        // memories in a batch before it is folded
	foldChunkSize = 128         // a power cut loses at most this much
	syncDelay     = time.Second // a power cut takes at most so much
)

// usageBuffer holds the uses that are acknowledged and not folded into rows yet, as
// batches in the order of the log. Uses are added to the last batch; the others
// wait to be folded, the oldest first.
//
// A usage row holds the position of the log up to which it counts. A reader takes first the
// batches and then its snapshot, and counts every use once: a batch up to the position of
// the row is in the row, any other is not, whenever the fold happens.
type usageBuffer struct {
	mu        sync.Mutex
	log       *usageLog // nil in memory
	logEnd    uint64    // end of the last record
	batches   []*usageBatch
	unsynced  chan struct{} // there are unsynced records
	batchFull chan struct{} // a batch is full
	leave     bool          // the log is to be begun anew
	foldMu    sync.Mutex
}

func newUsageBuffer() *usageBuffer {
	return &usageBuffer{batches: []*usageBatch{newBatch()}, unsynced: make(chan struct{}, 1), batchFull: make(chan struct{}, 1)}
}

// openBatches returns the batches; take them before a snapshot.
func (b *usageBuffer) openBatches() []*usageBatch {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.batches)
}

// leaveLog folds all uses and begins the log anew, now or when the uses that come meanwhile are folded.
func (b *usageBuffer) leaveLog(s *Store) error {
	b.mu.Lock()
	b.leave = true
	b.mu.Unlock()
	return b.foldAll(s)
}

// latestUse is the last use of a tenant that is not folded yet, 0 if there is none.
func (b *usageBuffer) latestUse(t graph.Tenant) (at wire.Stamp) {
	for _, batch := range b.openBatches() {
		at = max(at, batch.latestUse(t))
	}
	return at
}

// usageBatch is the counts of a part of the log.
type usageBatch struct {
	mu   sync.RWMutex
	uses map[graph.Tenant]map[graph.ID]*usageRow // UpTo is not used here
	last map[graph.Tenant]wire.Stamp
	size int
	end  uint64 // end of its last record
}

func newBatch() *usageBatch {
	return &usageBatch{uses: map[graph.Tenant]map[graph.ID]*usageRow{}, last: map[graph.Tenant]wire.Stamp{}}
}

// add counts one use of each memory; end is the end of the record.
func (b *usageBatch) add(t graph.Tenant, ids []graph.ID, use graph.Use, end uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	uses := b.uses[t]
	if uses == nil {
		uses = map[graph.ID]*usageRow{}
		b.uses[t] = uses
	}
	one := rowOf(use)
	for _, id := range ids {
		u := uses[id]
		if u == nil {
			u = &usageRow{}
			uses[id] = u
			b.size++
		}
		u.add(one)
	}
	b.last[t] = max(b.last[t], one.Last)
	b.end = max(b.end, end)
}

// addTo adds the counts of a memory unless the row has them already.
func (b *usageBatch) addTo(row *usageRow, t graph.Tenant, id graph.ID) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if u := b.uses[t][id]; u != nil && row.UpTo < b.end {
		row.add(*u)
	}
}

// latestUse is the last use of a tenant in the batch, 0 if there is none.
func (b *usageBatch) latestUse(t graph.Tenant) wire.Stamp {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.last[t]
}

// dropUses drops the counts of memories.
func (b *usageBatch) dropUses(t graph.Tenant, ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		delete(b.uses[t], id)
	}
}

// dropUses drops the counts of erased memories.
func (b *usageBuffer) dropUses(t graph.Tenant, ids []graph.ID) {
	if len(ids) == 0 {
		return
	}
	for _, batch := range b.openBatches() {
		batch.dropUses(t, ids)
	}
}

// CountUses adds one use to each memory; it skips unknown and FORGOTTEN ids. It returns when
// the log has the record, before that is synced.
func (s *Store) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, use graph.Use) (err error) {
	if use.At.IsZero() {
		return graph.FieldError(graph.CodeInvalidRequest, "at", "is required")
	}
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	defer s.calls.End()
	_, end := graph.Observe(ctx, s.options.Observer, graph.OperationUses)
	defer end(&err)
	if err := s.writable(); err != nil {
		return err
	}
	known, err := s.knownIDs(scope.Tenant, ids)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(known, maxRecordIDs) {
		if err := s.usage.recordUses(scope.Tenant, some, use); err != nil {
			return err
		}
	}
	return nil
}

// knownIDs keeps the ids of memories that exist and are not FORGOTTEN, each once.
func (s *Store) knownIDs(t graph.Tenant, ids []graph.ID) (known []graph.ID, err error) {
	err = s.viewRows(t, func(r rowReader) error {
		seen := make(map[graph.ID]bool, len(ids))
		for _, id := range ids {
			b, err := id.Bytes()
			if err != nil || seen[id] {
				continue
			}
			seen[id] = true
			meta, found, err := r.rowMeta(r.ks.rowKey(rowMemory, b[:]))
			if err != nil {
				return err
			}
			if found && meta != stubMeta {
				known = append(known, id)
			}
		}
		return nil
	})
	return known, err
}

// recordUses appends to the log and counts.
func (b *usageBuffer) recordUses(t graph.Tenant, ids []graph.ID, use graph.Use) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	end := b.logEnd + 1
	if b.log != nil {
		var err error
		if end, err = b.log.append(usageRecord{tenant: t, ids: ids, use: use}); err != nil {
			return fmt.Errorf("%w: write the usage log: %w", graph.ErrUnavailable, err)
		}
	}
	b.logEnd = end
	b.addUses(t, ids, use, end)
	return nil
}

// addUses counts a record of the log in the last batch. The caller holds the lock.
func (b *usageBuffer) addUses(t graph.Tenant, ids []graph.ID, use graph.Use, end uint64) {
	batch := b.batches[len(b.batches)-1]
	batch.add(t, ids, use, end)
	notify(b.unsynced)
	if batch.size >= batchSize {
		b.batches = append(b.batches, newBatch())
		notify(b.batchFull)
	}
}

func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// syncAndFold syncs the log and folds batches until stop is closed.
func (b *usageBuffer) syncAndFold(s *Store, stop <-chan struct{}) {
	syncAt, foldAt := stoppedTimer(), stoppedTimer()
	syncing, folding := false, false // whether the timers run
	for {
		select {
		case <-stop:
			return
		case <-b.unsynced:
			if !syncing {
				syncing = true
				syncAt.Reset(syncDelay)
			}
			if !folding {
				folding = true
				foldAt.Reset(s.options.FoldEvery)
			}
		case <-syncAt.C:
			syncing = false
			if err := b.syncLog(s); err != nil {
				s.failWrites(err)
			}
		case <-foldAt.C:
			folding = false
			b.foldOrWarn(s)
		case <-b.batchFull:
			b.foldOrWarn(s)
		}
	}
}

func stoppedTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// foldOrWarn folds; a batch that can't be folded stays in the log.
func (b *usageBuffer) foldOrWarn(s *Store) {
	if err := b.foldAll(s); err != nil && !errors.Is(err, graph.ErrUnavailable) {
		s.options.Logger.Error("[WRITE] usage counts can't be folded now; they stay in their log", "error", err)
	}
}

// syncLog makes the log durable and records its end.
func (b *usageBuffer) syncLog(s *Store) error {
	if b.log == nil {
		return nil
	}
	b.foldMu.Lock() // a fold may begin the log anew
	defer b.foldMu.Unlock()
	b.mu.Lock()
	pos, file := b.logEnd, b.log.file
	b.mu.Unlock()
	if err := file.Sync(); err != nil {
		return fmt.Errorf("sync the usage log: %w", err)
	}
	return s.watermark.setUsageSynced(pos)
}

// UsesWaiting is the number of memories whose uses are in the log and not folded yet.
func (s *Store) UsesWaiting() int {
	n := 0
	for _, batch := range s.usage.openBatches() {
		batch.mu.RLock()
		n += batch.size
		batch.mu.RUnlock()
	}
	return n
}
