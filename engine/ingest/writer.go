package ingest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// write is a group of drafts, or a job, on its way through the writer of its tenant.
type write struct {
	*workspace.Ticket
	drafts     []*Draft
	job        func(ctx context.Context) error // runs alone, in order of arrival
	results    []RememberResult
	err        error
	done       chan struct{}
	storeAlive context.Context // ends while the store can't be reached; set by pass
}

// Submit hands drafts (at most maxBatch) to the tenant's writer and waits. Writes
// that arrive while it works are committed together: one look for neighbours and
// one durable commit serve them all, and each sees what came before it.
func (svc *Service) Submit(ctx context.Context, wt *workspace.Tenant, drafts []*Draft) ([]RememberResult, error) {
	t := svc.tenants.Of(wt)
	w, err := svc.submitAsync(ctx, t, drafts)
	if err != nil {
		return nil, err
	}
	if err := w.Await(ctx, w.done, w.storeAlive); err != nil {
		return nil, err
	}
	return w.results, w.err
}

// submitAsync hands drafts (at most maxBatch) to the tenant's writer: what is handed over later is
// written later.
func (svc *Service) submitAsync(ctx context.Context, t *tenant, drafts []*Draft) (*write, error) {
	w := &write{Ticket: t.Enqueue(ctx), drafts: drafts, done: make(chan struct{})}
	if err := svc.enqueue(ctx, t, w); err != nil {
		return nil, err
	}
	return w, nil
}

// RunExclusive runs a job in the tenant's writer: nothing else is written meanwhile, and jobs
// run in the order in which they arrive.
func (svc *Service) RunExclusive(ctx context.Context, wt *workspace.Tenant, job func(ctx context.Context) error) error {
	t := svc.tenants.Of(wt)
	w := &write{Ticket: t.Enqueue(ctx), job: job, done: make(chan struct{})}
	if err := svc.enqueue(ctx, t, w); err != nil {
		return err
	}
	if err := w.Await(ctx, w.done, w.storeAlive); err != nil {
		return err
	}
	return w.err
}

// enqueue hands a write to the writer.
func (svc *Service) enqueue(ctx context.Context, t *tenant, w *write) (err error) {
	defer func() {
		if err != nil {
			w.Leave()
		}
	}()
	w.storeAlive = svc.StoreAlive(ctx)
	if w.storeAlive.Err() != nil {
		return workspace.ErrStoreUnavailable
	}
	select {
	case t.writes <- w:
		return nil
	case <-w.storeAlive.Done():
		return workspace.ErrStoreUnavailable
	case <-w.UntilTooLate.Done():
		return w.Refusal()
	case <-svc.Ctx.Done():
		return workspace.ErrClosing
	}
}

// group is some writes that are committed together.
type group struct {
	writes     []*write
	drafts     []*Draft
	began      time.Time       // of the machine's clock: for how long it takes
	candidates *candidates     // nil: the look failed, or is to be taken in the turn of the decision
	written    []writtenMemory // what it wrote; set before done
	done       chan struct{}   // closed when each write has its answer
}

// candidates is what a look for neighbours found.
type candidates struct {
	neighbours [][]Neighbour   // of each draft
	concurrent []writtenMemory // what a group wrote that was on its way then: neighbours that the look may have missed
}

// lookAhead is how many drafts are worth a look of their own while others are on their way to
// the disk. A look costs something whatever it is for: fewer wait and are looked at together
// with the next of those who wait now.
const prefetchMin = workspace.MaxBatch / 2

// runWriter commits what is submitted, until Close. While one group is on its way to the
// disk the next is formed, and where it is large its neighbours are looked for: those it
// compares with what the first one wrote when it is written. Transactions are one behind the
// other all the same.
func (svc *Service) runWriter(t *tenant) {
	var previous *group // on its way; nil: none is
	previousSize := 0   // writes of the group that was on its way last
	for {
		select {
		case <-svc.Ctx.Done():
			previous.wait()
			return
		case <-previous.finished():
			previous = nil // with its texts
		case next := <-t.writes:
			for next != nil {
				if next.job != nil {
					previous.wait()
					previous = nil
					svc.runJob(t, next)
					next = nil
					continue
				}
				var g *group
				if g, next = nextGroup(t, next, previous, previousSize); previous.isDone() {
					previous = nil
				}
				g.candidates = svc.findCandidates(t, g.drafts)
				if previous.wait(); previous != nil && g.candidates != nil {
					g.candidates.concurrent = previous.written
				}
				previous, previousSize = g, len(g.writes)
				go svc.commit(t, g)
			}
		}
	}
}

