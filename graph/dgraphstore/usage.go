package dgraphstore

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
	"github.com/somnograph/somnograph/graph/wire"
)

// CountUses adds one use to each memory; it skips unknown and FORGOTTEN ids.
// A call adds one small node, so that counting and commits do not wait for each other;
// usagefold.go adds it to the memories later. Concurrent calls are written together. With
// Options.UsageJournal the uses are in the journal when CountUses returns, and visible
// within a second.
func (s *Store) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, use graph.Use) (err error) {
	if use.At.IsZero() {
		return graph.FieldError(graph.CodeInvalidRequest, "at", "is required")
	}
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	defer s.calls.End()
	ctx, end := graph.Observe(ctx, s.options.Observer, graph.OperationUses)
	defer end(&err)
	ks := newKeyspace(scope.Tenant)
	var keys []string
	var known []graph.ID
	for _, id := range ids {
		if key := ks.nodeKey(id); id.Valid() && !slices.Contains(keys, key) {
			keys, known = append(keys, key), append(known, id)
		}
	}
	if s.usageFlusher != nil && len(known) > 0 {
		return s.usageFlusher.count(scope.Tenant, known, use)
	}
	for some := range slices.Chunk(keys, queryChunk) {
		u := &pendingUse{keys: some, use: use, done: make(chan struct{})}
		if err := s.enqueueUse(ctx, ks, s.useQueues.get(scope.Tenant), u); err != nil {
			return err
		}
	}
	if len(keys) > 0 {
		s.foldQueue.add(scope.Tenant)
	}
	return nil
}

// pendingUse is a call that waits to be written.
type pendingUse struct {
	keys []string // of nodes
	use  graph.Use
	err  error
	done chan struct{}
}

// useQueue holds the waiting calls of a tenant; the holder of the send slot writes them.
type useQueue struct {
	sendSlot chan struct{}
	mu       sync.Mutex
	waiting  []*pendingUse
}

func newUseQueue() *useQueue { return &useQueue{sendSlot: make(chan struct{}, 1)} }

// nextCalls returns the calls that go into one request.
func (queue *useQueue) nextCalls() []*pendingUse {
	queue.mu.Lock()
	defer queue.mu.Unlock()
	n, keys := 0, 0
	for _, u := range queue.waiting {
		if keys += len(u.keys); n > 0 && keys > queryChunk {
			break
		}
		n++
	}
	some := slices.Clone(queue.waiting[:n])
	queue.waiting = slices.Delete(queue.waiting, 0, n)
	return some
}

// enqueueUse waits until a call is written, together with other waiting calls.
func (s *Store) enqueueUse(ctx context.Context, ks keyspace, queue *useQueue, u *pendingUse) error {
	queue.mu.Lock()
	queue.waiting = append(queue.waiting, u)
	queue.mu.Unlock()
	for {
		select {
		case <-u.done:
			return u.err
		case <-ctx.Done():
			return ctx.Err() // it may still be counted
		case queue.sendSlot <- struct{}{}:
			if some := queue.nextCalls(); len(some) > 0 {
				bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.options.RetryFor)
				err := s.writeUses(bounded, ks, some)
				cancel()
				for _, one := range some {
					one.err = err
					close(one.done)
				}
			}
			<-queue.sendSlot
		}
	}
}

// writeUses writes one node per call. Their token makes a retry safe.
func (s *Store) writeUses(ctx context.Context, ks keyspace, some []*pendingUse) error {
	token, err := s.randomToken()
	if err != nil {
		return err
	}
	token = ks.prefix + token
	req := func() *api.Request {
		r := useRequest{vars: map[string]string{"$token": token}, declared: "$token: string", blocks: "d as var(func: eq(use.token, $token))"}
		for _, u := range some {
			r.addUse("eq(len(d), 0)", ks, u.keys, wire.StampOf(u.use.At), wire.SessionsText(u.use.Sessions), func(node string) *api.NQuad { return quad(node, "use.token", token) })
		}
		return r.request()
	}
	for n := 1; ; n++ {
		err := s.retry(ctx, func(ctx context.Context) error {
			res, err := s.clientFor(ctx).NewTxn().Do(ctx, req())
			s.noteUseTs(res.GetTxn().GetCommitTs())
			return err
		})
		if !reach.IsAborted(err) {
			return err
		}
		if n > maxConflictRetries {
			return graph.ErrConflict
		}
		if err := calls.Pause(ctx, s.options.Backoff(n)); err != nil {
			return err
		}
	}
}

