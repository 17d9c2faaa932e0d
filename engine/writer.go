package engine

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// maxBatch is how many memories one transaction carries.
const maxBatch = 128

// write is a group of drafts, or a job, on its way through the writer of its tenant.
type write struct {
	*place
	drafts  []*draft
	job     func(ctx context.Context) error // runs alone, in order of arrival
	results []RememberResult
	err     error
	done    chan struct{}
	reach   context.Context // ends while the store can't be reached; set by pass
}

// submit hands drafts (at most maxBatch) to the tenant's writer and waits. Writes
// that arrive while it works are committed together: one look for neighbours and
// one durable commit serve them all, and each sees what came before it.
func (e *Engine) submit(ctx context.Context, t *tenant, drafts []*draft) ([]RememberResult, error) {
	w, err := e.hand(ctx, t, drafts)
	if err != nil {
		return nil, err
	}
	if err := w.await(ctx, w.done, w.reach); err != nil {
		return nil, err
	}
	return w.results, w.err
}

// hand hands drafts (at most maxBatch) to the tenant's writer: what is handed over later is
// written later.
func (e *Engine) hand(ctx context.Context, t *tenant, drafts []*draft) (*write, error) {
	w := &write{place: t.queue(ctx), drafts: drafts, done: make(chan struct{})}
	if err := e.pass(ctx, t, w); err != nil {
		return nil, err
	}
	return w, nil
}

// alone runs a job in the tenant's writer: nothing else is written meanwhile, and jobs
// run in the order in which they arrive.
func (e *Engine) alone(ctx context.Context, t *tenant, job func(ctx context.Context) error) error {
	w := &write{place: t.queue(ctx), job: job, done: make(chan struct{})}
	if err := e.pass(ctx, t, w); err != nil {
		return err
	}
	if err := w.await(ctx, w.done, w.reach); err != nil {
		return err
	}
	return w.err
}

// pass hands a write to the writer.
func (e *Engine) pass(ctx context.Context, t *tenant, w *write) (err error) {
	defer func() {
		if err != nil {
			w.leave()
		}
	}()
	w.reach = e.reach(ctx)
	if w.reach.Err() != nil {
		return errGone
	}
	select {
	case t.writes <- w:
		return nil
	case <-w.reach.Done():
		return errGone
	case <-w.patience.Done():
		return w.refusal()
	case <-e.ctx.Done():
		return errClosing
	}
}

// group is some writes that are committed together.
type group struct {
	writes []*write
	drafts []*draft
	began  time.Time     // of the machine's clock: for how long it takes
	looked *looked       // nil: the look failed, or is to be taken in the turn of the decision
	fresh  []freshMemory // what it wrote; set before done
	done   chan struct{} // closed when each write has its answer
}

// looked is what a look for neighbours found.
type looked struct {
	near [][]neighbour // of each draft
	late []freshMemory // what a group wrote that was on its way then: neighbours that the look may have missed
}

// lookAhead is how many drafts are worth a look of their own while others are on their way to
// the disk. A look costs something whatever it is for: fewer wait and are looked at together
// with the next of those who wait now.
const lookAhead = maxBatch / 2

// runWriter commits what is submitted, until Close. While one group is on its way to the
// disk the next is formed, and where it is large its neighbours are looked for: those it
// compares with what the first one wrote when it is written. Transactions are one behind the
// other all the same.
func (e *Engine) runWriter(t *tenant) {
	var before *group // on its way; nil: none is
	size := 0         // writes of the group that was on its way last
	for {
		select {
		case <-e.ctx.Done():
			before.wait()
			return
		case <-before.settled():
			before = nil // with its texts
		case next := <-t.writes:
			for next != nil {
				if next.job != nil {
					before.wait()
					before = nil
					e.runJob(t, next)
					next = nil
					continue
				}
				var g *group
				if g, next = collect(t, next, before, size); before.answered() {
					before = nil
				}
				g.looked = e.look(t, g.drafts)
				if before.wait(); before != nil && g.looked != nil {
					g.looked.late = before.fresh
				}
				before, size = g, len(g.writes)
				go e.commit(t, g)
			}
		}
	}
}

// settled is closed when every write of the group has its answer; nil where there is none.
func (g *group) settled() <-chan struct{} {
	if g == nil {
		return nil
	}
	return g.done
}

// wait returns when every write of the group has its answer; at once where there is none.
func (g *group) wait() {
	if g != nil {
		<-g.done
	}
}

// answered reports whether wait would return at once.
func (g *group) answered() bool {
	if g == nil {
		return true
	}
	select {
	case <-g.done:
		return true
	default:
		return false
	}
}

// runJob runs a job unless it is too late, or its client went away before it began.
func (e *Engine) runJob(t *tenant, w *write) {
	defer close(w.done)
	defer e.recalls.write()()
	if !w.begin() {
		w.err = w.refusal()
		return
	}
	began := time.Now()
	w.err = w.job(context.WithoutCancel(e.ctx))
	t.pace.took(time.Since(began))
}

