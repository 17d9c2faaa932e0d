package engine

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// Where several servers have the store open, each keeps something in memory that another
// may make untrue: the rings of L0, open tasks, texts and hashes of what was erased, the
// latest recorded instant. The feed says what changed, whoever changed it; this is its
// reader. It does nothing where the store is this engine's alone. ADR 31.

// followPage is how many changes are taken from the feed at once.
const followPage = 1000

// followed is how far a tenant's feed was heeded.
type followed struct {
	mu   sync.Mutex
	at   graph.Cursor
	more chan struct{} // closed when at moves
}

func newFollowed(at graph.Cursor) *followed { return &followed{at: at, more: make(chan struct{})} }

func (f *followed) look() (graph.Cursor, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at, f.more
}

func (f *followed) advance(c graph.Cursor) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = c
	close(f.more)
	f.more = make(chan struct{})
}

// runFollow heeds the feed of a tenant until Close. What can't be heeded now is tried again.
func (e *Engine) runFollow(t *tenant) {
	if e.exclusive() {
		return
	}
	swept := false
	for e.ctx.Err() == nil {
		err := e.follow(e.ctx, t, &swept)
		if err == nil || e.ctx.Err() != nil {
			continue
		}
		e.log.Warn("[READ] what other servers did was not heeded; will retry", "tenant", t.scope.Tenant, "retry", e.retry, "error", err)
		if !e.pause(e.retry) {
			return
		}
	}
}

// follow heeds the next page of the feed, and waits where there is none. First of all it
// takes out of the recess what was erased while this server was away.
func (e *Engine) follow(ctx context.Context, t *tenant, swept *bool) error {
	if !*swept {
		if err := e.sweepRecess(ctx, t); err != nil {
			return err
		}
		*swept = true
	}
	at, _ := t.followed.look()
	if err := e.store.Wait(ctx, t.scope, at); err != nil {
		return err
	}
	changes, err := e.store.Changes(ctx, t.scope, at, followPage)
	if err != nil || len(changes) == 0 {
		return err
	}
	upto := changes[len(changes)-1].Cursor
	if err := e.index.WaitFor(ctx, t.scope, upto); err != nil {
		return err
	}
	if err := e.heed(ctx, t, changes); err != nil {
		return err
	}
	t.followed.advance(upto)
	return nil
}

// Followed waits until this server has applied every change that any server has committed by now.
func (t *tenant) Followed(ctx context.Context) error {
	e := t.engine
	if e.exclusive() {
		return nil
	}
	head, err := e.store.Head(ctx, t.scope)
	if err != nil {
		return err
	}
	for {
		at, more := t.followed.look()
		if at >= head {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		case <-e.ctx.Done():
			return errClosing
		}
	}
}

// heed brings what is held in memory in line with some changes.
func (e *Engine) heed(ctx context.Context, t *tenant, changes []graph.Change) error {
	var forgotten, touched []graph.ID
	for _, ch := range changes {
		t.recorded(ch.At)
		switch {
		case ch.Node != graph.NodeMemory:
		case ch.Kind == graph.EventForgotten:
			forgotten = append(forgotten, ch.ID)
		default:
			touched = append(touched, ch.ID)
		}
	}
	e.hitsKept.drop(t.scope.Tenant, slices.Concat(touched, forgotten))
	if len(forgotten) > 0 {
		e.forgetWords(t)
		if e.recess != nil {
			if err := e.recess.Erase(ctx, t.scope, forgotten); err != nil {
				return err
			}
		}
	}
	for _, apply := range e.followers {
		if err := apply(ctx, t, append(touched, forgotten...)); err != nil {
			return err
		}
	}
	return nil
}

// heedTurns brings the rings and the open tasks in line with memories that changed. It
// runs in the writer, behind what the writer itself took into the rings.
func (e *Engine) heedTurns(ctx context.Context, t *tenant, ids []graph.ID) error {
	b := t.buffer
	b.loading.Lock()
	loaded := b.loaded
	b.loading.Unlock()
	if !loaded { // the first use reads them all
		return nil
	}
	var look, left []graph.ID
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		d, ok := e.index.Doc(t.scope, id)
		switch {
		case !ok:
			left = append(left, id)
		case present(d).Tier == graph.L0 && present(d).Status == graph.Active, d.Type == graph.Working && slices.Contains(d.Tags, taskTag):
			look = append(look, id)
		default:
			left = append(left, id)
		}
	}
	b.left(left)
	if len(look) == 0 {
		return nil
	}
	return e.alone(ctx, t, func(ctx context.Context) error {
		var found []*graph.Memory
		err := t.View(ctx, func(r graph.Reader) error {
			found = found[:0]
			for _, id := range look {
				m, err := r.Memory(id)
				if errors.Is(err, graph.ErrIntegrity) {
					continue // who reads it is told
				}
				if err != nil {
					return err
				}
				found = append(found, m)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, m := range found {
			if inBuffer(m) {
				b.join(conversationOf(m), slot{m.ID, prompt.Count(m.Content)}, m.CreatedAt)
			} else {
				b.left([]graph.ID{m.ID})
			}
		}
		b.tasked(opened(found...))
		return nil
	})
}

// sweepRecess erases from this server's recess what others erased while it was away.
func (e *Engine) sweepRecess(ctx context.Context, t *tenant) error {
	if e.recess == nil {
		return nil
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
		if err := e.recess.Erase(ctx, t.scope, ids); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
}

// recorded keeps the clock of a tenant from running behind what any server recorded.
func (t *tenant) recorded(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at.After(t.last) {
		t.last = at
	}
}
