package engine

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// The verbs. Each is described where it is implemented.

// Now is the present of the server's clock, in milliseconds, UTC.
func (e *Engine) Now() time.Time { return e.ws.Now() }

// Events streams the changes of memories behind a cursor, or from now on.
func (e *Engine) Events(ctx context.Context, c Caller, after graph.Cursor, fromNow bool, namespaces []string) (<-chan Event, error) {
	return e.ws.Events(ctx, c, after, fromNow, namespaces)
}

// Memories lists memories that match, by ascending id (descending where asked).
func (e *Engine) Memories(ctx context.Context, c Caller, in ListInput) (*ListResult, error) {
	return e.ws.Memories(ctx, c, in)
}

// NamespacePolicy answers what a namespace decides for itself, the defaults where it decided
// nothing.
func (e *Engine) NamespacePolicy(ctx context.Context, c Caller, namespace string) (*PolicyView, error) {
	return e.ws.NamespacePolicy(ctx, c, namespace)
}

// SetNamespacePolicy changes what a namespace decides for itself, for scores, writes and
// decisions from now on: what is written already keeps what was bound to it.
func (e *Engine) SetNamespacePolicy(ctx context.Context, c Caller, in PolicyInput) (*PolicyView, error) {
	return e.ws.SetNamespacePolicy(ctx, c, in)
}

// Memory answers one memory by id.
func (e *Engine) Memory(ctx context.Context, c Caller, id graph.ID, a Access) (*View, error) {
	return e.ws.Memory(ctx, c, id, a)
}

// MemoriesByID answers memories in the order of ids; what is missing, hidden or was not there
// at the read's instant is nil.
func (e *Engine) MemoriesByID(ctx context.Context, c Caller, ids []graph.ID, a Access) ([]*View, error) {
	return e.ws.MemoriesByID(ctx, c, ids, a)
}

// Adjudicate lets evidence change a belief, or not.
func (e *Engine) Adjudicate(ctx context.Context, c Caller, in AdjudicateInput) (*Adjudication, error) {
	return e.ingest.Adjudicate(ctx, c, in)
}

// Conflicts lists unresolved conflicts between ACTIVE memories, strongest first, at most first
// (0: 50).
func (e *Engine) Conflicts(ctx context.Context, c Caller, namespaces []string, first int) ([]Conflict, error) {
	return e.ingest.Conflicts(ctx, c, namespaces, first)
}

// ResolveConflict ends a conflict by hand and answers both memories: keep stays and the other
// is superseded by it where keep names one of the two, and both stay with the conflict
// dismissed where keep is empty.
func (e *Engine) ResolveConflict(ctx context.Context, c Caller, a, b, keep graph.ID, reason string) ([]*View, error) {
	return e.ingest.ResolveConflict(ctx, c, a, b, keep, reason)
}

// Expire dismisses a memory: it becomes EXPIRED now.
func (e *Engine) Expire(ctx context.Context, c Caller, id graph.ID) (*View, error) {
	return e.ingest.Expire(ctx, c, id)
}

// Pin makes a memory core: it is in every prompt.
func (e *Engine) Pin(ctx context.Context, c Caller, id graph.ID) (*View, error) {
	return e.ingest.Pin(ctx, c, id)
}

// Unpin takes a memory out of the core.
func (e *Engine) Unpin(ctx context.Context, c Caller, id graph.ID) (*View, error) {
	return e.ingest.Unpin(ctx, c, id)
}

// Core answers the core memories of the user and of nobody, oldest first.
func (e *Engine) Core(ctx context.Context, c Caller, user string, namespaces []string) ([]*View, error) {
	return e.ingest.Core(ctx, c, user, namespaces)
}

// Reconsolidations lists decisions of the gate, newest first, behind after, at most first (0:
// 20), and reports whether there are more; only those about a memory where one is named.
func (e *Engine) Reconsolidations(ctx context.Context, c Caller, namespaces []string, memory graph.ID, first int, after graph.ID) ([]Reconsolidation, bool, error) {
	return e.ingest.Reconsolidations(ctx, c, namespaces, memory, first, after)
}