// useRequest is a request that makes nodes of uses.
type useRequest struct {
	vars             map[string]string
	declared, blocks string
	mutations        []*api.Mutation
}

// addUse adds the node of a use of memories in sessions (see wire.SessionsText), which is made if the condition holds and one of
// the memories is known and not FORGOTTEN.
func (r *useRequest) addUse(condition string, ks keyspace, keys []string, at wire.Stamp, sessions string, more func(node string) *api.NQuad) {
	n := strconv.Itoa(len(r.mutations))
	d, named := variables("k"+n+"x", keys, r.vars)
	r.declared += ", " + d
	r.blocks += " m" + n + " as var(func: eq(node.key, " + named + `)) @filter(has(memory.record) AND NOT eq(memory.status, "FORGOTTEN"))`
	node := "_:use" + n
	set := []*api.NQuad{
		more(node), quad(node, "use.tenant", ks.prefix), quad(node, "use.at", int64(at)),
		{Subject: node, Predicate: "use.of", ObjectId: "uid(m" + n + ")"},
	}
	if sessions != "" {
		set = append(set, quad(node, "use.sessions", sessions))
	}
	r.mutations = append(r.mutations, &api.Mutation{Cond: "@if(" + condition + " AND gt(len(m" + n + "), 0))", Set: set})
}

func (r *useRequest) request() *api.Request {
	return &api.Request{CommitNow: true, Vars: r.vars, Mutations: r.mutations, Query: "query q(" + r.declared + ") { " + r.blocks + " }"}
}

// noteUseTs records the timestamp at which uses were written.
func (s *Store) noteUseTs(at uint64) {
	for known := s.lastUseTs.Load(); known < at && !s.lastUseTs.CompareAndSwap(known, at); known = s.lastUseTs.Load() {
	}
}

// foldQueue holds the tenants with uses to fold.
type foldQueue struct {
	mu      sync.Mutex
	waiting map[graph.Tenant]bool
}

func (f *foldQueue) add(t graph.Tenant) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.waiting[t] = true
}

// takeAll returns the tenants and removes them from the queue.
func (f *foldQueue) takeAll() []graph.Tenant {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := slices.Sorted(maps.Keys(f.waiting))
	clear(f.waiting)
	return all
}

// findUnfoldedUses finds uses of a process that ended before it folded them.
func (s *Store) findUnfoldedUses(ctx context.Context) error {
	var answer struct{ Q []struct{ Tenant string } }
	if err := s.newSnapshot().runQuery(ctx, `{ q(func: has(use.tenant), first: 10000) { tenant: use.tenant } }`, nil, &answer); err != nil {
		return err
	}
	for _, q := range answer.Q {
		s.foldQueue.add(graph.Tenant(q.Tenant[:len(q.Tenant)-1]))
	}
	return nil
}

// periodically runs fn at each interval, and when trigger can be received, until the store is
// closed. It logs an error with the message.
func (s *Store) periodically(every time.Duration, trigger <-chan struct{}, fn func(context.Context) error, message string) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-s.background.Done():
			return
		case <-ticker.C:
		case <-trigger:
		}
		if err := fn(s.background); err != nil && s.background.Err() == nil {
			s.options.Logger.Warn(message, "error", err)
		}
	}
}

// foldAll folds the uses of every tenant in the queue. A tenant that fails stays in it.
func (s *Store) foldAll(ctx context.Context) error {
	var errs []error
	for _, t := range s.foldQueue.takeAll() {
		if err := s.foldTenant(ctx, t); err != nil {
			s.foldQueue.add(t)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
