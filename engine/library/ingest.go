package library

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/document"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	draftsAtOnce  = 64 // chunks that are analysed and embedded between two reports of progress
	ingestRetries = 5  // attempts while other servers ingest the same document
)

// IngestInput is a document to ingest.
type IngestInput struct {
	Content   []byte
	Path      string // names the document, 1 to graph.MaxPath bytes
	MediaType string // empty: from the path
	Consent   graph.Consent
	Namespace string // empty: "default"
	User      string
	Agent     string // empty: the agent of the credentials
	Project   string
	Private   bool // only the agent sees the document; needs Agent
	// Progress is called with each step; nil: nobody asks. It must not block.
	Progress func(Progress)
}

// IngestResult is what an ingest did.
type IngestResult struct {
	Document   *Document
	Unchanged  bool // the same content was there already, and nothing was written
	Written    int  // chunks that are new, or ACTIVE again
	Superseded int  // chunks of the earlier version that ended, in either way
	Restored   int  // part of Written: chunks that had ended and are ACTIVE again
	Expired    int  // part of Superseded: chunks that have no successor
}

// Ingest stores a document, or its next version. Content that is stored already, read as the same
// media type, writes nothing.
// Chunks whose text, headings and permission are the same stay; a changed chunk supersedes its
// predecessor; a chunk that the document no longer has expires; one that it has again becomes
// ACTIVE again. An error of the content is a *document.Error, and nothing is written. Other errors
// are CONSENT_REQUIRED, INVALID_REQUEST, FORBIDDEN, LIMIT_EXCEEDED, and VERSION_CONFLICT if other
// servers kept changing the document. A repetition after UNAVAILABLE continues where it ended.
func (svc *Service) Ingest(ctx context.Context, c workspace.Caller, in IngestInput) (*IngestResult, error) {
	t, err := svc.tenants.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	in.User, in.Agent, in.Namespace = cmp.Or(in.User, c.User), cmp.Or(in.Agent, c.Agent), cmp.Or(in.Namespace, workspace.DefaultNamespace)
	x := &ingestion{svc: svc, t: t, c: c, in: in, sum: hashOf(in.Content)}
	if x.in.Consent == "" {
		x.defaulted = true
		if x.in.Consent, err = svc.ingest.DefaultConsent(ctx, t.Tenant, in.Namespace); err != nil {
			return nil, svc.PublicError(workspace.AsTimeout(err))
		}
	}
	if err := x.check(); err != nil {
		return nil, err
	}
	if x.id, err = recordID(in.Namespace, x.owner(), in.Path); err != nil {
		return nil, svc.PublicError(err)
	}
	release, err := t.lock(ctx, x.id)
	if err != nil {
		return nil, err
	}
	defer release()
	result, err := x.run(ctx)
	if err != nil {
		err = svc.publicError(err)
		x.failed(err)
		return nil, err
	}
	x.step(Progress{Phase: PhaseDone, Chunks: result.Document.Chunks, Done: result.Written, Total: result.Written, Result: result})
	return result, nil
}

// publicError keeps the errors of documents as they are.
func (svc *Service) publicError(err error) error {
	if bad := (*document.Error)(nil); errors.As(err, &bad) {
		return bad
	}
	return svc.PublicError(err)
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// ingestion is one call of Ingest.
type ingestion struct {
	svc       *Service
	t         *tenant
	c         workspace.Caller
	in        IngestInput
	id        graph.ID
	sum       string // SHA-256 of the content
	defaulted bool   // consent is a default
	read      bool
	document  document.Document
	parts     []part
}

// statement is a chunk of the document as a memory to write.
func (x *ingestion) statement(text string) ingest.RememberInput {
	return ingest.RememberInput{
		Content: text, Consent: x.in.Consent, Namespace: x.in.Namespace, User: x.in.User, Agent: x.in.Agent, Private: x.in.Private, Project: x.in.Project, Source: x.in.Path,
	}
}

// owner is the owner of the document and of its chunks.
func (x *ingestion) owner() string {
	in := x.statement("")
	return in.Owner()
}

// validPath reports whether a document may have the path. Bidirectional controls are refused, because they show a path as
// another one.
func validPath(path string) bool {
	return strings.TrimSpace(path) != "" && len(path) <= graph.MaxPath && utf8.ValidString(path) &&
		!strings.ContainsFunc(path, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) })
}

// check validates the input. The error names the faulty field.
func (x *ingestion) check() error {
	in := &x.in
	switch {
	case !validPath(in.Path):
		return graph.FieldError(graph.CodeInvalidRequest, "path", "must be 1 to %d bytes of UTF-8, not only spaces, without control characters and bidirectional controls", graph.MaxPath)
	case len(in.Project) > graph.MaxName || !utf8.ValidString(in.Project):
		return graph.FieldError(graph.CodeInvalidRequest, "project", "must have at most %d bytes of UTF-8", graph.MaxName)
	case len(in.User) > graph.MaxName || !utf8.ValidString(in.User):
		return graph.FieldError(graph.CodeInvalidRequest, "user", "must have at most %d bytes of UTF-8", graph.MaxName)
	case len(in.Agent) > graph.MaxName || !utf8.ValidString(in.Agent):
		return graph.FieldError(graph.CodeInvalidRequest, "agent", "must have at most %d bytes of UTF-8", graph.MaxName)
	}
	check := x.statement("a document")
	check.SourceKind = graph.FromDocument
	if err := x.svc.ingest.CheckInput(x.c, &check); err != nil {
		return err
	}
	return nil
}