// Remember writes one memory: it validates, embeds, finds and links entities, scores the five
// signals, looks for conflicts and then for duplicates, stores, and promotes where the score
// allows.
func (e *Engine) Remember(ctx context.Context, c Caller, in RememberInput) (*RememberResult, error) {
	return e.ingest.Remember(ctx, c, in)
}

// RememberMany writes up to MaxMany memories.
func (e *Engine) RememberMany(ctx context.Context, c Caller, in []RememberInput) ([]RememberResult, error) {
	return e.ingest.RememberMany(ctx, c, in)
}

// Supersede corrects a belief: a new version takes its place, the old one stays in the chain.
func (e *Engine) Supersede(ctx context.Context, c Caller, in SupersedeInput) (*SupersedeResult, error) {
	return e.ingest.Supersede(ctx, c, in)
}

// Update changes what is not the belief itself: importance, tags, meta, priority, the
// important mark and how fast it fades.
func (e *Engine) Update(ctx context.Context, c Caller, in UpdateInput) (*View, error) {
	return e.ingest.Update(ctx, c, in)
}

// Observe puts a turn of a conversation into L0, the working buffer of its session, and
// answers when that is durable: one small write, however long the session is.
func (e *Engine) Observe(ctx context.Context, c Caller, in Observation) (*Observed, error) {
	return e.session.Observe(ctx, c, in)
}

// CloseSession ends a session: its turns leave L0, its working memories of priority MEDIUM or
// HIGH that were used become episodes, the others EXPIRED; tasks that were confirmed stay.
func (e *Engine) CloseSession(ctx context.Context, c Caller, session, namespace string) (*SessionReport, error) {
	return e.session.CloseSession(ctx, c, session, namespace)
}

// Tasks lists tasks by ascending id and reports whether there are more.
func (e *Engine) Tasks(ctx context.Context, c Caller, in TaskInput) ([]*Task, bool, error) {
	return e.session.Tasks(ctx, c, in)
}

// ConfirmTask makes a candidate a task that is tracked: no time to live ends it but that of
// its sensitivity, and it outlives its session.
func (e *Engine) ConfirmTask(ctx context.Context, c Caller, id graph.ID) (*Task, error) {
	return e.session.ConfirmTask(ctx, c, id)
}

// DismissTask ends a task, whether it was done or was none: it becomes EXPIRED.
func (e *Engine) DismissTask(ctx context.Context, c Caller, id graph.ID) (*Task, error) {
	return e.session.DismissTask(ctx, c, id)
}

// Context answers what an agent should have before its eyes: rules, the project and the core,
// memories that fit, document chunks, the recent conversation.
func (e *Engine) Context(ctx context.Context, c Caller, in ContextInput) (*prompt.Result, error) {
	return e.recall.Context(ctx, c, in)
}

// Entities lists entities by ascending id and reports whether there are more.
func (e *Engine) Entities(ctx context.Context, c Caller, in EntityInput) ([]EntityView, bool, error) {
	return e.recall.Entities(ctx, c, in)
}

// EntitiesByID answers entities in the order of ids; what is missing or hidden is nil.
func (e *Engine) EntitiesByID(ctx context.Context, c Caller, ids []graph.ID) ([]*EntityView, error) {
	return e.recall.EntitiesByID(ctx, c, ids)
}

// Relations lists the relations of an entity as of an instant, by ascending id, with their
// weights, and reports whether there are more.
func (e *Engine) Relations(ctx context.Context, c Caller, entity graph.ID, dir graph.Direction, asOf graph.AsOf, first int, after graph.ID) ([]RelationView, bool, error) {
	return e.recall.Relations(ctx, c, entity, dir, asOf, first, after)
}

// Feedback says whether a memory answers a question and answers the memory.
func (e *Engine) Feedback(ctx context.Context, c Caller, in FeedbackInput) (*View, error) {
	return e.recall.Feedback(ctx, c, in)
}

