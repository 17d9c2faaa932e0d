package engine

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/prompt"
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
func (e *Engine) Events(ctx context.Context, c Caller, after graph.Cursor, fromNow bool, namespaces []string) (<-chan Event, error) {
	return e.ws.Events(ctx, c, after, fromNow, namespaces)
}

// Memories lists matching memories, by ascending id (descending on request).
func (e *Engine) Memories(ctx context.Context, c Caller, in ListInput) (*ListResult, error) {
	return e.ws.Memories(ctx, c, in)
}

// NamespacePolicy returns the policy of a namespace, with defaults for unset fields.
func (e *Engine) NamespacePolicy(ctx context.Context, c Caller, namespace string) (*PolicyView, error) {
	return e.ws.NamespacePolicy(ctx, c, namespace)
}

// SetNamespacePolicy changes the policy of a namespace for later scores, writes and decisions.
// Existing memories keep the values that they were written with.
func (e *Engine) SetNamespacePolicy(ctx context.Context, c Caller, in PolicyInput) (*PolicyView, error) {
	return e.ws.SetNamespacePolicy(ctx, c, in)
}

// Memory returns one memory by id.
func (e *Engine) Memory(ctx context.Context, c Caller, id graph.ID, a Access) (*View, error) {
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
func (e *Engine) MemoryByExternalID(ctx context.Context, c Caller, namespace, externalID string, a Access) (*View, error) {
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
func (e *Engine) MemoriesByID(ctx context.Context, c Caller, ids []graph.ID, a Access) ([]*View, error) {
	return e.ws.MemoriesByID(ctx, c, ids, a)
}

// Adjudicate decides whether evidence changes a belief, and applies the decision.
func (e *Engine) Adjudicate(ctx context.Context, c Caller, in AdjudicateInput) (*Adjudication, error) {
	return e.ingest.Adjudicate(ctx, c, in)
}

// Conflicts lists unresolved conflicts between ACTIVE memories, strongest first, at most first
// (0: 50).
func (e *Engine) Conflicts(ctx context.Context, c Caller, namespaces []string, first int) ([]Conflict, error) {
	return e.ingest.Conflicts(ctx, c, namespaces, first)
}

// UndoRevision takes back what a memory revised; see [ingest.Service.UndoRevision].
func (e *Engine) UndoRevision(ctx context.Context, c Caller, id graph.ID) ([]*View, error) {
	return e.ingest.UndoRevision(ctx, c, id)
}

// ResolveConflict resolves a conflict manually and returns both memories. If keep names one of
// them, it supersedes the other. If keep is empty, both stay and the conflict is dismissed.
func (e *Engine) ResolveConflict(ctx context.Context, c Caller, a, b, keep graph.ID, reason string) ([]*View, error) {
	return e.ingest.ResolveConflict(ctx, c, a, b, keep, reason)
}

// Expire sets a memory to EXPIRED now.
func (e *Engine) Expire(ctx context.Context, c Caller, id graph.ID) (*View, error) {
	return e.ingest.Expire(ctx, c, id)
}

// Pin adds a memory to the core, which every prompt context includes.
func (e *Engine) Pin(ctx context.Context, c Caller, id graph.ID) (*View, error) {
	return e.ingest.Pin(ctx, c, id)
}

// Unpin removes a memory from the core.
func (e *Engine) Unpin(ctx context.Context, c Caller, id graph.ID) (*View, error) {
	return e.ingest.Unpin(ctx, c, id)
}

// Core returns the core memories of the user and those without a user, oldest first.
func (e *Engine) Core(ctx context.Context, c Caller, user string, namespaces []string) ([]*View, error) {
	return e.ingest.Core(ctx, c, user, namespaces)
}

// Reconsolidations lists decisions of the gate, newest first, after the cursor after, at most
// first (0: 20), and reports whether there are more. If memory is set, it lists only decisions
// about that memory.
func (e *Engine) Reconsolidations(ctx context.Context, c Caller, namespaces []string, memory graph.ID, first int, after graph.ID) ([]Reconsolidation, bool, error) {
	return e.ingest.Reconsolidations(ctx, c, namespaces, memory, first, after)
}

// Remember writes one memory. It validates, embeds, links entities, scores the five signals,
// checks for conflicts and duplicates, stores, and promotes if the score allows it.
func (e *Engine) Remember(ctx context.Context, c Caller, in RememberInput) (*RememberResult, error) {
	return e.ingest.Remember(ctx, c, in)
}

// RememberMany writes up to MaxMany memories.
func (e *Engine) RememberMany(ctx context.Context, c Caller, in []RememberInput) ([]RememberResult, error) {
	return e.ingest.RememberMany(ctx, c, in)
}

// Supersede corrects a belief: the new version replaces the old one, which stays in the chain.
func (e *Engine) Supersede(ctx context.Context, c Caller, in SupersedeInput) (*SupersedeResult, error) {
	return e.ingest.Supersede(ctx, c, in)
}

// Update changes metadata of a memory: importance, tags, meta, priority, the important mark
// and the rate of decay. The content stays the same.
func (e *Engine) Update(ctx context.Context, c Caller, in UpdateInput) (*View, error) {
	return e.ingest.Update(ctx, c, in)
}

// Ingest stores a document or its next version; see [library.Service.Ingest].
func (e *Engine) Ingest(ctx context.Context, c Caller, in IngestInput) (*IngestResult, error) {
	return e.library.Ingest(ctx, c, in)
}

// IngestProgress streams the steps of the ingests of this server that the caller may see.
func (e *Engine) IngestProgress(ctx context.Context, c Caller, namespaces []string) (<-chan IngestStep, error) {
	return e.library.Watch(ctx, c, namespaces)
}

// Documents lists the documents that the caller sees, by ascending id after the id after, at most
// first (0: 50), and reports whether there are more.
func (e *Engine) Documents(ctx context.Context, c Caller, namespaces []string, first int, after graph.ID) ([]*Document, bool, error) {
	return e.library.Documents(ctx, c, namespaces, first, after)
}

// DocumentsByID returns documents in the order of ids, nil for one that the caller does not see.
func (e *Engine) DocumentsByID(ctx context.Context, c Caller, ids []graph.ID) ([]*Document, error) {
	return e.library.DocumentsByID(ctx, c, ids)
}

// DocumentChunks returns the chunks of a document in order, from a position, at most first (0: 20).
func (e *Engine) DocumentChunks(ctx context.Context, c Caller, d *Document, from, first int, a Access) ([]*View, error) {
	return e.library.Chunks(ctx, c, d, from, first, a)
}

// Observe adds a turn to L0, the working buffer of its session, and returns when the turn is
// durable. The cost is one small write, independent of the session's length.
func (e *Engine) Observe(ctx context.Context, c Caller, in Observation) (*Observed, error) {
	return e.session.Observe(ctx, c, in)
}

// ObservePast adds turns of conversations that are over, as an import does: each goes to L1 at once
// and keeps the time when it was said.
func (e *Engine) ObservePast(ctx context.Context, c Caller, in []Observation) ([]PastTurn, error) {
	return e.session.ObservePast(ctx, c, in)
}

// CloseSession ends a session. Its turns leave L0. Working memories of priority MEDIUM or HIGH
// that were used become episodes, the others EXPIRED. Confirmed tasks stay.
func (e *Engine) CloseSession(ctx context.Context, c Caller, session, namespace string) (*SessionReport, error) {
	return e.session.CloseSession(ctx, c, session, namespace)
}

// Tasks lists tasks by ascending id and reports whether there are more.
func (e *Engine) Tasks(ctx context.Context, c Caller, in TaskInput) ([]*Task, bool, error) {
	return e.session.Tasks(ctx, c, in)
}

// ConfirmTask turns a candidate into a tracked task. The task outlives its session; only the
// time to live of its sensitivity can end it.
func (e *Engine) ConfirmTask(ctx context.Context, c Caller, id graph.ID) (*Task, error) {
	return e.session.ConfirmTask(ctx, c, id)
}

// CompleteTask ends a task that was done: it becomes EXPIRED with status DONE.
func (e *Engine) CompleteTask(ctx context.Context, c Caller, id graph.ID) (*Task, error) {
	return e.session.CompleteTask(ctx, c, id)
}

// DismissTask ends a task that was none or is not wanted: it becomes EXPIRED.
func (e *Engine) DismissTask(ctx context.Context, c Caller, id graph.ID) (*Task, error) {
	return e.session.DismissTask(ctx, c, id)
}

// Context assembles the prompt context of an agent: rules, the project and the core, matching
// memories, document chunks and the recent turns.
func (e *Engine) Context(ctx context.Context, c Caller, in ContextInput) (*prompt.Result, error) {
	return e.recall.Context(ctx, c, in)
}

// Entities lists entities by ascending id and reports whether there are more.
func (e *Engine) Entities(ctx context.Context, c Caller, in EntityInput) ([]EntityView, bool, error) {
	return e.recall.Entities(ctx, c, in)
}

// EntitiesByID returns entities in the order of ids. A missing or hidden entity is nil.
func (e *Engine) EntitiesByID(ctx context.Context, c Caller, ids []graph.ID) ([]*EntityView, error) {
	return e.recall.EntitiesByID(ctx, c, ids)
}

// Relations lists relations, of one entity or all, as of an instant, by ascending id, with their
// weights, and reports whether there are more.
func (e *Engine) Relations(ctx context.Context, c Caller, in RelationInput) ([]RelationView, bool, error) {
	return e.recall.Relations(ctx, c, in)
}

// EntityLineage returns the history of an entity, oldest first.
func (e *Engine) EntityLineage(ctx context.Context, c Caller, in EntityLineageInput) ([]EntityEvent, error) {
	return e.recall.EntityLineage(ctx, c, in)
}

// Facts returns the claims about a subject that hold at an instant, by predicate, the newest
// first, and on request those that held before.
func (e *Engine) Facts(ctx context.Context, c Caller, in FactsInput) ([]ClaimView, error) {
	return e.recall.Facts(ctx, c, in)
}

// Contesting returns, for each memory, the ACTIVE memories that contradict it, the strongest
// conflict first.
func (e *Engine) Contesting(ctx context.Context, c Caller, views []*View) ([][]*View, error) {
	return e.recall.Contesting(ctx, c, views)
}

// CorrectClaim corrects what was read in a memory, or marks it as wrong, from now on.
func (e *Engine) CorrectClaim(ctx context.Context, c Caller, in CorrectClaimInput) (*ClaimView, error) {
	return e.ingest.CorrectClaim(ctx, c, in)
}

// ConfirmClaim records that a claim was read right, from now on.
func (e *Engine) ConfirmClaim(ctx context.Context, c Caller, claimID string) (*ClaimView, error) {
	return e.ingest.ConfirmClaim(ctx, c, claimID)
}

// Known lists what is remembered of a user: facts by subject, then memories without facts.
func (e *Engine) Known(ctx context.Context, c Caller, in KnownInput) (*KnownPage, error) {
	return e.recall.Known(ctx, c, in)
}

// Feedback marks a memory as relevant or irrelevant for a query and returns the memory.
func (e *Engine) Feedback(ctx context.Context, c Caller, in FeedbackInput) (*View, error) {
	return e.recall.Feedback(ctx, c, in)
}

// Lineage returns the versions in the chain of a memory, oldest first, with numbers above
// afterVersion, at most first (0: 200).
func (e *Engine) Lineage(ctx context.Context, c Caller, id graph.ID, first, afterVersion int) ([]Version, error) {
	return e.recall.Lineage(ctx, c, id, first, afterVersion)
}

// Edges returns the edges of a memory. Without kinds it returns the stored edges, SUPERSEDES
// and the edges derived on read (SAME_SESSION, TEMPORAL_SEQ, ENTITY_OVERLAP).
func (e *Engine) Edges(ctx context.Context, c Caller, id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]EdgeView, error) {
	return e.recall.Edges(ctx, c, id, dir, kinds...)
}

// Related walks the graph breadth first from a memory, along the edges that are asked for.
func (e *Engine) Related(ctx context.Context, c Caller, in RelatedInput) (*RelatedResult, error) {
	return e.recall.Related(ctx, c, in)
}

// Path returns a shortest path between two memories, both included. The result is empty if there
// is none.
func (e *Engine) Path(ctx context.Context, c Caller, in PathInput) (*RelatedResult, error) {
	return e.recall.Path(ctx, c, in)
}

// Scene returns the explorer's graph, without erased memories.
func (e *Engine) Scene(ctx context.Context, c Caller, namespaces []string) (*Scene, error) {
	return e.recall.Scene(ctx, c, namespaces)
}

// SceneAfter returns the same as Scene and reuses the unchanged parts of an earlier scene.
func (e *Engine) SceneAfter(ctx context.Context, c Caller, namespaces []string, before *Scene) (*Scene, error) {
	return e.recall.SceneAfter(ctx, c, namespaces, before)
}

// Search returns the memories that match the query best, highest rank first.
func (e *Engine) Search(ctx context.Context, c Caller, in SearchInput) (*SearchResult, error) {
	return e.recall.Search(ctx, c, in)
}

// Standings returns the progress of each view to the next tier, in order, under the policy of
// its namespace.
func (e *Engine) Standings(ctx context.Context, c Caller, views []*View) ([]Standing, error) {
	return e.recall.Standings(ctx, c, views)
}

// Timeline counts new, superseded and otherwise ended memories by transaction time, in equal
// buckets (0: 100, at most 1,000) from the first memory to now.
func (e *Engine) Timeline(ctx context.Context, c Caller, namespaces []string, buckets int) ([]Instant, error) {
	return e.recall.Timeline(ctx, c, namespaces, buckets)
}

// Sleep runs the consolidation cycle, or resumes an interrupted one.
func (e *Engine) Sleep(ctx context.Context, c Caller, in SleepInput) (*SleepReport, error) {
	return e.sleep.Sleep(ctx, c, in)
}

// SleepProgress streams the progress of sleeps on any server until ctx ends.
func (e *Engine) SleepProgress(ctx context.Context, c Caller) (<-chan SleepProgress, error) {
	return e.sleep.SleepProgress(ctx, c)
}

// MorningReports streams the report of every sleep that ends on any server. If after is set,
// it first sends the reports after that one.
func (e *Engine) MorningReports(ctx context.Context, c Caller, after graph.ID) (<-chan SleepReport, error) {
	return e.sleep.MorningReports(ctx, c, after)
}

// Consolidate consolidates memories by a strategy: it merges groups about one subject into
// summaries, and archives memories without a group unchanged.
func (e *Engine) Consolidate(ctx context.Context, c Caller, in ConsolidateInput) (*SleepReport, error) {
	return e.sleep.Consolidate(ctx, c, in)
}

// DecayForecast lists the ACTIVE memories that fade within days (1 to 365) without further
// use, soonest first, at most first (0: 50).
func (e *Engine) DecayForecast(ctx context.Context, c Caller, days int, namespaces []string, user string, first int) ([]Forecast, error) {
	return e.sleep.DecayForecast(ctx, c, days, namespaces, user, first)
}

// Rollback reverts a sleep or a consolidation, or all that ended after an instant, in a namespace
// or in all. Every memory returns to its earlier state and derived memories are archived. The
// history of the reverted states stays.
func (e *Engine) Rollback(ctx context.Context, c Caller, in RollbackInput) (*RollbackResult, error) {
	return e.sleep.Rollback(ctx, c, in)
}

// SleepReports lists morning reports, newest first, after the cursor after, at most first (0:
// 20), and reports whether there are more.
func (e *Engine) SleepReports(ctx context.Context, c Caller, first int, after graph.ID) ([]SleepReport, bool, error) {
	return e.sleep.SleepReports(ctx, c, first, after)
}

// SleepReport returns one morning report, or MEMORY_NOT_FOUND.
func (e *Engine) SleepReport(ctx context.Context, c Caller, id graph.ID) (*SleepReport, error) {
	return e.sleep.SleepReport(ctx, c, id)
}

// SleepSteps lists the steps of a sleep and the memories that they changed, in order, at most
// first (0: 200, up to 1,000).
func (e *Engine) SleepSteps(ctx context.Context, c Caller, report graph.ID, first int) ([]SleepStep, error) {
	return e.sleep.SleepSteps(ctx, c, report, first)
}

// SleepStatus returns the state of consolidation for the caller's tenant.
func (e *Engine) SleepStatus(ctx context.Context, c Caller) (*SleepStatus, error) {
	return e.sleep.SleepStatus(ctx, c)
}

// Forget erases memories permanently from the store, the index, the feed's readers and every
// list, together with the memories derived from them.
func (e *Engine) Forget(ctx context.Context, c Caller, in ForgetInput) (*graph.Receipt, error) {
	return e.erasure.Forget(ctx, c, in)
}

// ReplayErasures erases again what an import brought back of memories that were erased before.
// Call it after an import and before its answer; New does the same for every tenant.
func (e *Engine) ReplayErasures(ctx context.Context, c Caller) error {
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return err
	}
	return e.erasure.Replay(ctx, t)
}

