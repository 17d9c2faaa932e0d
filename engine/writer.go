package engine

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// maxBatch is how many memories one transaction carries.
const maxBatch = 128

// write is a group of drafts, or a job, on its way through the writer of its tenant.
type write struct {
	ctx     context.Context
	drafts  []*draft
	job     func(ctx context.Context) error // runs alone, in order of arrival
	results []RememberResult
	err     error
	done    chan struct{}
}

// submit hands drafts (at most maxBatch) to the tenant's writer and waits. Writes
// that arrive while it works are committed together: one look for neighbours and
// one durable commit serve them all, and each sees what came before it.
func (e *Engine) submit(ctx context.Context, t *tenant, drafts []*draft) ([]RememberResult, error) {
	w := &write{ctx: ctx, drafts: drafts, done: make(chan struct{})}
	if err := e.pass(ctx, t, w); err != nil {
		return nil, err
	}
	return w.results, w.err
}

// alone runs a job in the tenant's writer: nothing else is written meanwhile, and jobs
// run in the order in which they arrive.
func (e *Engine) alone(ctx context.Context, t *tenant, job func(ctx context.Context) error) error {
	w := &write{ctx: ctx, job: job, done: make(chan struct{})}
	if err := e.pass(ctx, t, w); err != nil {
		return err
	}
	return w.err
}

// pass hands a write to the writer and waits until it is done.
func (e *Engine) pass(ctx context.Context, t *tenant, w *write) error {
	select {
	case t.writes <- w:
	case <-ctx.Done():
		return ctx.Err()
	case <-e.ctx.Done():
		return graph.Errorf(graph.CodeUnavailable, "the server is shutting down")
	}
	select {
	case <-w.done:
		return nil
	case <-ctx.Done():
		// The commit may still happen; who wants to know uses an idempotency key.
		return ctx.Err()
	}
}

// runWriter commits what is submitted, until Close.
func (e *Engine) runWriter(t *tenant) {
	for {
		select {
		case <-e.ctx.Done():
			return
		case next := <-t.writes:
			for next != nil {
				if next.job != nil {
					e.runJob(next)
					next = nil
					continue
				}
				var group []*write
				group, next = collect(t, next)
				e.commit(t, group)
			}
		}
	}
}

// runJob runs a job unless its client went away before it began.
func (e *Engine) runJob(w *write) {
	defer close(w.done)
	if w.err = w.ctx.Err(); w.err == nil {
		w.err = w.job(context.WithoutCancel(e.ctx))
	}
}

// collect takes the writes that wait already, as long as they fit into one batch. A job
// among them ends the group and comes next.
func collect(t *tenant, first *write) (group []*write, next *write) {
	group, n := []*write{first}, len(first.drafts)
	for n < maxBatch {
		select {
		case w := <-t.writes:
			if w.job != nil {
				return group, w
			}
			group, n = append(group, w), n+len(w.drafts)
		default:
			return group, nil
		}
	}
	return group, nil
}

// commit writes a group of writes and answers each.
func (e *Engine) commit(t *tenant, group []*write) {
	var drafts []*draft
	live := group[:0]
	for _, w := range group {
		if err := w.ctx.Err(); err != nil {
			w.err = err
			close(w.done)
			continue
		}
		live = append(live, w)
		drafts = append(drafts, w.drafts...)
	}
	// Once begun, a commit is not torn by a client that goes away.
	ctx := context.WithoutCancel(e.ctx)
	results, err := e.storeAll(ctx, t, drafts)
	at := 0
	for _, w := range live {
		n := len(w.drafts)
		if err != nil {
			w.err = err
		} else {
			w.results = results[at : at+n]
		}
		at += n
		close(w.done)
	}
}