// Lineage answers the versions of the belief that a memory is a version of, oldest first,
// behind afterVersion, at most first (0: 200).
func (e *Engine) Lineage(ctx context.Context, c Caller, id graph.ID, first, afterVersion int) ([]Version, error) {
	return e.recall.Lineage(ctx, c, id, first, afterVersion)
}

// Edges answers the edges at a memory: the stored ones and, where no kinds are named,
// SUPERSEDES and those derived on read (SAME_SESSION, TEMPORAL_SEQ, ENTITY_OVERLAP).
func (e *Engine) Edges(ctx context.Context, c Caller, id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]EdgeView, error) {
	return e.recall.Edges(ctx, c, id, dir, kinds...)
}

// Related walks the graph from a memory, breadth first, to a depth (0: 2, at most 6) and a
// budget of nodes (0: 5,000).
func (e *Engine) Related(ctx context.Context, c Caller, id graph.ID, depth, budget int, a Access) (*RelatedResult, error) {
	return e.recall.Related(ctx, c, id, depth, budget, a)
}

// Path answers a shortest path between two memories, ends included, of at most depth edges (0:
// 6); nothing where there is none.
func (e *Engine) Path(ctx context.Context, c Caller, from, to graph.ID, depth int, a Access) (*RelatedResult, error) {
	return e.recall.Path(ctx, c, from, to, depth, a)
}

// Scene answers what the explorer draws, but what was erased.
func (e *Engine) Scene(ctx context.Context, c Caller, namespaces []string) (*Scene, error) {
	return e.recall.Scene(ctx, c, namespaces)
}

// SceneAfter answers what Scene does.
func (e *Engine) SceneAfter(ctx context.Context, c Caller, namespaces []string, before *Scene) (*Scene, error) {
	return e.recall.SceneAfter(ctx, c, namespaces, before)
}

// Search answers the memories that fit the question best.
func (e *Engine) Search(ctx context.Context, c Caller, in SearchInput) (*SearchResult, error) {
	return e.recall.Search(ctx, c, in)
}

// Standings answers how far each memory is on its way, in the order of views, by the policy of
// its namespace.
func (e *Engine) Standings(ctx context.Context, c Caller, views []*View) ([]Standing, error) {
	return e.recall.Standings(ctx, c, views)
}

// Timeline counts births, supersedes and other endings over recorded time, in equal buckets
// (0: 100, at most 1,000) from the first memory to now.
func (e *Engine) Timeline(ctx context.Context, c Caller, namespaces []string, buckets int) ([]Instant, error) {
	return e.recall.Timeline(ctx, c, namespaces, buckets)
}

// Sleep runs the consolidation cycle, or goes on with one that was interrupted.
func (e *Engine) Sleep(ctx context.Context, c Caller, in SleepInput) (*SleepReport, error) {
	return e.sleep.Sleep(ctx, c, in)
}

// SleepProgress streams how far sleeps have come, whichever server sleeps, until ctx ends.
func (e *Engine) SleepProgress(ctx context.Context, c Caller) (<-chan SleepProgress, error) {
	return e.sleep.SleepProgress(ctx, c)
}

// MorningReports streams the report of every sleep that ends, whichever server slept: from now
// on, or those behind a report first.
func (e *Engine) MorningReports(ctx context.Context, c Caller, after graph.ID) (<-chan SleepReport, error) {
	return e.sleep.MorningReports(ctx, c, after)
}

// Consolidate folds memories by a strategy: groups about one matter into what is true, and
// what is alone in its group is archived as it is.
func (e *Engine) Consolidate(ctx context.Context, c Caller, in ConsolidateInput) (*SleepReport, error) {
	return e.sleep.Consolidate(ctx, c, in)
}

