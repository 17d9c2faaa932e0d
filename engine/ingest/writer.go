package ingest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// write is a set of drafts, or a job, queued for the writer of its tenant.
type write struct {
	*workspace.Ticket
	drafts     []*Draft
	bytes      int                             // size of their texts
	job        func(ctx context.Context) error // runs alone, in order of arrival; nil: none
	results    []RememberResult
	err        error
	done       chan struct{}
	storeAlive context.Context // cancelled when the store becomes unreachable; set by enqueue
}

// Submit passes at most MaxBatch drafts to the writer of the tenant and waits for the
// commit. The writer commits all drafts that arrived during the previous commit together,
// with one neighbour search and one durable commit. Each draft sees the drafts before it.
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

// submitAsync queues at most MaxBatch drafts for the writer of the tenant and does not
// wait. Drafts are written in the order of the calls.
func (svc *Service) submitAsync(ctx context.Context, t *tenant, drafts []*Draft) (*write, error) {
	w := &write{Ticket: t.Enqueue(ctx), drafts: drafts, done: make(chan struct{})}
	for _, d := range drafts {
		d.call = audit.From(ctx)
		w.bytes += len(d.Memory.Content)
	}
	if err := svc.enqueue(ctx, t, w); err != nil {
		return nil, err
	}
	return w, nil
}

// RunExclusive runs a job in the writer of the tenant. No other write runs at the same
// time, and jobs run in order of arrival.
func (svc *Service) RunExclusive(ctx context.Context, wt *workspace.Tenant, job func(ctx context.Context) error) error {
	t := svc.tenants.Of(wt)
	inCall := func(run context.Context) error {
		return job(workspace.WithinVerb(telemetry.Within(audit.Within(run, ctx), ctx), ctx))
	}
	w := &write{Ticket: t.Enqueue(ctx), job: inCall, done: make(chan struct{})}
	if err := svc.enqueue(ctx, t, w); err != nil {
		return err
	}
	if err := w.Await(ctx, w.done, w.storeAlive); err != nil {
		return err
	}
	return w.err
}

// enqueue sends w to the writer. On an error w leaves the queue.
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

// group is a set of writes that are committed together.
type group struct {
	writes     []*write
	drafts     []*Draft
	bytes      int             // size of their texts
	began      time.Time       // system clock, for the latency
	candidates *candidates     // nil: the search failed, or must run inside the sequence
	written    []writtenMemory // memories that it wrote; set before done is closed
	done       chan struct{}   // closed when every write has its result
}

// candidates is the result of a neighbour search.
type candidates struct {
	neighbours [][]Neighbour   // one list per draft
	concurrent []writtenMemory // memories that the previous group committed during the search, which may have missed them
}

// prefetchMin is the number of drafts from which a neighbour search of their own pays off
// while the previous group commits. A search has a fixed cost, so fewer drafts wait and
// share one search with the drafts that arrive meanwhile.
const prefetchMin = workspace.MaxBatch / 2

