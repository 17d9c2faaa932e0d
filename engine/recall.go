package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

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
	return e.scenes.Of(ctx, c, namespaces)
}

// SceneAfter returns the same as Scene and reuses the unchanged parts of an earlier scene. It is no call in the audit: a
// scene serves every caller with the same sight, and what asks for it has a row of its own.
func (e *Engine) SceneAfter(ctx context.Context, c Caller, namespaces []string, before *Scene) (*Scene, error) {
	if err := e.MayCall(c.Tenant, "vizGraph"); err != nil {
		return nil, err
	}
	return e.scenes.After(ctx, c, namespaces, before)
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
