package library

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Status says whether a version of a document is the current one.
type Status string

// The statuses of a document.
const (
	StatusCurrent    Status = "CURRENT"
	StatusSuperseded Status = "SUPERSEDED" // an earlier version
	StatusFailed     Status = "FAILED"     // its first ingest was interrupted; ingest it again
	StatusRemoved    Status = "REMOVED"    // the document was removed, and has no chunks
)

// Statuses lists every Status in the order of the API.
var Statuses = []Status{StatusCurrent, StatusSuperseded, StatusFailed, StatusRemoved}

// Document is a version of a document.
type Document struct {
	ID          graph.ID // of the document, the same for all versions
	Namespace   string
	User        string
	Private     bool // only one agent sees it
	Project     string
	Path        string
	MediaType   string
	Title       string
	Status      Status
	Version     int
	ContentHash string // SHA-256 of the content, lower-case hex
	Chunks      int
	IngestedAt  time.Time
	chunks      []graph.ID
	Earlier     []Document // earlier versions, newest first, at most 20; only of the current one
}

// documentOf converts a record.
func documentOf(id graph.ID, namespace string, x *record) *Document {
	view := func(v version, s Status) Document {
		return Document{
			ID: id, Namespace: namespace, User: graph.UserOf(x.User), Private: graph.AgentOf(x.User) != "", Project: v.Project, Path: x.Path, MediaType: v.MediaType, Title: v.Title,
			Status: s, Version: v.Number, ContentHash: v.Hash, Chunks: v.Count, IngestedAt: v.At,
		}
	}
	status := StatusCurrent
	switch {
	case x.Current.Number == 0:
		status = StatusFailed
	case x.Current.removed():
		status = StatusRemoved
	}
	d := view(x.Current, status)
	d.chunks = x.Current.Chunks
	for _, v := range slices.Backward(x.Earlier) {
		if !v.removed() {
			d.Earlier = append(d.Earlier, view(v, StatusSuperseded))
		}
	}
	return &d
}

// Documents lists the documents that the caller sees, without those that were removed, by ascending
// id after the id after, at most first (0: 50), and reports whether there are more.
func (svc *Service) Documents(ctx context.Context, c workspace.Caller, namespaces []string, first int, after graph.ID) (page []*Document, more bool, err error) {
	if first, err = workspace.PageSize("first", first, 50); err != nil {
		return nil, false, err
	}
	spaces, err := c.AllowedNamespaces(namespaces)
	if err != nil {
		return nil, false, err
	}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		page, more = nil, false
		for n, err := range graph.AllNotes(r, graph.NoteDocument, after, false) {
			if err != nil {
				return err
			}
			if len(spaces) > 0 && !slices.Contains(spaces, n.Namespace) {
				continue
			}
			x, err := decodeRecord(n)
			if err != nil {
				return err
			}
			if x.Current.removed() {
				continue
			}
			if len(page) == first {
				more = true
				return nil
			}
			page = append(page, documentOf(n.ID, n.Namespace, x))
		}
		return nil
	})
	if err != nil {
		return nil, false, svc.PublicError(err)
	}
	return page, more, nil
}

// DocumentsByID returns documents in the order of ids. A document is nil if there is none with the
// id, or if the caller does not see it.
func (svc *Service) DocumentsByID(ctx context.Context, c workspace.Caller, ids []graph.ID) ([]*Document, error) {
	out := make([]*Document, len(ids))
	err := svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		clear(out)
		for i, id := range ids {
			if !id.Valid() {
				continue
			}
			x, namespace, err := loadRecord(r, id)
			if err != nil {
				return err
			}
			if x != nil {
				out[i] = documentOf(id, namespace, x)
			}
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return out, nil
}

// Chunks returns the chunks of the current version in order, from a position, at most first (0:
// 20), without those that were erased or that the caller does not see.
func (svc *Service) Chunks(ctx context.Context, c workspace.Caller, d *Document, from, first int, a workspace.Access) ([]*workspace.View, error) {
	first, err := workspace.PageSize("first", first, 20)
	if err != nil {
		return nil, err
	}
	if from < 0 {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "from", "must be at least 0")
	}
	from = min(from, len(d.chunks))
	views, err := svc.MemoriesByID(ctx, c, d.chunks[from:min(from+first, len(d.chunks))], a)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(views, func(v *workspace.View) bool { return v == nil || v.State.Status == graph.Forgotten }), nil
}