// collect takes the writes that wait already, as long as they fit into one batch; few of
// them wait for the group before, of some writes. A job among them, or a write that does not
// fit, ends the group and comes next. Callers that were just answered often come back at once: they are let run before the
// first of them is written without the others.
func collect(t *tenant, first *write, before *group, size int) (g *group, next *write) {
	g = &group{began: time.Now(), done: make(chan struct{})}
	g.take(first)
	expected, yielded := size, false
	for len(g.drafts) < maxBatch {
		var w *write
		select {
		case w = <-t.writes:
		default:
			if len(g.drafts) < lookAhead && !before.answered() {
				select {
				case w = <-t.writes:
				case <-before.done:
					expected = len(g.writes) + size
					continue
				}
			}
		}
		switch {
		case w != nil && (w.job != nil || len(g.drafts)+len(w.drafts) > maxBatch):
			return g, w
		case w != nil:
			g.take(w)
			yielded = false
		case yielded || len(g.writes) >= expected:
			return g, nil
		default:
			runtime.Gosched()
			yielded = true
		}
	}
	return g, nil
}

// take takes a write into the group, unless it is too late or its client went away.
func (g *group) take(w *write) {
	if !w.begin() {
		w.err = w.refusal()
		close(w.done)
		return
	}
	g.writes, g.drafts = append(g.writes, w), append(g.drafts, w.drafts...)
}

// look looks for the neighbours of drafts; nil where it can't, or where the look belongs
// into the turn of a decision.
func (e *Engine) look(t *tenant, drafts []*draft) *looked {
	if e.turnOf(drafts) != "" && !e.exclusive() {
		return nil
	}
	near, err := e.neighbours(context.WithoutCancel(e.ctx), t, drafts, t.Now())
	if err != nil {
		return nil // who writes them looks again, and says so
	}
	return &looked{near: near}
}

// commit writes a group and answers each of its writes. Once begun, it is not torn by a
// client that goes away.
func (e *Engine) commit(t *tenant, g *group) {
	defer close(g.done)
	defer e.recalls.write()()
	results, err := e.storeAll(context.WithoutCancel(e.ctx), t, g)
	t.pace.took(time.Since(g.began))
	at := 0
	for _, w := range g.writes {
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

// storeAll writes a group in one transaction. Where that fails for the sake of one
// item, each is written alone, so that only that one fails.
func (e *Engine) storeAll(ctx context.Context, t *tenant, g *group) ([]RememberResult, error) {
	if len(g.drafts) == 0 {
		return nil, nil
	}
	results, fresh, err := e.storeTogether(ctx, t, g.drafts, g.looked)
	if err == nil {
		g.fresh = fresh
		return results, nil
	}
	if len(g.drafts) == 1 {
		return []RememberResult{{Error: e.shown(err)}}, nil
	}
	if graph.CodeOf(err) == graph.CodeUnavailable {
		return nil, err
	}
	results = results[:0]
	for _, d := range g.drafts {
		one, fresh, err := e.storeTogether(ctx, t, []*draft{d}, nil)
		if err != nil {
			one = []RememberResult{{Error: e.shown(err)}}
		}
		results, g.fresh = append(results, one...), append(g.fresh, fresh...)
	}
	return results, nil
}

// turnOf names the turn that drafts take: what is to be core takes one with what other
// servers pin. Empty: none.
func (e *Engine) turnOf(drafts []*draft) string {
	if slices.ContainsFunc(drafts, func(d *draft) bool { return d.in.Core }) {
		return coreTurn
	}
	return ""
}

// storeTogether commits drafts at once. Where nobody has looked for their neighbours, it does.
func (e *Engine) storeTogether(ctx context.Context, t *tenant, drafts []*draft, l *looked) (results []RememberResult, fresh []freshMemory, err error) {
	err = t.inTurn(ctx, e.turnOf(drafts), func(ctx context.Context, turn *turn) error {
		l := l
		if l == nil {
			near, err := e.neighbours(ctx, t, drafts, t.Now())
			if err != nil {
				return err
			}
			l = &looked{near: near}
		}
		results, fresh, err = e.storeOnce(ctx, t, drafts, l, turn)
		return err
	})
	return results, fresh, err
}

// storeOnce is one try to store drafts together.
func (e *Engine) storeOnce(ctx context.Context, t *tenant, drafts []*draft, l *looked, turn *turn) ([]RememberResult, []freshMemory, error) {
	now := t.Now()
	var results []RememberResult
	var used []graph.ID
	var fresh []freshMemory
	epoch := e.readings.since()
	err := t.Update(ctx, func(tx graph.Tx) error {
		if err := errors.Join(turn.take(tx), expect(tx, drafts, graph.Expected{})); err != nil {
			return err
		}
		s := &storing{e: e, t: t, tx: tx, now: now, fresh: slices.Clone(l.late)}
		results, used = make([]RememberResult, len(drafts)), nil
		for i, d := range drafts {
			r, err := s.one(d, l.near[i])
			if err != nil {
				return err
			}
			results[i] = r
		}
		used, fresh = s.used, s.fresh[len(l.late):]
		if s.last == nil {
			return nil
		}
		return s.last.Finish(s)
	})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range fresh {
		e.readings.keep(f.memory, f.reading, epoch)
	}
	e.toRead(t, fresh)
	for _, told := range e.committed {
		told(t, drafts, results)
	}
	e.countUses(ctx, t, used, now)
	for _, d := range drafts {
		if d.vector == nil {
			t.wakePending()
			break
		}
	}
	return results, fresh, nil
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
