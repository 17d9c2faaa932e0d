package dgraphstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/wire"
)

const (
	usageFlushEvery   = 500 * time.Millisecond // default of Options.UsageFlushEvery
	usageBatchSize    = 2048                   // uses that fill a batch
	maxWaitingBatches = 64                     // batches that may wait for Dgraph
)

// usageFlusher writes uses after CountUses has returned. A use is in the journal before it
// is acknowledged, and the uses of half a second are one request. Each batch of the journal
// has a number. The node of this process in Dgraph holds the number of the last batch that
// was written, so that a batch that is sent twice is written once. ADR 31.
type usageFlusher struct {
	store       *Store
	journal     *usageJournal
	batchFull   chan struct{} // the open batch is full
	mu          sync.Mutex    // held while batches are sent; guards what follows
	lastWritten string        // number in Dgraph; "": not read yet
	waiting     []*usageBatch // batches found at Open, then those that could not be sent
}

// dailyUses is how memories of a tenant were used on a day.
type dailyUses struct {
	tenant graph.Tenant
	day    int32
	uses   map[graph.ID]useCount
}

// useCount is how often a memory was used, when last, and in which sessions.
type useCount struct {
	count    int
	last     wire.Stamp
	sessions string // see wire.SessionsText
}

// addSessions adds sessions to the text of a set.
func addSessions(text string, more graph.Sessions) string {
	have, err := wire.ParseSessions(text)
	if err != nil {
		panic(err) // this package wrote it
	}
	return wire.SessionsText(have.Union(more))
}

// usageBatch is the content of one file of the journal.
type usageBatch struct {
	number uint64
	days   []*dailyUses
	total  int
}

// add counts a call. It keeps the number of uses per memory and day, and the last instant.
func (b *usageBatch) add(tenant graph.Tenant, ids []graph.ID, use graph.Use) {
	stamp, day := wire.StampOf(use.At), graph.Day(use.At)
	i := slices.IndexFunc(b.days, func(uses *dailyUses) bool { return uses.tenant == tenant && uses.day == day })
	if i < 0 {
		i = len(b.days)
		b.days = append(b.days, &dailyUses{tenant: tenant, day: day, uses: map[graph.ID]useCount{}})
	}
	uses := b.days[i]
	for _, id := range ids {
		count := uses.uses[id]
		uses.uses[id] = useCount{count.count + 1, max(count.last, stamp), addSessions(count.sessions, use.Sessions)}
	}
	b.total += len(ids)
}

// openUsageFlusher opens the journal in a directory.
func (s *Store) openUsageFlusher(ctx context.Context, dir string) error {
	j, left, err := openUsageJournal(dir, s.options.Rand)
	if err != nil {
		return err
	}
	flusher := &usageFlusher{store: s, journal: j, batchFull: make(chan struct{}, 1), waiting: left}
	if err := flusher.readLastWritten(ctx); err != nil {
		return err
	}
	last, err := strconv.ParseUint(flusher.lastWritten, 16, 64)
	if err != nil {
		return integrityError("use.server "+j.writerName, "has no number")
	}
	j.startAfter(last)
	s.usageFlusher = flusher
	s.goroutines.Go(func() {
		s.periodically(s.options.UsageFlushEvery, flusher.batchFull, flusher.flush, "[WRITE] counted uses can't be written to Dgraph now; they stay in the journal")
	})
	return nil
}

// count acknowledges a call: from now on it survives the death of the process.
func (f *usageFlusher) count(tenant graph.Tenant, ids []graph.ID, use graph.Use) error {
	full, err := f.journal.append(tenant, ids, use)
	if full && err == nil {
		select {
		case f.batchFull <- struct{}{}:
		default:
		}
	}
	return err
}

// FlushUses writes the uses that this process has counted so far.
func (s *Store) FlushUses(ctx context.Context) error {
	if err := s.calls.Begin(ctx); err != nil {
		return err
	}
	defer s.calls.End()
	if s.usageFlusher == nil {
		return nil
	}
	return s.usageFlusher.flush(ctx)
}

// flush writes the waiting batches in order. A batch that can't be written stays.
func (f *usageFlusher) flush(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.waiting) < maxWaitingBatches {
		next, err := f.journal.rotate()
		if err != nil {
			return err
		}
		if next != nil {
			f.waiting = append(f.waiting, next)
		}
	}
	f.journal.setStalled(len(f.waiting) >= maxWaitingBatches)
	for len(f.waiting) > 0 {
		if err := f.sendBatch(ctx, f.waiting[0]); err != nil {
			return err
		}
		if err := f.journal.removeBatch(f.waiting[0].number); err != nil {
			return err
		}
		f.waiting = f.waiting[1:]
	}
	return nil
}

