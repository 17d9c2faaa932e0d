package library

import (
	"context"
	"errors"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Remove ends a document that is no longer there: its chunks expire, so that searches and contexts
// no longer answer them. The past stays readable as of its time, and nothing is erased. The document
// is then REMOVED and no longer listed; content that is ingested under its path is its next version.
// A document that was removed already is Unchanged. Errors are MEMORY_NOT_FOUND if the caller sees no
// such document, FORBIDDEN if it may not end one of the chunks, and VERSION_CONFLICT.
func (svc *Service) Remove(ctx context.Context, c workspace.Caller, id graph.ID) (*IngestResult, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	release, err := t.lock(ctx, id)
	if err != nil {
		return nil, err
	}
	defer release()
	for range ingestRetries {
		result, err := svc.removeOnce(ctx, c, t, id)
		switch {
		case err == nil:
			return result, nil
		case !errors.Is(err, errChanged):
			return nil, svc.PublicError(err)
		}
	}
	return nil, graph.FieldError(graph.CodeVersionConflict, "id", "is being ingested by other servers; it was not removed")
}

// removeOnce is one attempt to remove a document.
func (svc *Service) removeOnce(ctx context.Context, c workspace.Caller, t *tenant, id graph.ID) (*IngestResult, error) {
	w := &write{svc: svc, t: t, id: id, result: &IngestResult{}, step: func(Progress) {}}
	rec, chunks, err := w.visible(ctx, c)
	if err != nil {
		return nil, err
	}
	if rec.Next != nil { // an ingest was interrupted
		if err := w.finish(ctx); err != nil {
			return nil, err
		}
		if rec, chunks, err = w.visible(ctx, c); err != nil {
			return nil, err
		}
		*w.result = IngestResult{}
	}
	if rec.Current.removed() {
		return &IngestResult{Document: documentOf(id, w.namespace, rec), Unchanged: true}, nil
	}
	if c.MayWriteFor(rec.User) != nil {
		return nil, graph.FieldError(graph.CodeForbidden, "id", "belongs to nobody: removing it requires the scope %s", access.MemoryShare)
	}
	var p plan
	for _, m := range chunks {
		if m == nil || !ingest.InPlace(m) && m.Status() != graph.Archived {
			continue
		}
		if err := ingest.MayEndChunk(c, m); err != nil {
			return nil, err
		}
		p.gone = append(p.gone, m)
	}
	w.next = version{Number: rec.Current.Number + 1, MediaType: rec.Current.MediaType, Title: rec.Current.Title, Consent: rec.Current.Consent, Project: rec.Current.Project}
	if p.changes() <= maxChanges {
		err = w.atOnce(ctx, p, rec.Revision)
	} else {
		err = w.staged(ctx, p, rec.Revision)
	}
	if err != nil {
		return nil, err
	}
	if rec, _, err = w.visible(ctx, c); err != nil {
		return nil, err
	}
	w.result.Document = documentOf(id, w.namespace, rec)
	return w.result, nil
}

// errNoDocument is the error for an id that names no document, or one that the caller does not see.
var errNoDocument = graph.FieldError(graph.CodeMemoryNotFound, "id", "is that of no document")

// visible reads the record of the document and the chunks of its current version, and sets the
// namespace. A document that the caller does not see is errNoDocument.
func (w *write) visible(ctx context.Context, c workspace.Caller) (rec *record, chunks []*graph.Memory, err error) {
	if !w.id.Valid() {
		return nil, nil, errNoDocument
	}
	err = w.t.View(ctx, func(r graph.Reader) error {
		var err error
		if rec, w.namespace, err = loadRecord(r, w.id); err != nil {
			return err
		}
		if rec == nil || !c.Sees(w.namespace, rec.User) {
			return errNoDocument
		}
		w.owner, w.path = rec.User, rec.Path
		chunks, err = r.Memories(rec.Current.Chunks)
		return err
	})
	return rec, chunks, err
}