// run ingests, again if another server changed the document meanwhile.
func (x *ingestion) run(ctx context.Context) (*IngestResult, error) {
	for range ingestRetries {
		result, err := x.attempt(ctx)
		if !errors.Is(err, errChanged) {
			return result, err
		}
	}
	return nil, graph.FieldError(graph.CodeVersionConflict, "path", "is being ingested by other servers; nothing of this content was made current")
}

// attempt is one attempt to ingest.
func (x *ingestion) attempt(ctx context.Context) (*IngestResult, error) {
	w := &write{
		svc: x.svc, t: x.t, id: x.id, namespace: x.in.Namespace, owner: x.owner(), path: x.in.Path, result: &IngestResult{}, step: x.step,
	}
	rec, known, err := x.load(ctx)
	if err != nil {
		return nil, err
	}
	if rec.Next != nil { // interrupted
		if err := w.finish(ctx); err != nil {
			return nil, err
		}
		if rec, known, err = x.load(ctx); err != nil {
			return nil, err
		}
		*w.result = IngestResult{}
	}
	now := x.t.Now()
	sameAll := rec.Current.Number > 0 && x.isVersion(&rec.Current)
	if sameAll && !slices.ContainsFunc(known.current, func(m *graph.Memory) bool {
		return m == nil || m.Status() == graph.Forgotten || m.Status() == graph.Archived && ingest.Restorable(m, now)
	}) {
		return &IngestResult{Document: documentOf(x.id, x.in.Namespace, rec), Unchanged: true}, nil
	}
	if err := x.readContent(ctx); err != nil {
		return nil, err
	}
	p := planChanges(x.parts, known, x.in.Consent, x.in.Project, now)
	for _, m := range p.ending() {
		if err := ingest.MayEndChunk(x.c, m); err != nil {
			return nil, fieldPath(err)
		}
	}
	if w.drafts, err = x.draft(ctx, p); err != nil {
		return nil, err
	}
	var more workspace.Size
	for _, d := range w.drafts {
		if d != nil {
			more.Memories, more.Bytes = more.Memories+1, more.Bytes+int64(len(d.Memory.Content))
		}
	}
	if err := x.t.HasRoom(ctx, more); err != nil {
		return nil, err
	}
	w.next = version{Number: rec.Current.Number, MediaType: x.document.MediaType, Title: x.document.Title, Hash: x.sum, Consent: x.in.Consent, Project: x.in.Project}
	if !sameAll {
		w.next.Number++
	}
	x.step(Progress{Phase: PhaseWriting, Chunks: len(x.parts), Total: p.fresh()})
	if p.changes() <= maxChanges {
		err = w.atOnce(ctx, p, rec.Revision)
	} else {
		err = w.staged(ctx, p, rec.Revision)
	}
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(w.drafts, func(d *ingest.Draft) bool { return d != nil && d.Vector == nil }) {
		x.t.WakePending()
	}
	if rec, _, err = x.load(ctx); err != nil {
		return nil, err
	}
	w.result.Document = documentOf(x.id, x.in.Namespace, rec)
	return w.result, nil
}

// isVersion reports whether a version is what is ingested: the same content, read as the same media
// type, under the same permission.
func (x *ingestion) isVersion(v *version) bool {
	if v.Hash != x.sum || v.Consent != x.in.Consent || v.Project != x.in.Project {
		return false
	}
	mediaType, err := document.MediaType(x.in.Content, x.in.Path, x.in.MediaType)
	return err == nil && mediaType == v.MediaType
}

// fieldPath names path as the field at fault.
func fieldPath(err error) error {
	var shown *graph.Error
	if errors.As(err, &shown) {
		named := *shown
		named.Field = "path"
		return &named
	}
	return err
}

// load reads the record of the document and its chunks. An unknown document has an empty record.
func (x *ingestion) load(ctx context.Context) (rec *record, known stored, err error) {
	err = x.t.View(ctx, func(r graph.Reader) error {
		var err error
		if rec, _, err = loadRecord(r, x.id); err != nil {
			return err
		}
		if rec == nil {
			rec = &record{}
			return nil
		}
		if known.current, err = r.Memories(rec.Current.Chunks); err != nil {
			return err
		}
		if rec.Current.Hash == x.sum || len(rec.Former) == 0 {
			return nil
		}
		ids := make([]graph.ID, len(rec.Former))
		for i, f := range rec.Former {
			ids[i] = f.id
		}
		known.former, err = r.Memories(ids)
		return err
	})
	return rec, known, err
}

