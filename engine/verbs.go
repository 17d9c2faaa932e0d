package engine

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/graph"
)

// The operations. The services document each in full.

// Now returns the time of the server's clock, in milliseconds, UTC.
func (e *Engine) Now() time.Time { return e.ws.Now() }

// EventCursor returns the position of the newest change, after which Events can start.
func (e *Engine) EventCursor(ctx context.Context, c Caller) (graph.Cursor, error) {
	return e.ws.EventCursor(ctx, c)
}

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

// Ingest stores a document or its next version; see [library.Service.Ingest].
func (e *Engine) Ingest(ctx context.Context, c Caller, in IngestInput) (_ *IngestResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "ingest")
	defer end(&err)
	return e.library.Ingest(ctx, c, in)
}

// RemoveDocument ends a document and expires its chunks; see [library.Service.Remove].
func (e *Engine) RemoveDocument(ctx context.Context, c Caller, id graph.ID) (_ *IngestResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "removeDocument")
	defer end(&err)
	return e.library.Remove(ctx, c, id)
}

// IngestProgress streams the steps of the ingests of this server that the caller may see.
func (e *Engine) IngestProgress(ctx context.Context, c Caller, namespaces []string) (_ <-chan IngestStep, err error) {
	ctx, end := e.ws.Begin(ctx, c, "ingestProgress")
	defer end(&err)
	return e.library.Watch(ctx, c, namespaces)
}

// Documents lists the documents that the caller sees, by ascending id after the id after, at most
// first (0: 50), and reports whether there are more.
func (e *Engine) Documents(ctx context.Context, c Caller, namespaces []string, first int, after graph.ID) (_ []*Document, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "documents")
	defer end(&err)
	return e.library.Documents(ctx, c, namespaces, first, after)
}

// DocumentsByID returns documents in the order of ids, nil for one that the caller does not see.
func (e *Engine) DocumentsByID(ctx context.Context, c Caller, ids []graph.ID) (_ []*Document, err error) {
	ctx, end := e.ws.Begin(ctx, c, "document")
	defer end(&err)
	return e.library.DocumentsByID(ctx, c, ids)
}

// DocumentChunks returns the chunks of a document in order, from a position, at most first (0: 20).
func (e *Engine) DocumentChunks(ctx context.Context, c Caller, d *Document, from, first int, a Access) (_ []*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "documentChunks")
	defer end(&err)
	return e.library.Chunks(ctx, c, d, from, first, a)
}

// Observe adds a turn to L0, the working buffer of its session, and returns when the turn is
// durable. The cost is one small write, independent of the session's length.
func (e *Engine) Observe(ctx context.Context, c Caller, in Observation) (r *Observed, err error) {
	ctx, end := e.ws.Begin(ctx, c, "observe")
	defer end(&err)
	if r, err = e.session.Observe(ctx, c, in); err == nil {
		e.touched(ctx, r.Memory)
	}
	return r, err
}

// ObservePast adds turns of conversations that are over, as an import does: each goes to L1 at once
// and keeps the time when it was said.
func (e *Engine) ObservePast(ctx context.Context, c Caller, in []Observation) (_ []PastTurn, err error) {
	ctx, end := e.ws.Begin(ctx, c, "observePast")
	defer end(&err)
	return e.session.ObservePast(ctx, c, in)
}

// CloseSession ends a session. Its turns leave L0. Working memories of priority MEDIUM or HIGH
// that were used become episodes, the others EXPIRED. Confirmed tasks stay.
func (e *Engine) CloseSession(ctx context.Context, c Caller, session, namespace string) (_ *SessionReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "closeSession")
	defer end(&err)
	return e.session.CloseSession(ctx, c, session, namespace)
}

// Tasks lists tasks by ascending id and reports whether there are more.
func (e *Engine) Tasks(ctx context.Context, c Caller, in TaskInput) (_ []*Task, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "tasks")
	defer end(&err)
	return e.session.Tasks(ctx, c, in)
}