// DeletionReceipt returns a receipt, or MEMORY_NOT_FOUND.
func (e *Engine) DeletionReceipt(ctx context.Context, c Caller, id graph.ID) (*graph.Receipt, error) {
	return e.erasure.DeletionReceipt(ctx, c, id)
}

// ReceiptIDs returns the erased ids of a receipt, ascending, after the id after.
func (e *Engine) ReceiptIDs(ctx context.Context, c Caller, receipt, after graph.ID, first int) ([]graph.ID, error) {
	return e.erasure.ReceiptIDs(ctx, c, receipt, after, first)
}

// ReleaseEngrams takes engrams back from the recess to L2 and returns the memories; others stay as
// they are.
func (e *Engine) ReleaseEngrams(ctx context.Context, c Caller, ids []graph.ID) ([]*View, error) {
	return e.sleep.ReleaseEngrams(ctx, c, ids)
}

// WithdrawSource withdraws the memories of a bad source and everything derived from them, in a
// namespace or, if none is named, in all namespaces that the caller sees.
func (e *Engine) WithdrawSource(ctx context.Context, c Caller, source, namespace, reason string, dryRun bool) (*Withdrawal, error) {
	return e.erasure.WithdrawSource(ctx, c, source, namespace, reason, dryRun)
}

// DeadLetters lists abandoned background tasks that are still pending, by the age of the
// memory, and reports whether there are more.
func (e *Engine) DeadLetters(ctx context.Context, c Caller, in DeadLetterInput) ([]DeadLetter, bool, error) {
	return e.upkeep.DeadLetters(ctx, c, in)
}

