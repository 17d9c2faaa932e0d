package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/somnograph/somnograph/graph"
)

// With several servers over one store, each server has in-memory state that another server may
// change: the rings of L0, open tasks, texts and hashes of erased memories, the latest
// recorded instant. This file keeps that state current by reading the change feed. It does
// nothing if this process has the store exclusively. ADR 31.

// followPage is the number of changes per read of the feed.
const followPage = 1000

// appliedCursor is the position up to which the feed of a tenant was applied.
type appliedCursor struct {
	mu   sync.Mutex
	at   graph.Cursor
	more chan struct{} // closed when at advances
}

func newAppliedCursor(at graph.Cursor) *appliedCursor {
	return &appliedCursor{at: at, more: make(chan struct{})}
}

func (f *appliedCursor) current() (graph.Cursor, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at, f.more
}

func (f *appliedCursor) advance(c graph.Cursor) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = c
	close(f.more)
	f.more = make(chan struct{})
}

// runFollow applies the feed of a tenant until Close, and retries after failures.
func (ws *Space) runFollow(t *Tenant) {
	if ws.Exclusive() {
		return
	}
	swept := false
	for ws.Ctx.Err() == nil {
		err := ws.followPage(ws.Ctx, t, &swept)
		if err == nil || ws.Ctx.Err() != nil {
			continue
		}
		ws.Log.Warn("[READ] changes by other servers could not be applied; will retry", "tenant", t.Scope.Tenant, "retry", ws.Retry, "error", err)
		if !ws.Pause(ws.Retry) {
			return
		}
	}
}

// followPage applies the next page of the feed, or waits for one. On the first call it also
// removes from the recess the memories that other servers erased while this one was not
// running.
func (ws *Space) followPage(ctx context.Context, t *Tenant, swept *bool) error {
	if !*swept {
		if err := ws.sweepRecess(ctx, t); err != nil {
			return err
		}
		*swept = true
	}
	at, _ := t.applied.current()
	if err := ws.Store.Wait(ctx, t.Scope, at); err != nil {
		return err
	}
	changes, err := ws.Store.Changes(ctx, t.Scope, at, followPage)
	if err != nil || len(changes) == 0 {
		return err
	}
	upto := changes[len(changes)-1].Cursor
	if err := ws.Index.WaitFor(ctx, t.Scope, upto); err != nil {
		return err
	}
	if err := ws.applyChanges(ctx, t, changes); err != nil {
		return err
	}
	t.applied.advance(upto)
	return nil
}

// CaughtUp waits until this server has applied every change that any server had committed at
// the time of the call.
func (t *Tenant) CaughtUp(ctx context.Context) error {
	ws := t.space
	if ws.Exclusive() {
		return nil
	}
	head, err := ws.Store.Head(ctx, t.Scope)
	if err != nil {
		return err
	}
	for {
		at, more := t.applied.current()
		if at >= head {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		case <-ws.Ctx.Done():
			return ErrClosing
		}
	}
}

// applyChanges applies changes of the feed to the in-memory state.
func (ws *Space) applyChanges(ctx context.Context, t *Tenant, changes []graph.Change) error {
	var forgotten, touched []graph.ID
	for _, ch := range changes {
		t.recorded(ch.At)
		switch {
		case ch.Node != graph.NodeMemory:
		case ch.Kind == graph.EventForgotten:
			forgotten = append(forgotten, ch.ID)
			t.endExportsBefore(ch.Cursor)
		default:
			touched = append(touched, ch.ID)
		}
	}
	ws.HitCache.drop(t.Scope.Tenant, slices.Concat(touched, forgotten))
	if len(forgotten) > 0 {
		ws.ForgetWords(t)
		if ws.Erasures != nil {
			if err := ws.Erasures.Append(t.Scope, "", ws.Now(), forgotten); err != nil {
				return err
			}
		}
		if ws.Recess != nil {
			if _, err := ws.Recess.Erase(ctx, t.Scope, forgotten); err != nil {
				return err
			}
		}
		if ws.Map != nil {
			if err := ws.Map.Erase(ctx, t.Scope, forgotten); err != nil {
				return err
			}
		}
	}
	for _, apply := range ws.followers {
		if err := apply(ctx, t, append(touched, forgotten...)); err != nil {
			return err
		}
	}
	return nil
}

// sweepRecess removes from this server's recess the memories that other servers erased while
// it was not running.
func (ws *Space) sweepRecess(ctx context.Context, t *Tenant) error {
	if ws.Recess == nil {
		return nil
	}
	var recorded []graph.ID
	if ws.Erasures != nil {
		recorded = ws.Erasures.IDs(t.Scope)
	}
	for after := graph.ID(""); ; {
		var ids []graph.ID
		err := t.View(ctx, func(r graph.Reader) error {
			page, err := r.ListMemories(graph.MemoryQuery{Statuses: []graph.Status{graph.Forgotten}, After: after})
			ids = ids[:0]
			for _, m := range page {
				ids = append(ids, m.ID)
			}
			return err
		})
		if err != nil || len(ids) == 0 {
			return err
		}
		known, others := KnownErased(recorded, ids)
		found, err := ws.Recess.Erase(ctx, t.Scope, known) // this server erased them before
		if err != nil {
			return err
		}
		t.Returned.Recess.Add(int64(found))
		if _, err := ws.Recess.Erase(ctx, t.Scope, others); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// Returned counts the copies of erased memories of a tenant that older data brought back, since this
// process opened the tenant. They are erased again.
type Returned struct {
	Store, Recess, Import atomic.Int64
}

// Total is the number of all of them.
func (r *Returned) Total() int64 { return r.Store.Load() + r.Recess.Load() + r.Import.Load() }

// String says where they were.
func (r *Returned) String() string {
	var parts []string
	for _, x := range []struct {
		n     int64
		where string
	}{{r.Store.Load(), "the store"}, {r.Recess.Load(), "the archive"}, {r.Import.Load(), "imports"}} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", x.n, x.where))
		}
	}
	return strings.Join(parts, ", ")
}

// KnownErased parts ids into those that the ledger had as erased, and the others.
func KnownErased(recorded, ids []graph.ID) (known, others []graph.ID) {
	erased := make(map[graph.ID]bool, len(recorded))
	for _, id := range recorded {
		erased[id] = true
	}
	for _, id := range ids {
		if erased[id] {
			known = append(known, id)
		} else {
			others = append(others, id)
		}
	}
	return known, others
}