// finished is closed when every write of the group has its answer; nil where there is none.
func (g *group) finished() <-chan struct{} {
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

// isDone reports whether wait would return at once.
func (g *group) isDone() bool {
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
func (svc *Service) runJob(t *tenant, w *write) {
	defer close(w.done)
	defer svc.SearchSlots.Writing()()
	if !w.Begin() {
		w.err = w.Refusal()
		return
	}
	began := time.Now()
	w.err = w.job(context.WithoutCancel(svc.Ctx))
	t.Latency.Observe(time.Since(began))
}

// nextGroup takes the writes that wait already, as long as they fit into one batch; few of
// them wait for the group before, of some writes. A job among them, or a write that does not
// fit, ends the group and comes next. Callers that were just answered often come back at once: they are let run before the
// first of them is written without the others.
func nextGroup(t *tenant, first *write, previous *group, previousSize int) (g *group, next *write) {
	g = &group{began: time.Now(), done: make(chan struct{})}
	g.add(first)
	expected, yielded := previousSize, false
	for len(g.drafts) < workspace.MaxBatch {
		var w *write
		select {
		case w = <-t.writes:
		default:
			if len(g.drafts) < prefetchMin && !previous.isDone() {
				select {
				case w = <-t.writes:
				case <-previous.done:
					expected = len(g.writes) + previousSize
					continue
				}
			}
		}
		switch {
		case w != nil && (w.job != nil || len(g.drafts)+len(w.drafts) > workspace.MaxBatch):
			return g, w
		case w != nil:
			g.add(w)
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

// add takes a write into the group, unless it is too late or its client went away.
func (g *group) add(w *write) {
	if !w.Begin() {
		w.err = w.Refusal()
		close(w.done)
		return
	}
	g.writes, g.drafts = append(g.writes, w), append(g.drafts, w.drafts...)
}

// findCandidates looks for the neighbours of drafts; nil where it can't, or where the look belongs
// into the turn of a decision.
func (svc *Service) findCandidates(t *tenant, drafts []*Draft) *candidates {
	if svc.sequenceOf(drafts) != "" && !svc.Exclusive() {
		return nil
	}
	near, err := svc.neighbours(context.WithoutCancel(svc.Ctx), t, drafts, t.Now())
	if err != nil {
		return nil // who writes them looks again, and says so
	}
	return &candidates{neighbours: near}
}

// commit writes a group and answers each of its writes. Once begun, it is not torn by a
// client that goes away.
func (svc *Service) commit(t *tenant, g *group) {
	defer close(g.done)
	defer svc.SearchSlots.Writing()()
	results, err := svc.storeGroup(context.WithoutCancel(svc.Ctx), t, g)
	t.Latency.Observe(time.Since(g.began))
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
func (svc *Service) storeGroup(ctx context.Context, t *tenant, g *group) ([]RememberResult, error) {
	if len(g.drafts) == 0 {
		return nil, nil
	}
	results, written, err := svc.storeTogether(ctx, t, g.drafts, g.candidates)
	if err == nil {
		g.written = written
		return results, nil
	}
	if len(g.drafts) == 1 {
		return []RememberResult{{Error: svc.ItemError(err)}}, nil
	}
	if graph.CodeOf(err) == graph.CodeUnavailable {
		return nil, err
	}
	results = results[:0]
	for _, d := range g.drafts {
		one, written, err := svc.storeTogether(ctx, t, []*Draft{d}, nil)
		if err != nil {
			one = []RememberResult{{Error: svc.ItemError(err)}}
		}
		results, g.written = append(results, one...), append(g.written, written...)
	}
	return results, nil
}

// turnOf names the turn that drafts take: what is to be core takes one with what other
// servers pin. Empty: none.
func (svc *Service) sequenceOf(drafts []*Draft) string {
	if slices.ContainsFunc(drafts, func(d *Draft) bool { return d.in.Core }) {
		return workspace.CoreSequence
	}
	return ""
}

// storeTogether commits drafts at once. Where nobody has looked for their neighbours, it does.
func (svc *Service) storeTogether(ctx context.Context, t *tenant, drafts []*Draft, c *candidates) (results []RememberResult, written []writtenMemory, err error) {
	err = t.InSequence(ctx, svc.sequenceOf(drafts), func(ctx context.Context, sequence *workspace.Sequence) error {
		c := c
		if c == nil {
			near, err := svc.neighbours(ctx, t, drafts, t.Now())
			if err != nil {
				return err
			}
			c = &candidates{neighbours: near}
		}
		results, written, err = svc.storeOnce(ctx, t, drafts, c, sequence)
		return err
	})
	return results, written, err
}

// storeOnce is one try to store drafts together.
func (svc *Service) storeOnce(ctx context.Context, t *tenant, drafts []*Draft, c *candidates, sequence *workspace.Sequence) ([]RememberResult, []writtenMemory, error) {
	now := t.Now()
	var results []RememberResult
	var used []graph.ID
	var written []writtenMemory
	epoch := svc.Readings.Epoch()
	err := t.Update(ctx, func(tx graph.Tx) error {
		if err := errors.Join(sequence.Advance(tx), expect(tx, drafts, graph.Expected{})); err != nil {
			return err
		}
		s := &WriteTx{svc: svc, t: t, Tx: tx, Now: now, written: slices.Clone(c.concurrent)}
		results, used = make([]RememberResult, len(drafts)), nil
		for i, d := range drafts {
			r, err := s.write(d, c.neighbours[i])
			if err != nil {
				return err
			}
			results[i] = r
		}
		used, written = s.reinforced, s.written[len(c.concurrent):]
		if s.AtEnd == nil {
			return nil
		}
		return s.AtEnd.Finish(s)
	})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range written {
		svc.Readings.Keep(f.memory, f.analysis, epoch)
	}
	svc.queueForReader(t, written)
	for _, hook := range svc.commitHooks {
		hook(t.Tenant, drafts, results)
	}
	svc.CountUses(ctx, t.Tenant, used, now)
	for _, d := range drafts {
		if d.Vector == nil {
			t.WakePending()
			break
		}
	}
	return results, written, nil
}