// ConfirmTask turns a candidate into a tracked task. The task outlives its session; only the
// time to live of its sensitivity can end it.
func (e *Engine) ConfirmTask(ctx context.Context, c Caller, id graph.ID) (_ *Task, err error) {
	ctx, end := e.ws.Begin(ctx, c, "confirmTask")
	defer end(&err)
	return e.session.ConfirmTask(ctx, c, id)
}

// CompleteTask ends a task that was done: it becomes EXPIRED with status DONE.
func (e *Engine) CompleteTask(ctx context.Context, c Caller, id graph.ID) (_ *Task, err error) {
	ctx, end := e.ws.Begin(ctx, c, "completeTask")
	defer end(&err)
	return e.session.CompleteTask(ctx, c, id)
}

// DismissTask ends a task that was none or is not wanted: it becomes EXPIRED.
func (e *Engine) DismissTask(ctx context.Context, c Caller, id graph.ID) (_ *Task, err error) {
	ctx, end := e.ws.Begin(ctx, c, "dismissTask")
	defer end(&err)
	return e.session.DismissTask(ctx, c, id)
}

// Context assembles the prompt context of an agent: rules, the project and the core, matching
// memories, document chunks and the recent turns.
func (e *Engine) Context(ctx context.Context, c Caller, in ContextInput) (_ *prompt.Result, err error) {
	ctx, end := e.ws.Begin(ctx, c, "context")
	defer end(&err)
	return e.recall.Context(ctx, c, in)
}

// Entities lists entities by ascending id and reports whether there are more.
func (e *Engine) Entities(ctx context.Context, c Caller, in EntityInput) (_ []EntityView, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "entities")
	defer end(&err)
	return e.entities.Entities(ctx, c, in)
}

// EntitiesByID returns entities in the order of ids. A missing or hidden entity is nil.
func (e *Engine) EntitiesByID(ctx context.Context, c Caller, ids []graph.ID) (_ []*EntityView, err error) {
	ctx, end := e.ws.Begin(ctx, c, "entitiesByID")
	defer end(&err)
	return e.entities.EntitiesByID(ctx, c, ids)
}

// Relations lists relations, of one entity or all, as of an instant, by ascending id, with their
// weights, and reports whether there are more.
func (e *Engine) Relations(ctx context.Context, c Caller, in RelationInput) (_ []RelationView, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "relations")
	defer end(&err)
	return e.entities.Relations(ctx, c, in)
}

// EntityLineage returns the history of an entity, oldest first.
func (e *Engine) EntityLineage(ctx context.Context, c Caller, in EntityLineageInput) (_ []EntityEvent, err error) {
	ctx, end := e.ws.Begin(ctx, c, "entityLineage")
	defer end(&err)
	return e.entities.EntityLineage(ctx, c, in)
}

// Facts returns the claims about a subject that hold at an instant, by predicate, the newest
// first, and on request those that held before.
func (e *Engine) Facts(ctx context.Context, c Caller, in FactsInput) (_ []ClaimView, err error) {
	ctx, end := e.ws.Begin(ctx, c, "facts")
	defer end(&err)
	return e.recall.Facts(ctx, c, in)
}

// Contesting returns, for each memory, the ACTIVE memories that contradict it, the strongest
// conflict first.
func (e *Engine) Contesting(ctx context.Context, c Caller, views []*View) (_ [][]*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "contesting")
	defer end(&err)
	return e.recall.Contesting(ctx, c, views)
}

// CorrectClaim corrects what was read in a memory, or marks it as wrong, from now on.
func (e *Engine) CorrectClaim(ctx context.Context, c Caller, in CorrectClaimInput) (_ *ClaimView, err error) {
	ctx, end := e.ws.Begin(ctx, c, "correctClaim")
	defer end(&err)
	return e.ingest.CorrectClaim(ctx, c, in)
}

// ConfirmClaim records that a claim was read right, from now on.
func (e *Engine) ConfirmClaim(ctx context.Context, c Caller, claimID string) (_ *ClaimView, err error) {
	ctx, end := e.ws.Begin(ctx, c, "confirmClaim")
	defer end(&err)
	return e.ingest.ConfirmClaim(ctx, c, claimID)
}

