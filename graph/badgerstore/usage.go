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
	recordIDs  = 256         // ids in one record of the log
	batchSize  = 1024        // memories in a batch before it is folded
	foldSize   = 128         // memories folded in one transaction
	syncWithin = time.Second // a power cut takes at most so much
)

// usageBook holds the uses that are acknowledged and not folded into rows yet, as
// batches in the order of the log. Uses are added to the last batch; the others
// wait to be folded, the oldest first.
//
// A usage row says up to which position of the log it counts. So a reader that
// takes the batches first and its snapshot then counts every use once: a batch that
// the row reaches is in the row, any other is not, whenever the fold happens.
type usageBook struct {
	mu      sync.Mutex
	log     *usageLog // nil in memory
	pos     uint64    // behind the last record
	batches []*usageBatch
	dirty   chan struct{} // there are unsynced records
	full    chan struct{} // a batch wants to be folded
	folding sync.Mutex
}

func newUsageBook() *usageBook {
	return &usageBook{batches: []*usageBatch{newBatch()}, dirty: make(chan struct{}, 1), full: make(chan struct{}, 1)}
}

// open answers the batches, to be taken before a snapshot is.
func (b *usageBook) open() []*usageBatch {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.batches)
}

// latest is the last use of a tenant that is not folded yet, 0 where there is none.
func (b *usageBook) latest(t graph.Tenant) (at wire.Stamp) {
	for _, batch := range b.open() {
		at = max(at, batch.latest(t))
	}
	return at
}

// usageBatch is what a stretch of the log counts.
type usageBatch struct {
	mu   sync.RWMutex
	uses map[graph.Tenant]map[graph.ID]*usageRow // UpTo is not used here
	last map[graph.Tenant]wire.Stamp
	size int
	end  uint64 // position behind its last record
}

func newBatch() *usageBatch {
	return &usageBatch{uses: map[graph.Tenant]map[graph.ID]*usageRow{}, last: map[graph.Tenant]wire.Stamp{}}
}

// add counts one use of each memory; end is the position behind the record.
func (b *usageBatch) add(t graph.Tenant, ids []graph.ID, at time.Time, end uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	uses := b.uses[t]
	if uses == nil {
		uses = map[graph.ID]*usageRow{}
		b.uses[t] = uses
	}
	one := usageRow{Count: 1, Days: []int32{graph.Day(at)}, Last: wire.StampOf(at)}
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

// addTo adds what the batch counts of a memory unless the row counts it already.
func (b *usageBatch) addTo(row *usageRow, t graph.Tenant, id graph.ID) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if u := b.uses[t][id]; u != nil && row.UpTo < b.end {
		row.add(*u)
	}
}

// latest is the last use that the batch counts in a tenant, 0 where there is none.
func (b *usageBatch) latest(t graph.Tenant) wire.Stamp {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.last[t]
}

// forget drops what is counted of memories.
func (b *usageBatch) forget(t graph.Tenant, ids []graph.ID) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, id := range ids {
		delete(b.uses[t], id)
	}
}

// add adds what o counts.
func (u *usageRow) add(o usageRow) {
	u.Count += o.Count
	u.Last = max(u.Last, o.Last)
	for _, d := range o.Days {
		if i, found := slices.BinarySearch(u.Days, d); !found {
			u.Days = slices.Insert(u.Days, i, d)
		}
	}
}

// forget drops what is counted of memories that were erased.
func (b *usageBook) forget(t graph.Tenant, ids []graph.ID) {
	if len(ids) == 0 {
		return
	}
	for _, batch := range b.open() {
		batch.forget(t, ids)
	}
}

// CountUses adds one use at the instant to each memory; unknown and FORGOTTEN ids
// are passed over. It returns when the log has the record, before that is synced.
func (s *Store) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, at time.Time) error {
	if at.IsZero() {
		return graph.FieldError(graph.CodeInvalidRequest, "at", "is required")
	}
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	defer s.leave()
	if err := s.writable(); err != nil {
		return err
	}
	known, err := s.standing(scope.Tenant, ids)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(known, recordIDs) {
		if err := s.usage.record(scope.Tenant, some, graph.Millis(at)); err != nil {
			return err
		}
	}
	return nil
}

// standing keeps the ids of memories that are there and not FORGOTTEN, each once.
func (s *Store) standing(t graph.Tenant, ids []graph.ID) (known []graph.ID, err error) {
	err = s.look(t, func(r rows) error {
		seen := make(map[graph.ID]bool, len(ids))
		for _, id := range ids {
			b, err := id.Bytes()
			if err != nil || seen[id] {
				continue
			}
			seen[id] = true
			meta, found, err := r.meta(r.ks.row(rowMemory, b[:]))
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

// record appends to the log and counts.
func (b *usageBook) record(t graph.Tenant, ids []graph.ID, at time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	end := b.pos + 1
	if b.log != nil {
		var err error
		if end, err = b.log.append(usageRecord{tenant: t, ids: ids, at: at}); err != nil {
			return fmt.Errorf("%w: write the usage log: %w", graph.ErrUnavailable, err)
		}
	}
	b.pos = end
	batch := b.batches[len(b.batches)-1]
	batch.add(t, ids, at, end)
	signal(b.dirty)
	if batch.size >= batchSize {
		b.batches = append(b.batches, newBatch())
		signal(b.full)
	}
	return nil
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// run syncs the log and folds batches in time until stop is closed.
func (b *usageBook) run(s *Store, stop <-chan struct{}) {
	syncAt, foldAt := stopped(), stopped()
	syncing, folding := false, false // whether the timers run
	for {
		select {
		case <-stop:
			return
		case <-b.dirty:
			if !syncing {
				syncing = true
				syncAt.Reset(syncWithin)
			}
			if !folding {
				folding = true
				foldAt.Reset(s.opts.FoldEvery)
			}
		case <-syncAt.C:
			syncing = false
			if err := b.sync(s); err != nil {
				s.fail(err)
			}
		case <-foldAt.C:
			folding = false
			b.foldLater(s)
		case <-b.full:
			b.foldLater(s)
		}
	}
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// foldLater folds; what can't be folded now stays in the log.
func (b *usageBook) foldLater(s *Store) {
	if err := b.fold(s); err != nil && !errors.Is(err, graph.ErrUnavailable) {
		s.opts.Logger.Error("[WRITE] usage counts stay in their log", "error", err)
	}
}

// sync makes the log durable and notes how far it is.
func (b *usageBook) sync(s *Store) error {
	if b.log == nil {
		return nil
	}
	b.folding.Lock() // a fold may begin the log anew
	defer b.folding.Unlock()
	b.mu.Lock()
	pos, file := b.pos, b.log.file
	b.mu.Unlock()
	if err := file.Sync(); err != nil {
		return fmt.Errorf("sync the usage log: %w", err)
	}
	return s.mark.synced(pos)
}
