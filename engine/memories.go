package engine

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/graph"
)

// Now returns the time of the server's clock, in milliseconds, UTC.
func (e *Engine) Now() time.Time { return e.ws.Now() }

// EventCursor returns the position of the newest change, after which Events can start.
func (e *Engine) EventCursor(ctx context.Context, c Caller) (graph.Cursor, error) {
	return e.ws.EventCursor(ctx, c)
}

// EventFeed returns the number of the change feed, which a restore changes: a position of another feed means another change.
func (e *Engine) EventFeed(ctx context.Context, c Caller) (uint32, error) { return e.ws.Feed(ctx, c) }

// Events streams the changes of memories after a cursor, or from now on.
func (e *Engine) Events(ctx context.Context, c Caller, after graph.Cursor, fromNow bool, namespaces []string) (_ <-chan Event, err error) {
	ctx, end := e.ws.Begin(ctx, c, "memoryEvents")
	defer end(&err)
	return e.ws.Events(ctx, c, after, fromNow, namespaces)
}

// Memories lists matching memories, by ascending id (descending on request).
func (e *Engine) Memories(ctx context.Context, c Caller, in ListInput) (_ *ListResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "memories")
	defer end(&err)
	return e.ws.Memories(ctx, c, in)
}

// NamespacePolicy returns the policy of a namespace, with defaults for unset fields.
func (e *Engine) NamespacePolicy(ctx context.Context, c Caller, namespace string) (_ *PolicyView, err error) {
	ctx, end := e.ws.Begin(ctx, c, "namespacePolicy")
	defer end(&err)
	return e.ws.NamespacePolicy(ctx, c, namespace)
}

// SetNamespacePolicy changes the policy of a namespace for later scores, writes and decisions.
// Existing memories keep the values that they were written with.
func (e *Engine) SetNamespacePolicy(ctx context.Context, c Caller, in PolicyInput) (_ *PolicyView, err error) {
	ctx, end := e.ws.Begin(ctx, c, "setNamespacePolicy")
	defer end(&err)
	return e.ws.SetNamespacePolicy(ctx, c, in)
}

// Memory returns one memory by id.
func (e *Engine) Memory(ctx context.Context, c Caller, id graph.ID, a Access) (_ *View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "memory")
	defer end(&err)
	v, err := e.ws.Memory(ctx, c, id, a)
	if err != nil {
		return nil, err
	}
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	t.Expose(1)
	return v, nil
}

// MemoryByExternalID returns the newest version that has an external id in a namespace.
func (e *Engine) MemoryByExternalID(ctx context.Context, c Caller, namespace, externalID string, a Access) (_ *View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "memoryByExternalId")
	defer end(&err)
	v, err := e.ingest.MemoryByExternalID(ctx, c, namespace, externalID, a)
	if err != nil {
		return nil, err
	}
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	t.Expose(1)
	return v, nil
}

// MemoriesByID returns memories in the order of ids. A memory is nil if it is missing, hidden,
// or did not exist at the read's instant.
func (e *Engine) MemoriesByID(ctx context.Context, c Caller, ids []graph.ID, a Access) (_ []*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "memoriesByID")
	defer end(&err)
	return e.ws.MemoriesByID(ctx, c, ids, a)
}

// Adjudicate decides whether evidence changes a belief, and applies the decision.
func (e *Engine) Adjudicate(ctx context.Context, c Caller, in AdjudicateInput) (_ *Adjudication, err error) {
	ctx, end := e.ws.Begin(ctx, c, "adjudicate")
	defer end(&err)
	return e.ingest.Adjudicate(ctx, c, in)
}

// Conflicts lists unresolved conflicts between ACTIVE memories, strongest first, at most first
// (0: 50).
func (e *Engine) Conflicts(ctx context.Context, c Caller, namespaces []string, first int) (_ []Conflict, err error) {
	ctx, end := e.ws.Begin(ctx, c, "conflicts")
	defer end(&err)
	return e.ingest.Conflicts(ctx, c, namespaces, first)
}