// Known lists what is remembered of a user: facts by subject, then memories without facts.
func (e *Engine) Known(ctx context.Context, c Caller, in KnownInput) (_ *KnownPage, err error) {
	ctx, end := e.ws.Begin(ctx, c, "known")
	defer end(&err)
	return e.recall.Known(ctx, c, in)
}

// Feedback marks a memory as relevant or irrelevant for a query and returns the memory.
func (e *Engine) Feedback(ctx context.Context, c Caller, in FeedbackInput) (_ *View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "feedback")
	defer end(&err)
	return e.recall.Feedback(ctx, c, in)
}

// Lineage returns the versions in the chain of a memory, oldest first, with numbers above
// afterVersion, at most first (0: 200).
func (e *Engine) Lineage(ctx context.Context, c Caller, id graph.ID, first, afterVersion int) (_ []Version, err error) {
	ctx, end := e.ws.Begin(ctx, c, "lineage")
	defer end(&err)
	return e.recall.Lineage(ctx, c, id, first, afterVersion)
}

// Edges returns the edges of a memory. Without kinds it returns the stored edges, SUPERSEDES
// and the edges derived on read (SAME_SESSION, TEMPORAL_SEQ, ENTITY_OVERLAP).
func (e *Engine) Edges(ctx context.Context, c Caller, id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) (_ []EdgeView, err error) {
	ctx, end := e.ws.Begin(ctx, c, "edges")
	defer end(&err)
	return e.entities.Edges(ctx, c, id, dir, kinds...)
}

// Related walks the graph breadth first from a memory, along the edges that are asked for.
func (e *Engine) Related(ctx context.Context, c Caller, in RelatedInput) (_ *RelatedResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "related")
	defer end(&err)
	return e.entities.Related(ctx, c, in)
}

// Path returns a shortest path between two memories, both included. The result is empty if there
// is none.
func (e *Engine) Path(ctx context.Context, c Caller, in PathInput) (_ *RelatedResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "path")
	defer end(&err)
	return e.entities.Path(ctx, c, in)
}

// Scene returns the explorer's graph, without erased memories.
func (e *Engine) Scene(ctx context.Context, c Caller, namespaces []string) (_ *Scene, err error) {
	ctx, end := e.ws.Begin(ctx, c, "scene")
	defer end(&err)
	return e.recall.Scene(ctx, c, namespaces)
}

// SceneAfter returns the same as Scene and reuses the unchanged parts of an earlier scene. It is no call in the audit: a
// scene serves every caller with the same sight, and what asks for it has a row of its own.
func (e *Engine) SceneAfter(ctx context.Context, c Caller, namespaces []string, before *Scene) (*Scene, error) {
	if err := e.MayCall(c.Tenant, "vizGraph"); err != nil {
		return nil, err
	}
	return e.recall.SceneAfter(ctx, c, namespaces, before)
}

// Search returns the memories that match the query best, highest rank first.
func (e *Engine) Search(ctx context.Context, c Caller, in SearchInput) (r *SearchResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "search")
	defer end(&err)
	if r, err = e.recall.Search(ctx, c, in); err == nil {
		e.found(ctx, r.Hits)
	}
	return r, err
}

// Standings returns the progress of each view to the next tier, in order, under the policy of
// its namespace.
func (e *Engine) Standings(ctx context.Context, c Caller, views []*View) (_ []Standing, err error) {
	ctx, end := e.ws.Begin(ctx, c, "standings")
	defer end(&err)
	return e.recall.Standings(ctx, c, views)
}

// Timeline counts new, superseded and otherwise ended memories by transaction time, in equal
// buckets (0: 100, at most 1,000) from the first memory to now.
func (e *Engine) Timeline(ctx context.Context, c Caller, namespaces []string, buckets int) (_ []Instant, err error) {
	ctx, end := e.ws.Begin(ctx, c, "timeline")
	defer end(&err)
	return e.recall.Timeline(ctx, c, namespaces, buckets)
}

