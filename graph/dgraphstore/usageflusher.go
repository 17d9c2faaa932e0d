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
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
	"github.com/somnograph/somnograph/graph/dgraphstore/usejournal"
)

const (
	usageFlushEvery   = 500 * time.Millisecond // default of Options.UsageFlushEvery
	maxWaitingBatches = 64                     // batches that may wait for Dgraph
)

// usageFlusher writes uses after CountUses has returned. A use is in the journal before it
// is acknowledged, and the uses of half a second are one request. Each batch of the journal
// has a number. The node of this process in Dgraph holds the number of the last batch that
// was written, so that a batch that is sent twice is written once. ADR 31.
type usageFlusher struct {
	store       *Store
	journal     *usejournal.Journal
	batchFull   chan struct{}       // the open batch is full
	mu          sync.Mutex          // held while batches are sent; guards what follows
	lastWritten string              // number in Dgraph; "": not read yet
	waiting     []*usejournal.Batch // batches found at Open, then those that could not be sent
}

// openUsageFlusher opens the journal in a directory.
func (s *Store) openUsageFlusher(ctx context.Context, dir string) error {
	j, left, err := usejournal.Open(dir, s.options.Rand)
	if err != nil {
		return err
	}
	flusher := &usageFlusher{store: s, journal: j, batchFull: make(chan struct{}, 1), waiting: left}
	if err := flusher.readLastWritten(ctx); err != nil {
		return err
	}
	last, err := strconv.ParseUint(flusher.lastWritten, 16, 64)
	if err != nil {
		return integrityError("use.server "+j.Writer, "has no number")
	}
	j.StartAfter(last)
	s.usageFlusher = flusher
	s.goroutines.Go(func() {
		s.periodically(s.options.UsageFlushEvery, flusher.batchFull, flusher.flush, "[WRITE] counted uses can't be written to Dgraph now; they stay in the journal")
	})
	return nil
}

// count acknowledges a call: from now on it survives the death of the process.
func (f *usageFlusher) count(tenant graph.Tenant, ids []graph.ID, use graph.Use) error {
	full, err := f.journal.Append(tenant, ids, use)
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
		next, err := f.journal.Rotate()
		if err != nil {
			return err
		}
		if next != nil {
			f.waiting = append(f.waiting, next)
		}
	}
	f.journal.SetStalled(len(f.waiting) >= maxWaitingBatches)
	for len(f.waiting) > 0 {
		if err := f.sendBatch(ctx, f.waiting[0]); err != nil {
			return err
		}
		if err := f.journal.RemoveBatch(f.waiting[0].Number); err != nil {
			return err
		}
		f.waiting = f.waiting[1:]
	}
	return nil
}

const lastBatchQuery = `query q($s: string) { q(func: eq(use.server, $s)) { done: use.done } }`

// readLastWritten reads the number of the last batch that was written.
func (f *usageFlusher) readLastWritten(ctx context.Context) error {
	var answer struct{ Q []struct{ Done string } }
	if err := f.store.newSnapshot().runQuery(ctx, lastBatchQuery, map[string]string{"$s": f.journal.Writer}, &answer); err != nil {
		return err
	}
	f.lastWritten = usejournal.Number(0)
	for _, q := range answer.Q {
		f.lastWritten = max(f.lastWritten, q.Done)
	}
	return nil
}

// sendBatch writes a batch, once.
func (f *usageFlusher) sendBatch(ctx context.Context, batch *usejournal.Batch) error {
	s := f.store
	for n := 1; ; n++ {
		if f.lastWritten == "" {
			if err := f.readLastWritten(ctx); err != nil {
				return err
			}
		}
		if usejournal.Number(batch.Number) <= f.lastWritten { // the answer to an earlier try was lost
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
			f.lastWritten = usejournal.Number(batch.Number)
			for _, t := range batch.Days {
				s.foldQueue.add(t.Tenant)
			}
			return nil
		case err != nil && !reach.IsAborted(err) && !reach.IsTransient(err):
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
func (f *usageFlusher) batchRequest(batch *usejournal.Batch) *api.Request {
	r := useRequest{
		vars:     map[string]string{"$s": f.journal.Writer, "$d": f.lastWritten},
		declared: "$s: string, $d: string",
		blocks:   "s as var(func: eq(use.server, $s)) o as var(func: uid(s)) @filter(eq(use.done, $d)) ok(func: uid(o)) { uid }",
	}
	condition, node := "eq(len(o), 1)", "uid(s)"
	if f.lastWritten == usejournal.Number(0) {
		condition, node = "eq(len(s), 0)", "_:server"
	}
	r.mutations = append(r.mutations, &api.Mutation{Cond: "@if(" + condition + ")", Set: []*api.NQuad{
		quad(node, "use.server", f.journal.Writer), quad(node, "use.done", usejournal.Number(batch.Number)),
	}})
	for _, t := range batch.Days {
		ks := newKeyspace(t.Tenant)
		keysByCount := map[usejournal.Count][]string{}
		for id, count := range t.Uses {
			keysByCount[count] = append(keysByCount[count], ks.nodeKey(id))
		}
		for count, used := range keysByCount {
			for keys := range slices.Chunk(used, queryChunk) {
				r.addUse(condition, ks, keys, count.Last, count.Sessions, func(node string) *api.NQuad { return quad(node, "use.times", int64(count.Count)) })
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
	return s.usageFlusher.journal.Waiting()
}