// readContent reads the content into parts, once.
func (x *ingestion) readContent(ctx context.Context) error {
	if x.read {
		return nil
	}
	x.step(Progress{Phase: PhaseReading})
	d, err := document.Read(ctx, bytes.NewReader(x.in.Content), int64(len(x.in.Content)), x.in.Path, x.in.MediaType, x.svc.limits)
	if err != nil {
		return err
	}
	chunks := document.Chunks(d, document.MaxTokens)
	if len(chunks) > maxChunks {
		return &document.Error{Reason: document.TooLarge, Path: x.in.Path, Detail: fmt.Sprintf("it has %d chunks, more than %d", len(chunks), maxChunks)}
	}
	if len(chunks) == 0 {
		return &document.Error{Reason: document.Empty, Path: x.in.Path, Detail: "it has no text"}
	}
	for _, k := range chunks {
		x.parts = append(x.parts, partOf(k))
	}
	x.document, x.read = d, true
	return nil
}

// partOf converts a chunk. Its text begins with its headings, which say what it is about.
func partOf(k document.Chunk) part {
	p := part{text: k.Full(), hash: hex.EncodeToString(k.Hash[:]), line: k.Line}
	for _, h := range k.Path[:min(len(k.Path), graph.MaxHeadings)] {
		p.headings = append(p.headings, workspace.Truncate(h, graph.MaxName))
	}
	return p
}

// draft analyses and embeds the new chunks of a plan.
func (x *ingestion) draft(ctx context.Context, p plan) ([]*ingest.Draft, error) {
	drafts, total, done := make([]*ingest.Draft, len(p.slots)), p.fresh(), 0
	fresh := make([]int, 0, total)
	for i := range p.slots {
		if p.slots[i].isNew() {
			fresh = append(fresh, i)
		}
	}
	for some := range slices.Chunk(fresh, draftsAtOnce) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x.step(Progress{Phase: PhaseEmbedding, Chunks: len(x.parts), Done: done, Total: total})
		faults := make([]*graph.Error, len(some))
		workspace.ParallelChunks(len(some), 4, func(from, to int) {
			for i := from; i < to; i++ {
				drafts[some[i]], faults[i] = x.draftPart(some[i])
			}
		})
		var batch []*ingest.Draft
		for i, at := range some {
			if faults[i] != nil {
				return nil, faults[i]
			}
			batch = append(batch, drafts[at])
		}
		x.svc.ingest.Embed(ctx, batch)
		done += len(some)
	}
	return drafts, nil
}

// draftPart drafts the chunk at a position.
func (x *ingestion) draftPart(i int) (*ingest.Draft, *graph.Error) {
	k := x.parts[i]
	d, err := x.svc.ingest.DraftChunk(x.c, x.statement(k.text), graph.Chunk{Document: x.id, Path: x.in.Path, Index: i, Hash: k.hash, Headings: k.headings, Line: k.line})
	if err != nil {
		if err.Field == "content" {
			err.Field = "text"
		}
		return nil, err
	}
	d.Memory.ConsentDefaulted = x.defaulted
	return d, nil
}

// step reports a step to the caller and to the listeners.
func (x *ingestion) step(p Progress) {
	p.Document, p.Path, p.Namespace, p.Owner, p.At = x.id, x.in.Path, x.in.Namespace, x.owner(), x.svc.Now()
	if p.Chunks == 0 {
		p.Chunks = len(x.parts)
	}
	if x.in.Progress != nil {
		x.in.Progress(p)
	}
	x.t.progress.send(p)
}

// failed reports the end of an ingest by an error.
func (x *ingestion) failed(err error) {
	shown, _ := Refusal(err)
	x.step(Progress{Phase: PhaseFailed, Error: shown})
}

// Refusal converts the error of an ingest for its answer, and reports whether the content is at
// fault. What is wrong with the content is INVALID_REQUEST or LIMIT_EXCEEDED, with the field text.
func Refusal(err error) (shown *graph.Error, ofContent bool) {
	if bad := (*document.Error)(nil); errors.As(err, &bad) {
		code := graph.CodeInvalidRequest
		if bad.Reason == document.TooLarge {
			code = graph.CodeLimitExceeded
		}
		return graph.FieldError(code, "text", "is %s: %s", bad.Reason, bad.Detail), true
	}
	if errors.As(err, &shown) {
		return shown, false
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return graph.Errorf(graph.CodeUnavailable, "the request ended before the document was stored; repeat it"), false
	}
	return graph.Errorf(graph.CodeInternal, "the document could not be stored"), false
}

// ending lists the chunks that the plan ends.
func (p *plan) ending() []*graph.Memory {
	ending := slices.Clone(p.gone)
	for i := range p.slots {
		if m := p.slots[i].replaces; m != nil {
			ending = append(ending, m)
		}
	}
	return ending
}