// UndoRevision takes back what a memory revised; see [ingest.Service.UndoRevision].
func (e *Engine) UndoRevision(ctx context.Context, c Caller, id graph.ID) (_ []*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "undoRevision")
	defer end(&err)
	return e.ingest.UndoRevision(ctx, c, id)
}

// ResolveConflict resolves a conflict manually and returns both memories. If keep names one of
// them, it supersedes the other. If keep is empty, both stay and the conflict is dismissed.
func (e *Engine) ResolveConflict(ctx context.Context, c Caller, a, b, keep graph.ID, reason string) (_ []*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "resolveConflict")
	defer end(&err)
	return e.ingest.ResolveConflict(ctx, c, a, b, keep, reason)
}

// Expire sets a memory to EXPIRED now.
func (e *Engine) Expire(ctx context.Context, c Caller, id graph.ID) (_ *View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "expire")
	defer end(&err)
	return e.ingest.Expire(ctx, c, id)
}

// Pin adds a memory to the core, which every prompt context includes.
func (e *Engine) Pin(ctx context.Context, c Caller, id graph.ID) (_ *View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "pin")
	defer end(&err)
	return e.ingest.Pin(ctx, c, id)
}

// Unpin removes a memory from the core.
func (e *Engine) Unpin(ctx context.Context, c Caller, id graph.ID) (_ *View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "unpin")
	defer end(&err)
	return e.ingest.Unpin(ctx, c, id)
}

// Core returns the core memories of the user and those without a user, oldest first.
func (e *Engine) Core(ctx context.Context, c Caller, user string, namespaces []string) (_ []*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "core")
	defer end(&err)
	return e.ingest.Core(ctx, c, user, namespaces)
}

// Reconsolidations lists decisions of the gate, newest first, after the cursor after, at most
// first (0: 20), and reports whether there are more. If memory is set, it lists only decisions
// about that memory.
func (e *Engine) Reconsolidations(ctx context.Context, c Caller, namespaces []string, memory graph.ID, first int, after graph.ID) (_ []Reconsolidation, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "reconsolidations")
	defer end(&err)
	return e.ingest.Reconsolidations(ctx, c, namespaces, memory, first, after)
}

// Remember writes one memory. It validates, embeds, links entities, scores the five signals,
// checks for conflicts and duplicates, stores, and promotes if the score allows it.
func (e *Engine) Remember(ctx context.Context, c Caller, in RememberInput) (r *RememberResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "remember")
	defer end(&err)
	if r, err = e.ingest.Remember(ctx, c, in); err == nil {
		e.touched(ctx, r.Memory)
	}
	return r, err
}

// RememberMany writes up to MaxMany memories.
func (e *Engine) RememberMany(ctx context.Context, c Caller, in []RememberInput) (results []RememberResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "rememberMany")
	defer end(&err)
	if results, err = e.ingest.RememberMany(ctx, c, in); err == nil && telemetry.SpanOf(ctx).On() {
		views := make([]*View, len(results))
		for i := range results {
			views[i] = results[i].Memory
		}
		e.touched(ctx, views...)
	}
	return results, err
}

// Supersede corrects a belief: the new version replaces the old one, which stays in the chain.
func (e *Engine) Supersede(ctx context.Context, c Caller, in SupersedeInput) (r *SupersedeResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "supersede")
	defer end(&err)
	if r, err = e.ingest.Supersede(ctx, c, in); err == nil {
		e.touched(ctx, r.Memory)
	}
	return r, err
}

// Update changes metadata of a memory: importance, tags, meta, priority, the important mark
// and the rate of decay. The content stays the same.
func (e *Engine) Update(ctx context.Context, c Caller, in UpdateInput) (v *View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "update")
	defer end(&err)
	if v, err = e.ingest.Update(ctx, c, in); err == nil {
		e.touched(ctx, v)
	}
	return v, err
}