// Sleep runs the consolidation cycle, or resumes an interrupted one.
func (e *Engine) Sleep(ctx context.Context, c Caller, in SleepInput) (_ *SleepReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleep")
	defer end(&err)
	return e.sleep.Sleep(ctx, c, in)
}

// SleepProgress streams the progress of sleeps on any server until ctx ends.
func (e *Engine) SleepProgress(ctx context.Context, c Caller) (_ <-chan SleepProgress, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepProgress")
	defer end(&err)
	return e.sleep.SleepProgress(ctx, c)
}

// MorningReports streams the report of every sleep that ends on any server. If after is set,
// it first sends the reports after that one.
func (e *Engine) MorningReports(ctx context.Context, c Caller, after graph.ID) (_ <-chan SleepReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepReports")
	defer end(&err)
	return e.sleep.MorningReports(ctx, c, after)
}

// Consolidate consolidates memories by a strategy: it merges groups about one subject into
// summaries, and archives memories without a group unchanged.
func (e *Engine) Consolidate(ctx context.Context, c Caller, in ConsolidateInput) (_ *SleepReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "consolidate")
	defer end(&err)
	return e.sleep.Consolidate(ctx, c, in)
}

// DecayForecast lists the ACTIVE memories that fade within days (1 to 365) without further
// use, soonest first, at most first (0: 50).
func (e *Engine) DecayForecast(ctx context.Context, c Caller, days int, namespaces []string, user string, first int) (_ []Forecast, err error) {
	ctx, end := e.ws.Begin(ctx, c, "decayForecast")
	defer end(&err)
	return e.sleep.DecayForecast(ctx, c, days, namespaces, user, first)
}

// Rollback reverts a sleep or a consolidation, or all that ended after an instant, in a namespace
// or in all. Every memory returns to its earlier state and derived memories are archived. The
// history of the reverted states stays.
func (e *Engine) Rollback(ctx context.Context, c Caller, in RollbackInput) (_ *RollbackResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "rollback")
	defer end(&err)
	return e.sleep.Rollback(ctx, c, in)
}

// SleepReports lists morning reports, newest first, after the cursor after, at most first (0:
// 20), and reports whether there are more.
func (e *Engine) SleepReports(ctx context.Context, c Caller, first int, after graph.ID) (_ []SleepReport, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepReports")
	defer end(&err)
	return e.sleep.SleepReports(ctx, c, first, after)
}

// SleepReport returns one morning report, or MEMORY_NOT_FOUND.
func (e *Engine) SleepReport(ctx context.Context, c Caller, id graph.ID) (_ *SleepReport, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepReport")
	defer end(&err)
	return e.sleep.SleepReport(ctx, c, id)
}

// SleepOwnersLeft returns the owners whose clustering the time of a sleep cut off or did not reach, at most
// first (0: 200), the one to go on with first. One that has no memory any more is left out.
func (e *Engine) SleepOwnersLeft(ctx context.Context, c Caller, report graph.ID, first int) (_ []ClusterOwner, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepOwnersLeft")
	defer end(&err)
	return e.sleep.OwnersLeft(ctx, c, report, first)
}

// SleepSteps lists the steps of a sleep and the memories that they changed, in order, at most
// first (0: 200, up to 1,000).
func (e *Engine) SleepSteps(ctx context.Context, c Caller, report graph.ID, first int) (_ []SleepStep, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepSteps")
	defer end(&err)
	return e.sleep.SleepSteps(ctx, c, report, first)
}

// SleepStatus returns the state of consolidation for the caller's tenant.
func (e *Engine) SleepStatus(ctx context.Context, c Caller) (_ *SleepStatus, err error) {
	ctx, end := e.ws.Begin(ctx, c, "sleepStatus")
	defer end(&err)
	return e.sleep.SleepStatus(ctx, c)
}

// Forget erases memories permanently from the store, the index, the feed's readers and every
// list, together with the memories derived from them.
func (e *Engine) Forget(ctx context.Context, c Caller, in ForgetInput) (r *graph.Receipt, err error) {
	ctx, end := e.ws.Begin(ctx, c, "forget")
	defer end(&err)
	if r, err = e.erasure.Forget(ctx, c, in); err == nil {
		telemetry.SpanOf(ctx).Count(r.Count)
	}
	return r, err
}

