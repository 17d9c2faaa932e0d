package dgraphstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/wire"
)

// CountUses adds one use at the instant to each memory; unknown and FORGOTTEN ids are
// passed over. A call is one small node beside the memories, so that counting waits for
// no commit and no commit for it; fold.go counts it into the memories later. Calls that
// come while others are under way are written together. With Options.Uses they stand in a
// journal when this returns, and show within a second.
func (s *Store) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, at time.Time) error {
	if at.IsZero() {
		return graph.FieldError(graph.CodeInvalidRequest, "at", "is required")
	}
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	defer s.leave()
	ks := newKeyspace(scope.Tenant)
	var keys []string
	var known []graph.ID
	for _, id := range ids {
		if key := ks.node(id); id.Valid() && !slices.Contains(keys, key) {
			keys, known = append(keys, key), append(known, id)
		}
	}
	if s.behind != nil && len(known) > 0 {
		return s.behind.count(scope.Tenant, known, graph.Millis(at))
	}
	for some := range slices.Chunk(keys, chunk) {
		u := &use{keys: some, at: graph.Millis(at), done: make(chan struct{})}
		if err := s.countUse(ctx, ks, s.uses.of(scope.Tenant), u); err != nil {
			return err
		}
	}
	if len(keys) > 0 {
		s.folds.want(scope.Tenant)
	}
	return nil
}

// use is a call that waits until it is written.
type use struct {
	keys []string // of nodes
	at   time.Time
	err  error
	done chan struct{}
}

// uses are the calls of each tenant.
type uses struct {
	mu  sync.Mutex
	all map[graph.Tenant]*useQueue
}

// useQueue is the calls of a tenant that wait; who has the turn writes them.
type useQueue struct {
	turn    chan struct{}
	mu      sync.Mutex
	waiting []*use
}

func (u *uses) init() { u.all = map[graph.Tenant]*useQueue{} }

func (u *uses) of(t graph.Tenant) *useQueue {
	u.mu.Lock()
	defer u.mu.Unlock()
	q := u.all[t]
	if q == nil {
		q = &useQueue{turn: make(chan struct{}, 1)}
		u.all[t] = q
	}
	return q
}

// take answers the calls that go into one request.
func (q *useQueue) take() []*use {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, keys := 0, 0
	for _, u := range q.waiting {
		if keys += len(u.keys); n > 0 && keys > chunk {
			break
		}
		n++
	}
	some := slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	return some
}

// countUse waits until a call is written, with whatever else waits.
func (s *Store) countUse(ctx context.Context, ks keyspace, q *useQueue, u *use) error {
	q.mu.Lock()
	q.waiting = append(q.waiting, u)
	q.mu.Unlock()
	for {
		select {
		case <-u.done:
			return u.err
		case <-ctx.Done():
			return ctx.Err() // it may still be counted
		case q.turn <- struct{}{}:
			if some := q.take(); len(some) > 0 {
				bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.Patience)
				err := s.writeUses(bounded, ks, some)
				cancel()
				for _, one := range some {
					one.err = err
					close(one.done)
				}
			}
			<-q.turn
		}
	}
}

// writeUses writes a node a call. Their token makes it safe to send them again.
func (s *Store) writeUses(ctx context.Context, ks keyspace, some []*use) error {
	var random [16]byte
	if _, err := io.ReadFull(s.opts.Rand, random[:]); err != nil {
		return fmt.Errorf("dgraphstore: randomness for the token of a use: %w", err)
	}
	token := string(ks) + hex.EncodeToString(random[:])
	req := func() *api.Request {
		r := &api.Request{CommitNow: true, Vars: map[string]string{"$token": token}}
		declared, blocks := "$token: string", ""
		for i, u := range some {
			n := strconv.Itoa(i)
			d, named := list("k"+n+"x", u.keys, r.Vars)
			declared += ", " + d
			blocks += " m" + n + " as var(func: eq(node.key, " + named + `)) @filter(has(memory.record) AND NOT eq(memory.status, "FORGOTTEN"))`
			node := "_:use" + n
			r.Mutations = append(r.Mutations, &api.Mutation{
				Cond: "@if(eq(len(d), 0) AND gt(len(m" + n + "), 0))",
				Set: []*api.NQuad{
					quad(node, "use.token", token), quad(node, "use.tenant", string(ks)), quad(node, "use.at", int64(wire.StampOf(u.at))),
					{Subject: node, Predicate: "use.of", ObjectId: "uid(m" + n + ")"},
				},
			})
		}
		r.Query = "query q(" + declared + ") { d as var(func: eq(use.token, $token))" + blocks + " }"
		return r
	}
	for n := 1; ; n++ {
		err := s.retry(ctx, func(ctx context.Context) error {
			res, err := s.client(ctx).NewTxn().Do(ctx, req())
			s.sawUses(res.GetTxn().GetCommitTs())
			return err
		})
		if !aborted(err) {
			return err
		}
		if n > retries {
			return graph.ErrConflict
		}
		if err := pause(ctx, s.opts.Backoff(n)); err != nil {
			return err
		}
	}
}

// sawUses takes note of when uses were written, in Dgraph's time.
func (s *Store) sawUses(at uint64) {
	for known := s.counted.Load(); known < at && !s.counted.CompareAndSwap(known, at); known = s.counted.Load() {
	}
}

// folds are the tenants with uses that wait to be folded.
type folds struct {
	mu      sync.Mutex
	waiting map[graph.Tenant]bool
}

func (f *folds) init() { f.waiting = map[graph.Tenant]bool{} }

func (f *folds) want(t graph.Tenant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting[t] = true
}

// take answers the tenants and forgets them.
func (f *folds) take() []graph.Tenant {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []graph.Tenant
	for t := range f.waiting {
		all = append(all, t)
	}
	f.waiting = map[graph.Tenant]bool{}
	slices.Sort(all)
	return all
}

// findUses finds what a process left that ended before it folded.
func (s *Store) findUses(ctx context.Context) error {
	var answer struct{ Q []struct{ Tenant string } }
	if err := s.snapshot().ask(ctx, `{ q(func: has(use.tenant), first: 10000) { tenant: use.tenant } }`, nil, &answer); err != nil {
		return err
	}
	for _, q := range answer.Q {
		s.folds.want(graph.Tenant(q.Tenant[:len(q.Tenant)-1]))
	}
	return nil
}

// foldInTime folds what was counted, until the store is closed.
func (s *Store) foldInTime() {
	ticker := time.NewTicker(s.opts.FoldEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.background.Done():
			return
		case <-ticker.C:
		}
		if err := s.foldAll(s.background); err != nil && s.background.Err() == nil {
			s.opts.Logger.Warn("[WRITE] usage counts wait to be folded", "error", err)
		}
	}
}

// foldAll folds what every tenant counted. What can't be folded now waits.
func (s *Store) foldAll(ctx context.Context) error {
	var errs []error
	for _, t := range s.folds.take() {
		if err := s.fold(ctx, t); err != nil {
			s.folds.want(t)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