// storeAll writes drafts in one transaction. Where that fails for the sake of one
// item, each is written alone, so that only that one fails.
func (e *Engine) storeAll(ctx context.Context, t *tenant, drafts []*draft) ([]RememberResult, error) {
	if len(drafts) == 0 {
		return nil, nil
	}
	results, err := e.storeTogether(ctx, t, drafts)
	if err == nil {
		return results, nil
	}
	if len(drafts) == 1 {
		return []RememberResult{{Error: e.shown(err)}}, nil
	}
	if graph.CodeOf(err) == graph.CodeUnavailable {
		return nil, err
	}
	results = results[:0]
	for _, d := range drafts {
		one, err := e.storeTogether(ctx, t, []*draft{d})
		if err != nil {
			one = []RememberResult{{Error: e.shown(err)}}
		}
		results = append(results, one...)
	}
	return results, nil
}

// storeTogether looks for the neighbours of the drafts and commits them at once. What is
// to be core takes its turn with what other servers pin.
func (e *Engine) storeTogether(ctx context.Context, t *tenant, drafts []*draft) (results []RememberResult, err error) {
	name := ""
	if slices.ContainsFunc(drafts, func(d *draft) bool { return d.in.Core }) {
		name = coreTurn
	}
	err = e.inTurn(ctx, t, name, func(turn *turn) error {
		results, err = e.storeOnce(ctx, t, drafts, turn)
		return err
	})
	return results, err
}

// storeOnce is one try to store drafts together.
func (e *Engine) storeOnce(ctx context.Context, t *tenant, drafts []*draft, turn *turn) ([]RememberResult, error) {
	now := e.now(t)
	near, err := e.neighbours(ctx, t, drafts, now)
	if err != nil {
		return nil, err
	}
	var results []RememberResult
	var used []graph.ID
	var fresh []freshMemory
	epoch := e.readings.since()
	err = e.update(ctx, t, func(tx graph.Tx) error {
		if err := turn.take(tx); err != nil {
			return err
		}
		s := &storing{e: e, t: t, tx: tx, now: now}
		results, used = make([]RememberResult, len(drafts)), nil
		for i, d := range drafts {
			r, err := s.one(d, near[i])
			if err != nil {
				return err
			}
			results[i] = r
		}
		used, fresh = s.used, s.fresh
		return s.writeSessions()
	})
	if err != nil {
		return nil, err
	}
	for _, f := range fresh {
		e.readings.keep(f.memory, f.reading, epoch)
	}
	e.toRead(t, fresh)
	t.entered(drafts, results)
	e.countUses(ctx, t, used, now)
	for _, d := range drafts {
		if d.vector == nil {
			t.wakePending()
			break
		}
	}
	return results, nil
}

// countUses counts one use of each memory, durably, and tells the index. It reports
// whether it could: where the store takes no writes, as on a full disk, a read answers
// all the same, and a write that was committed stays acknowledged.
func (e *Engine) countUses(ctx context.Context, t *tenant, ids []graph.ID, at time.Time) bool {
	if len(ids) == 0 {
		return true
	}
	if err := e.store.CountUses(ctx, t.scope, ids, at); err != nil {
		e.log.Warn("[READ] uses were not counted", "items", len(ids), "error", err)
		return false
	}
	e.index.Touch(t.scope, ids, at)
	return true
}

// shown is the error as people may see it.
func (e *Engine) shown(err error) *graph.Error {
	var shown *graph.Error
	if asError(err, &shown) {
		return shown
	}
	code := graph.CodeOf(err)
	if code == graph.CodeInternal || code == graph.CodeIntegrityFailure {
		e.log.Error("[WRITE] item failed", "code", code, "error", err)
	}
	return &graph.Error{Code: code, Message: sentence(code), Cause: err}
}

// sentence is what a code says where there is no better word for it.
func sentence(code graph.Code) string {
	switch code {
	case graph.CodeUnavailable:
		return "the store can't take this now; nothing was written"
	case graph.CodeLimitExceeded:
		return "is larger than the store can take"
	case graph.CodeIntegrityFailure:
		return "a stored record is damaged and is not served"
	case graph.CodeMemoryNotFound:
		return "no memory has this id"
	}
	return "something went wrong here; nothing was written"
}