// batchNumber is the fixed-width form of a batch number; it sorts in order.
func batchNumber(n uint64) string { return fmt.Sprintf("%016x", n) }

const lastBatchQuery = `query q($s: string) { q(func: eq(use.server, $s)) { done: use.done } }`

// readLastWritten reads the number of the last batch that was written.
func (f *usageFlusher) readLastWritten(ctx context.Context) error {
	var answer struct{ Q []struct{ Done string } }
	if err := f.store.newSnapshot().runQuery(ctx, lastBatchQuery, map[string]string{"$s": f.journal.writerName}, &answer); err != nil {
		return err
	}
	f.lastWritten = batchNumber(0)
	for _, q := range answer.Q {
		f.lastWritten = max(f.lastWritten, q.Done)
	}
	return nil
}

// sendBatch writes a batch, once.
func (f *usageFlusher) sendBatch(ctx context.Context, batch *usageBatch) error {
	s := f.store
	for n := 1; ; n++ {
		if f.lastWritten == "" {
			if err := f.readLastWritten(ctx); err != nil {
				return err
			}
		}
		if batchNumber(batch.number) <= f.lastWritten { // the answer to an earlier try was lost
			return nil
		}
		applied := false
		err := s.tryOnce(ctx, n, func(ctx context.Context) error {
			res, err := s.clientFor(ctx).NewTxn().Do(ctx, f.batchRequest(batch))
			if err != nil {
				return err
			}
			var answer struct{ Ok []struct{ UID string } }
			if err := json.Unmarshal(res.GetJson(), &answer); err != nil {
				return fmt.Errorf("dgraphstore: decode a response: %w", err)
			}
			_, first := res.GetUids()["server"]
			applied = first || len(answer.Ok) == 1
			s.noteUseTs(res.GetTxn().GetCommitTs())
			return nil
		})
		switch {
		case err == nil && applied:
			f.lastWritten = batchNumber(batch.number)
			for _, t := range batch.days {
				s.foldQueue.add(t.tenant)
			}
			return nil
		case err != nil && !isAborted(err) && !isTransient(err):
			return err
		case n > maxConflictRetries:
			return errors.Join(graph.ErrUnavailable, err)
		}
		f.lastWritten = "" // unknown: read it again
		if err := calls.Pause(ctx, s.options.Backoff(n)); err != nil {
			return errors.Join(graph.ErrUnavailable, err)
		}
	}
}

// batchRequest writes a batch if it is newer than the last one that was written.
func (f *usageFlusher) batchRequest(batch *usageBatch) *api.Request {
	r := useRequest{
		vars:     map[string]string{"$s": f.journal.writerName, "$d": f.lastWritten},
		declared: "$s: string, $d: string",
		blocks:   "s as var(func: eq(use.server, $s)) o as var(func: uid(s)) @filter(eq(use.done, $d)) ok(func: uid(o)) { uid }",
	}
	condition, node := "eq(len(o), 1)", "uid(s)"
	if f.lastWritten == batchNumber(0) {
		condition, node = "eq(len(s), 0)", "_:server"
	}
	r.mutations = append(r.mutations, &api.Mutation{Cond: "@if(" + condition + ")", Set: []*api.NQuad{
		quad(node, "use.server", f.journal.writerName), quad(node, "use.done", batchNumber(batch.number)),
	}})
	for _, t := range batch.days {
		ks := newKeyspace(t.tenant)
		keysByCount := map[useCount][]string{}
		for id, count := range t.uses {
			keysByCount[count] = append(keysByCount[count], ks.nodeKey(id))
		}
		for count, used := range keysByCount {
			for keys := range slices.Chunk(used, queryChunk) {
				r.addUse(condition, ks, keys, count.last, count.sessions, func(node string) *api.NQuad { return quad(node, "use.times", int64(count.count)) })
			}
		}
	}
	return r.request()
}

// UsesWaiting is the number of uses in the journal that are not in Dgraph yet, without those being
// sent now; 0 without a journal.
func (s *Store) UsesWaiting() int {
	if s.usageFlusher == nil {
		return 0
	}
	j := s.usageFlusher.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.openBatch.total
}