// ReplayErasures erases again what an import brought back of memories that were erased before.
// Call it after an import and before its answer; New does the same for every tenant. leftOut is how many
// memories the import left out because they were erased.
func (e *Engine) ReplayErasures(ctx context.Context, c Caller, leftOut int) error {
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return err
	}
	t.Returned.Import.Add(int64(leftOut))
	return e.erasure.Replay(audit.As(ctx, "replayErasures"), t)
}

// Audit returns the rows of the tenant's audit that match, the newest first, and whether there are
// more. Callers that see only a part of the tenant get FORBIDDEN.
func (e *Engine) Audit(ctx context.Context, c Caller, f AuditFilter) (_ []AuditEntry, more bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "audit")
	defer end(&err)
	if err := c.WholeTenant(); err != nil {
		return nil, false, err
	}
	return e.ws.Audit.List(ctx, c.Scope(), f)
}

// Record begins a call for the audit that is none of the verbs of the engine, because it changes what
// belongs to the server, such as API keys and tenants. A row is durable before it returns. If there is
// none, within is cancelled. end ends the call with the error that it returns.
func (e *Engine) Record(ctx context.Context, c Caller, verb string) (within context.Context, end func(*error)) {
	return e.ws.BeginServerCall(ctx, c, verb)
}

// VerifyAudit checks the tenant's audit.
func (e *Engine) VerifyAudit(ctx context.Context, c Caller) (_ *AuditCheck, err error) {
	ctx, end := e.ws.Begin(ctx, c, "auditCheck")
	defer end(&err)
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	return e.ws.Audit.Verify(ctx, c.Scope())
}

// DeletionReceipt returns a receipt, or MEMORY_NOT_FOUND.
func (e *Engine) DeletionReceipt(ctx context.Context, c Caller, id graph.ID) (_ *graph.Receipt, err error) {
	ctx, end := e.ws.Begin(ctx, c, "deletionReceipt")
	defer end(&err)
	return e.erasure.DeletionReceipt(ctx, c, id)
}

// DeletionReceipts returns receipts, newest first; see [erasure.Service.Receipts].
func (e *Engine) DeletionReceipts(ctx context.Context, c Caller, in ReceiptsInput) (page []*graph.Receipt, more bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "deletionReceipts")
	defer end(&err)
	return e.erasure.Receipts(ctx, c, in)
}

// ErasureParts returns the state of an erasure in each store of the server; see
// [erasure.Service.ErasureParts].
func (e *Engine) ErasureParts(ctx context.Context, c Caller, receipt graph.ID) ([]ErasurePart, error) {
	return e.erasure.ErasureParts(ctx, c, receipt)
}

// ErasedKeys returns how many API keys of its user an erasure deleted; see [erasure.Service.ErasedKeys].
func (e *Engine) ErasedKeys(ctx context.Context, c Caller, receipt graph.ID) (int, error) {
	return e.erasure.ErasedKeys(ctx, c, receipt)
}

// ProveErasure returns the document that proves a completed erasure, as JSON, and the public key
// that checks it.
func (e *Engine) ProveErasure(ctx context.Context, c Caller, receipt graph.ID) (_ []byte, publicKey string, err error) {
	ctx, end := e.ws.Begin(ctx, c, "proveErasure")
	defer end(&err)
	return e.erasure.ProveErasure(ctx, c, receipt)
}

// ProofKey returns the public key that checks proofs of erasures of the tenant; empty: the server
// keeps no keys.
func (e *Engine) ProofKey(ctx context.Context, c Caller) (string, error) {
	return e.erasure.ProofKey(ctx, c)
}

// ReceiptIDs returns the erased ids of a receipt, ascending, after the id after.
func (e *Engine) ReceiptIDs(ctx context.Context, c Caller, receipt, after graph.ID, first int) (_ []graph.ID, err error) {
	ctx, end := e.ws.Begin(ctx, c, "receiptIDs")
	defer end(&err)
	return e.erasure.ReceiptIDs(ctx, c, receipt, after, first)
}