// DecayForecast lists the ACTIVE memories that fade within days (1 to 365) unless they are
// used, soonest first, at most first (0: 50).
func (e *Engine) DecayForecast(ctx context.Context, c Caller, days int, namespaces []string, user string, first int) ([]Forecast, error) {
	return e.sleep.DecayForecast(ctx, c, days, namespaces, user, first)
}

// Rollback takes a sleep or a consolidation back: every memory stands as it did, what was made
// is archived, and the record of when it stood otherwise stays.
func (e *Engine) Rollback(ctx context.Context, c Caller, id graph.ID) (*SleepReport, error) {
	return e.sleep.Rollback(ctx, c, id)
}

// SleepReports lists morning reports, newest first, behind after, at most first (0: 20), and
// reports whether there are more.
func (e *Engine) SleepReports(ctx context.Context, c Caller, first int, after graph.ID) ([]SleepReport, bool, error) {
	return e.sleep.SleepReports(ctx, c, first, after)
}

// SleepReport answers one morning report; MEMORY_NOT_FOUND where there is none.
func (e *Engine) SleepReport(ctx context.Context, c Caller, id graph.ID) (*SleepReport, error) {
	return e.sleep.SleepReport(ctx, c, id)
}

// SleepSteps lists what a sleep did to which memories, in order, at most first (0: 200, up to
// 1,000).
func (e *Engine) SleepSteps(ctx context.Context, c Caller, report graph.ID, first int) ([]SleepStep, error) {
	return e.sleep.SleepSteps(ctx, c, report, first)
}

// SleepStatus says where the consolidation of the caller's tenant stands.
func (e *Engine) SleepStatus(ctx context.Context, c Caller) (*SleepStatus, error) {
	return e.sleep.SleepStatus(ctx, c)
}

// Forget erases memories for good: from the store, the index, the feed's readers and every
// list, together with what was derived from them.
func (e *Engine) Forget(ctx context.Context, c Caller, in ForgetInput) (*graph.Receipt, error) {
	return e.erasure.Forget(ctx, c, in)
}

// DeletionReceipt answers a receipt; MEMORY_NOT_FOUND where there is none.
func (e *Engine) DeletionReceipt(ctx context.Context, c Caller, id graph.ID) (*graph.Receipt, error) {
	return e.erasure.DeletionReceipt(ctx, c, id)
}

// ReceiptIDs answers the erased ids of a receipt, ascending, behind after.
func (e *Engine) ReceiptIDs(ctx context.Context, c Caller, receipt, after graph.ID, first int) ([]graph.ID, error) {
	return e.erasure.ReceiptIDs(ctx, c, receipt, after, first)
}

// WithdrawSource takes back what a bad source said and everything that descends from it, in a
// namespace or, where none is named, in all that the caller sees.
func (e *Engine) WithdrawSource(ctx context.Context, c Caller, source, namespace, reason string, dryRun bool) (*Withdrawal, error) {
	return e.erasure.WithdrawSource(ctx, c, source, namespace, reason, dryRun)
}

// DeadLetters lists what was given up and still waits, by the age of the memory, and reports
// whether there is more.
func (e *Engine) DeadLetters(ctx context.Context, c Caller, in DeadLetterInput) ([]DeadLetter, bool, error) {
	return e.upkeep.DeadLetters(ctx, c, in)
}

// Reembed begins, or goes on, to embed every memory of the tenant with another model, in the
// background.
func (e *Engine) Reembed(ctx context.Context, c Caller, spec ModelSpec) (*Reembedding, error) {
	return e.upkeep.Reembed(ctx, c, spec)
}

// Reembedding answers how far the tenant is on its way to another model.
func (e *Engine) Reembedding(ctx context.Context, c Caller) (*Reembedding, error) {
	return e.upkeep.Reembedding(ctx, c)
}

// RetryDeadLetters tries once more what was given up for some memories, and answers what came
// of it.
func (e *Engine) RetryDeadLetters(ctx context.Context, c Caller, ids []graph.ID) (*RetryResult, error) {
	return e.upkeep.RetryDeadLetters(ctx, c, ids)
}