// Reembed starts or resumes the embedding of the tenant's memories with another model, in the
// background.
func (e *Engine) Reembed(ctx context.Context, c Caller, spec ModelSpec) (*Reembedding, error) {
	return e.upkeep.Reembed(ctx, c, spec)
}

// Reembedding returns the progress of the tenant's change to another model.
func (e *Engine) Reembedding(ctx context.Context, c Caller) (*Reembedding, error) {
	return e.upkeep.Reembedding(ctx, c)
}

// RetryDeadLetters retries the abandoned tasks of some memories and returns the results.
func (e *Engine) RetryDeadLetters(ctx context.Context, c Caller, ids []graph.ID) (*RetryResult, error) {
	return e.upkeep.RetryDeadLetters(ctx, c, ids)
}

// CreateWebhook makes a webhook, and returns its secret, which is shown this once.
func (e *Engine) CreateWebhook(ctx context.Context, c Caller, in WebhookInput) (*Webhook, string, error) {
	return e.webhook.Create(ctx, c, in)
}

// Webhooks lists the webhooks of the tenant that send only what the caller sees, oldest first.
func (e *Engine) Webhooks(ctx context.Context, c Caller) ([]*Webhook, error) {
	return e.webhook.List(ctx, c)
}

// DeleteWebhook removes a webhook and returns it as it was.
func (e *Engine) DeleteWebhook(ctx context.Context, c Caller, id graph.ID) (*Webhook, error) {
	return e.webhook.Delete(ctx, c, id)
}

// RetryWebhook sends the dead letters of a webhook once more, before newer changes.
func (e *Engine) RetryWebhook(ctx context.Context, c Caller, id graph.ID) (*Webhook, error) {
	return e.webhook.Retry(ctx, c, id)
}