// ReleaseEngrams takes engrams back from the recess to L2 and returns the memories; others stay as
// they are.
func (e *Engine) ReleaseEngrams(ctx context.Context, c Caller, ids []graph.ID) (_ []*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "releaseEngrams")
	defer end(&err)
	return e.upkeep.ReleaseEngrams(ctx, c, ids)
}

// WithdrawSource withdraws the memories of a bad source and everything derived from them, in a
// namespace or, if none is named, in all namespaces that the caller sees.
func (e *Engine) WithdrawSource(ctx context.Context, c Caller, source, namespace, reason string, dryRun bool) (_ *Withdrawal, err error) {
	ctx, end := e.ws.Begin(ctx, c, "withdrawSource")
	defer end(&err)
	return e.erasure.WithdrawSource(ctx, c, source, namespace, reason, dryRun)
}

// DeadLetters lists abandoned background tasks that are still pending, by the age of the
// memory, and reports whether there are more.
func (e *Engine) DeadLetters(ctx context.Context, c Caller, in DeadLetterInput) (_ []DeadLetter, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "deadLetters")
	defer end(&err)
	return e.upkeep.DeadLetters(ctx, c, in)
}

// Reembed starts or resumes the embedding of the tenant's memories with another model, in the
// background.
func (e *Engine) Reembed(ctx context.Context, c Caller, spec ModelSpec) (_ *Reembedding, err error) {
	ctx, end := e.ws.Begin(ctx, c, "reembed")
	defer end(&err)
	return e.upkeep.Reembed(ctx, c, spec)
}

// Reembedding returns the progress of the tenant's change to another model.
func (e *Engine) Reembedding(ctx context.Context, c Caller) (_ *Reembedding, err error) {
	ctx, end := e.ws.Begin(ctx, c, "reembedding")
	defer end(&err)
	return e.upkeep.Reembedding(ctx, c)
}

// RetryDeadLetters retries the abandoned tasks of some memories and returns the results.
func (e *Engine) RetryDeadLetters(ctx context.Context, c Caller, ids []graph.ID) (_ *RetryResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "retryDeadLetter")
	defer end(&err)
	return e.upkeep.RetryDeadLetters(ctx, c, ids)
}

// CreateWebhook makes a webhook, and returns its secret, which is shown this once.
func (e *Engine) CreateWebhook(ctx context.Context, c Caller, in WebhookInput) (_ *Webhook, _ string, err error) {
	ctx, end := e.ws.Begin(ctx, c, "createWebhook")
	defer end(&err)
	return e.webhook.Create(ctx, c, in)
}

// Webhooks lists the webhooks of the tenant that send only what the caller sees, oldest first.
func (e *Engine) Webhooks(ctx context.Context, c Caller) (_ []*Webhook, err error) {
	ctx, end := e.ws.Begin(ctx, c, "webhooks")
	defer end(&err)
	return e.webhook.List(ctx, c)
}

// DeleteWebhook removes a webhook and returns it as it was.
func (e *Engine) DeleteWebhook(ctx context.Context, c Caller, id graph.ID) (_ *Webhook, err error) {
	ctx, end := e.ws.Begin(ctx, c, "deleteWebhook")
	defer end(&err)
	return e.webhook.Delete(ctx, c, id)
}

// DiscardDeadLetters takes the abandoned tasks of some memories off the list and returns the ids
// of the memories.
func (e *Engine) DiscardDeadLetters(ctx context.Context, c Caller, ids []graph.ID) (_ []graph.ID, err error) {
	ctx, end := e.ws.Begin(ctx, c, "discardDeadLetter")
	defer end(&err)
	return e.upkeep.DiscardDeadLetters(ctx, c, ids)
}

// RetryWebhook sends the dead letters of a webhook once more, before newer changes.
func (e *Engine) RetryWebhook(ctx context.Context, c Caller, id graph.ID) (_ *Webhook, err error) {
	ctx, end := e.ws.Begin(ctx, c, "retryWebhook")
	defer end(&err)
	return e.webhook.Retry(ctx, c, id)
}
