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
	"github.com/somnograph/somnograph/graph/wire"
)

const (
	behindFor  = 500 * time.Millisecond // Options.BehindFor
	behindUses = 2048                   // so many wait for no others
	behindMost = 64                     // batches that may wait for Dgraph
)

// behind counts uses behind the answer. A use stands in the journal before it is
// acknowledged, and what was counted within half a second is one request. Each batch of
// the journal has a number, and the node of this process in Dgraph says which was written
// last, so that none is written twice, whenever it is sent again. ADR 31.
type behind struct {
	store   *Store
	journal *journal
	now     chan struct{} // there is enough for a batch
	turn    sync.Mutex    // one at a time writes; guards what follows
	done    string        // number that the node says; "": not read yet
	waiting []*batch      // from the journal's files of before, then what could not be sent
}

// tally is how memories of a tenant were used on a day.
type tally struct {
	tenant graph.Tenant
	day    int32
	uses   map[graph.ID]often
}

// often is how often a memory was used, and when last.
type often struct {
	times int
	last  wire.Stamp
}

// batch is what one file of the journal holds.
type batch struct {
	number  uint64
	tallies []*tally
	uses    int
}

// add counts a call. Of the uses of a memory on a day only their number and the last instant
// matter.
func (b *batch) add(tenant graph.Tenant, ids []graph.ID, at time.Time) {
	stamp, day := wire.StampOf(at), graph.Day(at)
	i := slices.IndexFunc(b.tallies, func(t *tally) bool { return t.tenant == tenant && t.day == day })
	if i < 0 {
		i = len(b.tallies)
		b.tallies = append(b.tallies, &tally{tenant: tenant, day: day, uses: map[graph.ID]often{}})
	}
	t := b.tallies[i]
	for _, id := range ids {
		o := t.uses[id]
		t.uses[id] = often{o.times + 1, max(o.last, stamp)}
	}
	b.uses += len(ids)
}

// openBehind opens the journal in a directory.
func (s *Store) openBehind(ctx context.Context, dir string) error {
	j, left, err := openJournal(dir, s.opts.Rand)
	if err != nil {
		return err
	}
	b := &behind{store: s, journal: j, now: make(chan struct{}, 1), waiting: left}
	if err := b.ask(ctx); err != nil {
		return err
	}
	last, err := strconv.ParseUint(b.done, 16, 64)
	if err != nil {
		return broken("use.server "+j.name, "has no number")
	}
	j.begin(last)
	s.behind = b
	s.tasks.Go(s.behind.run)
	return nil
}

// count acknowledges a call: from here on it survives the death of the process.
func (b *behind) count(tenant graph.Tenant, ids []graph.ID, at time.Time) error {
	full, err := b.journal.append(tenant, ids, at)
	if full && err == nil {
		select {
		case b.now <- struct{}{}:
		default:
		}
	}
	return err
}

// run writes what was counted until the store is closed.
func (b *behind) run() {
	ticker := time.NewTicker(b.store.opts.BehindFor)
	defer ticker.Stop()
	for {
		select {
		case <-b.store.background.Done():
			return
		case <-ticker.C:
		case <-b.now:
		}
		if err := b.flush(b.store.background); err != nil && b.store.background.Err() == nil {
			b.store.opts.Logger.Warn("[WRITE] uses wait to be counted", "error", err)
		}
	}
}

// FlushUses writes the uses that this process has counted so far.
func (s *Store) FlushUses(ctx context.Context) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	if s.behind == nil {
		return nil
	}
	return s.behind.flush(ctx)
}

// flush writes what waits, in order. What can't be written now waits.
func (b *behind) flush(ctx context.Context) error {
	b.turn.Lock()
	defer b.turn.Unlock()
	if len(b.waiting) < behindMost {
		next, err := b.journal.rotate()
		if err != nil {
			return err
		}
		if next != nil {
			b.waiting = append(b.waiting, next)
		}
	}
	b.journal.stall(len(b.waiting) >= behindMost)
	for len(b.waiting) > 0 {
		if err := b.send(ctx, b.waiting[0]); err != nil {
			return err
		}
		if err := b.journal.remove(b.waiting[0].number); err != nil {
			return err
		}
		b.waiting = b.waiting[1:]
	}
	return nil
}

