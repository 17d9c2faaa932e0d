package engine

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

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