// runWriter commits submitted writes until Close. While one group commits, runWriter forms
// the next one and, if that is large, searches its neighbours. It compares this group with
// the memories that the first group wrote. Transactions still run one at a time.
func (svc *Service) runWriter(t *tenant) {
	var previous *group // the group that is being committed; nil: none
	previousSize := 0   // number of writes in the last group
	for {
		select {
		case <-svc.Ctx.Done():
			previous.wait()
			return
		case <-previous.finished():
			previous = nil // releases the texts of the group
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

// finished returns a channel that is closed when every write of the group has its result.
// It returns nil for a nil group.
func (g *group) finished() <-chan struct{} {
	if g == nil {
		return nil
	}
	return g.done
}

// wait returns when every write of the group has its result, and at once for a nil group.
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

// runJob runs a job, unless its deadline has passed or its client left before it began.
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

// nextGroup collects the queued writes that fit into one batch. A small group waits for
// the previous group, which has previousSize writes. A job, or a write that does not fit,
// ends the group and is returned as next. Callers that just got a result often write again
// at once, so nextGroup yields the processor to them before it ends the group.
func nextGroup(t *tenant, first *write, previous *group, previousSize int) (g *group, next *write) {
	g = &group{began: time.Now(), done: make(chan struct{})}
	g.add(first)
	expected, yielded := previousSize, false
	for len(g.drafts) < workspace.MaxBatch && g.bytes < workspace.MaxBatchBytes {
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
		case w != nil && (w.job != nil || len(g.drafts)+len(w.drafts) > workspace.MaxBatch || len(g.drafts) > 0 && g.bytes+w.bytes > workspace.MaxBatchBytes):
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

// add adds a write to the group, unless its deadline has passed or its client left.
func (g *group) add(w *write) {
	if !w.Begin() {
		w.err = w.Refusal()
		close(w.done)
		return
	}
	g.writes, g.drafts, g.bytes = append(g.writes, w), append(g.drafts, w.drafts...), g.bytes+w.bytes
}

// findCandidates searches the neighbours of drafts. It returns nil if the search fails, or
// if the search must run inside a sequence.
func (svc *Service) findCandidates(t *tenant, drafts []*Draft) *candidates {
	if svc.sequenceOf(drafts) != "" && !svc.Exclusive() {
		return nil
	}
	near, err := svc.neighbours(context.WithoutCancel(svc.Ctx), t, drafts, t.Now())
	if err != nil {
		return nil // the commit searches again and reports the error
	}
	return &candidates{neighbours: near}
}

// commit writes a group and sets the result of each write. A client that leaves does not
// interrupt a commit.
func (svc *Service) commit(t *tenant, g *group) {
	defer close(g.done)
	defer svc.SearchSlots.Writing()()
	results, err := svc.storeGroup(g.traced(context.WithoutCancel(svc.Ctx)), t, g)
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

// traced returns ctx with the span of the first write that has one: the commit of a group is a step
// of that. The spans of the other writes link to it.
func (g *group) traced(ctx context.Context) context.Context {
	var first telemetry.Span
	for _, w := range g.writes {
		switch span := telemetry.SpanOf(w.UntilTooLate); {
		case !span.On():
		case !first.On():
			first, ctx = span, telemetry.Within(ctx, w.UntilTooLate)
		default:
			span.Link(first)
		}
	}
	return ctx
}

// storeGroup writes a group in one transaction. If that fails because of one item, each
// draft is written in its own transaction, so that only the faulty one fails.
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

// sequenceOf returns the name of the sequence that drafts need, or an empty string. A
// draft of a core memory shares a sequence with the pins of other servers.
func (svc *Service) sequenceOf(drafts []*Draft) string {
	if slices.ContainsFunc(drafts, func(d *Draft) bool { return d.in.Core }) {
		return workspace.CoreSequence
	}
	return ""
}

// storeTogether commits drafts in one transaction. It searches their neighbours if c is
// nil.
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

// storeOnce is one attempt to store drafts together.
func (svc *Service) storeOnce(ctx context.Context, t *tenant, drafts []*Draft, c *candidates, sequence *workspace.Sequence) ([]RememberResult, []writtenMemory, error) {
	now := t.Now()
	var results []RememberResult
	var used []workspace.Use
	var written []writtenMemory
	var doubts []doubt
	epoch := svc.Readings.Epoch()
	charge := t.Charge(ctx)
	err := t.Update(ctx, func(tx graph.Tx) error {
		charge.Reset()
		audit.Attribute(tx, drafts[0].call)
		if err := errors.Join(sequence.Advance(tx), expect(tx, drafts, graph.Expected{Settings: []string{graph.ClosedSetting}}), graph.RefuseClosed(tx)); err != nil {
			return err
		}
		s := &WriteTx{svc: svc, t: t, Tx: tx, Now: now, charge: charge, written: slices.Clone(c.concurrent)}
		results, used = make([]RememberResult, len(drafts)), nil
		for i, d := range drafts {
			audit.Attribute(tx, d.call)
			r, err := s.write(d, c.neighbours[i])
			if err != nil {
				return err
			}
			results[i] = r
		}
		used, written, doubts = s.reinforced, s.written[len(c.concurrent):], s.doubts
		if s.AtEnd == nil {
			return nil
		}
		return s.AtEnd.Finish(s)
	})
	charge.End(err == nil)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range written {
		svc.Readings.Keep(t.Scope.Tenant, f.memory, f.analysis, epoch)
	}
	svc.queueForReader(t, written)
	svc.queueDoubts(t, doubts)
	for _, hook := range svc.commitHooks {
		hook(t.Tenant, drafts, results)
	}
	for _, use := range used {
		svc.CountUses(ctx, t.Tenant, use)
	}
	for _, d := range drafts {
		if d.Vector == nil {
			t.WakePending()
			break
		}
	}
	return results, written, nil
}