// number is how a batch is called in Dgraph: as long as all, in order.
func number(n uint64) string { return fmt.Sprintf("%016x", n) }

const doneQuery = `query q($s: string) { q(func: eq(use.server, $s)) { done: use.done } }`

// ask reads which batch was written last.
func (b *behind) ask(ctx context.Context) error {
	var answer struct{ Q []struct{ Done string } }
	if err := b.store.snapshot().ask(ctx, doneQuery, map[string]string{"$s": b.journal.name}, &answer); err != nil {
		return err
	}
	b.done = number(0)
	for _, q := range answer.Q {
		b.done = max(b.done, q.Done)
	}
	return nil
}

// send writes a batch, once.
func (b *behind) send(ctx context.Context, x *batch) error {
	s := b.store
	for n := 1; ; n++ {
		if b.done == "" {
			if err := b.ask(ctx); err != nil {
				return err
			}
		}
		if number(x.number) <= b.done { // the answer to an earlier try was lost
			return nil
		}
		applied := false
		err := s.once(ctx, n, func(ctx context.Context) error {
			res, err := s.client(ctx).NewTxn().Do(ctx, b.request(x))
			if err != nil {
				return err
			}
			var answer struct{ Ok []struct{ UID string } }
			if err := json.Unmarshal(res.GetJson(), &answer); err != nil {
				return fmt.Errorf("dgraphstore: read an answer: %w", err)
			}
			_, first := res.GetUids()["server"]
			applied = first || len(answer.Ok) == 1
			s.sawUses(res.GetTxn().GetCommitTs())
			return nil
		})
		switch {
		case err == nil && applied:
			b.done = number(x.number)
			for _, t := range x.tallies {
				s.folds.want(t.tenant)
			}
			return nil
		case err != nil && !aborted(err) && !transient(err):
			return err
		case n > retries:
			return errors.Join(graph.ErrUnavailable, err)
		}
		b.done = "" // who knows: it is asked for
		if err := pause(ctx, s.opts.Backoff(n)); err != nil {
			return errors.Join(graph.ErrUnavailable, err)
		}
	}
}

// request writes a batch if it comes behind the one that was written last.
func (b *behind) request(x *batch) *api.Request {
	vars := map[string]string{"$s": b.journal.name, "$d": b.done}
	r := &api.Request{CommitNow: true, Vars: vars}
	declared := "$s: string, $d: string"
	blocks := "s as var(func: eq(use.server, $s)) o as var(func: uid(s)) @filter(eq(use.done, $d)) ok(func: uid(o)) { uid }"
	may, node := "eq(len(o), 1)", "uid(s)"
	if b.done == number(0) {
		may, node = "eq(len(s), 0)", "_:server"
	}
	r.Mutations = append(r.Mutations, &api.Mutation{Cond: "@if(" + may + ")", Set: []*api.NQuad{
		quad(node, "use.server", b.journal.name), quad(node, "use.done", number(x.number)),
	}})
	i := 0
	for _, t := range x.tallies {
		ks := newKeyspace(t.tenant)
		alike := map[often][]string{}
		for id, o := range t.uses {
			alike[o] = append(alike[o], ks.node(id))
		}
		for o, used := range alike {
			for keys := range slices.Chunk(used, chunk) {
				n := strconv.Itoa(i)
				i++
				d, named := list("k"+n+"x", keys, vars)
				declared += ", " + d
				blocks += " m" + n + " as var(func: eq(node.key, " + named + `)) @filter(has(memory.record) AND NOT eq(memory.status, "FORGOTTEN"))`
				use := "_:use" + n
				r.Mutations = append(r.Mutations, &api.Mutation{
					Cond: "@if(" + may + " AND gt(len(m" + n + "), 0))",
					Set: []*api.NQuad{
						quad(use, "use.tenant", string(ks)), quad(use, "use.at", int64(o.last)), quad(use, "use.times", int64(o.times)),
						{Subject: use, Predicate: "use.of", ObjectId: "uid(m" + n + ")"},
					},
				})
			}
		}
	}
	r.Query = "query q(" + declared + ") { " + blocks + " }"
	return r
}
