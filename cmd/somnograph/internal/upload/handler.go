// Package upload receives documents over HTTP.
package upload

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/fetch"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
)

const (
	// MaxFiles is the largest number of files in one request.
	MaxFiles = 1000
	// maxField is the largest form field in bytes.
	maxField = 4 << 10
	// atOnce is the number of files that are in memory at once. There is a place for one more of a tenant that has none.
	atOnce = 4
	// tenantAtOnce is the number of those of one tenant: two tenants leave one for a third one.
	tenantAtOnce = atOnce - 1
	// restTime is how long the rest of a body that nobody reads may take.
	restTime = 30 * time.Second

	lines = "application/x-ndjson"
)

// Ingester stores documents. *engine.Engine implements it.
type Ingester interface {
	Ingest(ctx context.Context, c engine.Caller, in engine.IngestInput) (*engine.IngestResult, error)
}

// Handler serves POST /documents. The body is one document, with its path in the query, or a form
// (multipart/form-data) with any number of files. The names path, namespace, user, agent, private
// (true or false), project, consent and mediaType are form fields before the files, or in the query. With url in the query
// the document is downloaded from there, and the URL is its path if none is given. The response is one JSON
// object with the result of each file; with "Accept: application/x-ndjson" it is a line for each
// step and each result as it happens.
type Handler struct {
	Engine   Ingester
	MaxBytes int64 // of a file
	// Fetch downloads a document; nil: the server takes no URLs.
	Fetch func(ctx context.Context, url string) (fetch.Page, error)
	// Admit says whether the caller may send another file of so many bytes now; nil: always.
	Admit func(ctx context.Context, c engine.Caller, bytes int) error
	// Stands returns an error if the credential of the caller has ended; nil: credentials do not end.
	Stands func(ctx context.Context, c engine.Caller) error
	Logger *slog.Logger

	// Wait is how long a file waits for a place; 0: ten seconds. What the files of a request did not wait is left to its later ones.
	Wait time.Duration
	// Now is the clock; nil: time.Now.
	Now func() time.Time

	begin  sync.Once
	places *places.Places // of files
}

// Result is what became of one file.
type Result struct {
	Path       string    `json:"path"`
	Phase      string    `json:"phase"` // DONE or FAILED; of a step the phase that it is in
	Chunks     int       `json:"chunks,omitempty"`
	Done       int       `json:"done,omitempty"`  // of a step: new chunks that were handled
	Total      int       `json:"total,omitempty"` // of a step: new chunks
	Document   *Document `json:"document,omitempty"`
	Unchanged  bool      `json:"unchanged,omitempty"`
	Written    int       `json:"written"`
	Superseded int       `json:"superseded"`
	Restored   int       `json:"restored,omitempty"`
	Expired    int       `json:"expired,omitempty"`
	Error      *Fault    `json:"error,omitempty"`
}

// Document is a stored document, with the fields of the GraphQL type.
type Document struct {
	ID          string    `json:"id"`
	Path        string    `json:"path"`
	MediaType   string    `json:"mediaType"`
	Status      string    `json:"status"`
	Version     int       `json:"version"`
	ContentHash string    `json:"contentHash"`
	Chunks      int       `json:"chunks"`
	IngestedAt  time.Time `json:"ingestedAt"`
}

// Fault says why a file was refused.
type Fault struct {
	Code    string `json:"code"`
	Field   string `json:"field,omitempty"`
	Message string `json:"message"`
}

// Answer is the response without steps.
type Answer struct {
	Documents []Result `json:"documents"`
	Error     *Fault   `json:"error,omitempty"` // why the files after these were not read
}

// form are the fields that apply to every file of a request.
type form struct{ path, url, namespace, user, agent, private, project, consent, mediaType string }

// field is the field of a name, nil for an unknown one.
func (f *form) field(name string) *string {
	return map[string]*string{
		"path": &f.path, "url": &f.url, "namespace": &f.namespace, "user": &f.user, "agent": &f.agent, "private": &f.private,
		"project": &f.project, "consent": &f.consent, "mediaType": &f.mediaType,
	}[name]
}

// Serve serves a request of a caller that may write.
func (h *Handler) Serve(c engine.Caller, w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, "POST only")
		return
	}
	var f form
	for name, values := range r.URL.Query() {
		to := f.field(name)
		if to == nil {
			refuse(w, http.StatusBadRequest, fmt.Sprintf("documents: %.40q is no parameter; known are path, url, namespace, user, agent, private, project, consent, mediaType", name))
			return
		}
		*to = values[0]
	}
	u := &upload{h: h, c: c, w: w, r: r, stream: strings.Contains(r.Header.Get("Accept"), lines), began: h.now()}
	body := lasting{httpd.Paced(w, r.Body, 0, time.Now), u}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case err == nil && media == "multipart/form-data":
		err = u.form(f, multipart.NewReader(newWhole(body, params["boundary"]), params["boundary"]))
	case f.url != "":
		u.download(f) // a request without a body has no content type
		err = u.broken
	case f.path == "":
		refuse(w, http.StatusBadRequest, "documents: path or url is required, as a parameter of the address")
		return
	default:
		if media != "application/octet-stream" && media != "application/x-www-form-urlencoded" {
			f.mediaType = cmp.Or(f.mediaType, media)
		}
		u.file(f, body)
		err = u.broken
	}
	if err == nil { // a writer without deadlines (the recorder of a test) has no slow client
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(restTime))
	}
	u.end(err)
}

// download ingests the document at a URL.
func (u *upload) download(f form) {
	leave := u.enter()
	if u.broken != nil {
		return
	}
	defer leave()
	f.path = cmp.Or(f.path, f.url)
	x := Result{Path: f.path, Phase: "FAILED"}
	switch page, err := u.page(f.url); {
	case errors.Is(err, errNoURLs):
		x.Error = &Fault{string(graph.CodeForbidden), "url", err.Error()}
	case err != nil:
		x.Error = &Fault{string(graph.CodeInvalidRequest), "url", err.Error()}
	default:
		if u.broken = u.stands(); u.broken != nil {
			return
		}
		f.mediaType = cmp.Or(f.mediaType, page.MediaType)
		x = u.ingest(f, page.Body)
	}
	leave()
	u.results = append(u.results, x)
	u.line(x)
}

// errNoURLs is returned for a URL if the server takes none.
var errNoURLs = errors.New("the server takes no URLs: an operator can switch them on with --ingest-urls")

func (u *upload) page(url string) (fetch.Page, error) {
	if u.h.Fetch == nil {
		return fetch.Page{}, errNoURLs
	}
	return u.h.Fetch(u.r.Context(), url)
}

// upload is one request.
type upload struct {
	h       *Handler
	c       engine.Caller
	w       http.ResponseWriter
	r       *http.Request
	stream  bool
	begun   bool // a line was written
	broken  error
	results []Result

	began   time.Time
	entered int           // files that waited for a place
	waited  time.Duration // by them
	stored  time.Duration // that the server took to store files
	stepped time.Duration // that lines of steps waited for the client
}

// form ingests the files of a form.
func (u *upload) form(f form, parts *multipart.Reader) error {
	sent := map[form]bool{}
	for {
		p, err := parts.NextPart()
		if (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)) && len(u.results) == 0 {
			return errors.New("the form has no file")
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the form can't be read: %w", err)
		}
		if p.FileName() == "" {
			if err := setField(&f, p); err != nil {
				return err
			}
			continue
		}
		if len(u.results) == MaxFiles {
			return fmt.Errorf("more than %d files", MaxFiles)
		}
		one := f
		if one.path == "" {
			one.path = nameOf(p)
		} else {
			f.path = "" // it names one file
		}
		// Browsers guess the type by the ending, and not always well (.ts is a video to them).
		if media, _, err := mime.ParseMediaType(p.Header.Get("Content-Type")); err == nil && media != "application/octet-stream" && path.Ext(one.path) == "" {
			one.mediaType = cmp.Or(one.mediaType, media)
		}
		// The name is all that files of two folders have: the second one would replace the first.
		if name := (form{path: one.path, namespace: one.namespace, user: one.user, agent: one.agent, private: one.private}); !sent[name] {
			sent[name] = true
		} else {
			u.refused(one.path, Fault{string(graph.CodeInvalidRequest), "path", "path: is that of an earlier file of this request; give each file its own path"})
			continue
		}
		if u.file(one, p); u.broken != nil {
			return u.broken
		}
	}
}

// nameOf is the name of a file with its folders, which multipart.Part.FileName removes.
func nameOf(p *multipart.Part) string {
	_, params, err := mime.ParseMediaType(p.Header.Get("Content-Disposition"))
	if err != nil {
		return p.FileName()
	}
	return params["filename"]
}

// setField reads a field of a form.
func setField(f *form, p *multipart.Part) error {
	to := f.field(p.FormName())
	if to == nil {
		return fmt.Errorf("%.40q is no field; known are path, namespace, user, agent, private, project, consent, mediaType", p.FormName())
	}
	text, err := io.ReadAll(io.LimitReader(p, maxField+1))
	if err != nil {
		return fmt.Errorf("the field %s can't be read: %w", p.FormName(), err)
	}
	if len(text) > maxField {
		return fmt.Errorf("the field %s has more than %d bytes", p.FormName(), maxField)
	}
	*to = string(text)
	return nil
}

// pause does what takes its time while nobody reads the body, without a deadline: over HTTP/2 that would end the body.
func (u *upload) pause(do func()) {
	c := http.NewResponseController(u.w)
	_ = c.SetReadDeadline(time.Time{}) // a writer without deadlines (the recorder of a test) has no slow client
	do()
	_ = c.SetReadDeadline(time.Now().Add(restTime))
}

// file ingests one file. A file that is refused does not end the request.
func (u *upload) file(f form, body io.Reader) {
	leave := u.enter()
	if u.broken != nil {
		return
	}
	defer leave()
	x := Result{Path: f.path, Phase: "FAILED"}
	content, err := io.ReadAll(io.LimitReader(body, u.h.MaxBytes+1))
	switch {
	case err != nil:
		u.broken = fmt.Errorf("the file can't be read: %w", err)
		return
	case int64(len(content)) > u.h.MaxBytes:
		leave() // the rest is not kept
		if _, err := io.Copy(io.Discard, body); err != nil {
			u.broken = fmt.Errorf("the file can't be read: %w", err)
			return
		}
		x.Error = &Fault{string(graph.CodeLimitExceeded), "text", fmt.Sprintf("the file has more than %d bytes", u.h.MaxBytes)}
	default:
		if u.broken = u.stands(); u.broken != nil {
			return
		}
		u.pause(func() { u.took(&u.stored, func() { x = u.ingest(f, content) }) })
	}
	leave()
	u.results = append(u.results, x)
	u.line(x)
}

// stands returns the error of a credential that has ended while a file was sent.
func (u *upload) stands() error {
	if u.h.Stands == nil {
		return nil
	}
	return u.h.Stands(u.r.Context(), u.c)
}

// refused adds a file that is not read.
func (u *upload) refused(path string, why Fault) {
	x := Result{Path: path, Phase: "FAILED", Error: &why}
	u.results = append(u.results, x)
	u.line(x)
}

// ingest stores one document.
func (u *upload) ingest(f form, content []byte) Result {
	x := Result{Path: f.path, Phase: "FAILED"}
	if u.h.Admit != nil {
		if err := u.h.Admit(u.r.Context(), u.c, len(content)); err != nil {
			x.Error = faultOf(err)
			return x
		}
	}
	if f.consent != "" && !graph.Consent(f.consent).Valid() {
		x.Error = &Fault{string(graph.CodeInvalidRequest), "consent", "must be EXPLICIT, IMPLICIT or NONE"}
		return x
	}
	if f.private != "" && f.private != "true" && f.private != "false" {
		x.Error = &Fault{string(graph.CodeInvalidRequest), "private", "must be true or false"}
		return x
	}
	in := engine.IngestInput{
		Content: content, Path: f.path, MediaType: f.mediaType, Consent: graph.Consent(f.consent), Namespace: f.namespace, User: f.user, Agent: f.agent,
		Private: f.private == "true", Project: f.project,
	}
	if u.stream {
		in.Progress = func(s engine.IngestStep) {
			if s.Result == nil && s.Error == nil {
				u.step(Result{Path: f.path, Phase: string(s.Phase), Chunks: s.Chunks, Done: s.Done, Total: s.Total})
			}
		}
	}
	r, err := u.h.Engine.Ingest(u.r.Context(), u.c, in)
	if err != nil {
		x.Error = faultOf(err)
		return x
	}
	d := r.Document
	return Result{
		Path: f.path, Phase: "DONE", Chunks: d.Chunks, Unchanged: r.Unchanged, Written: r.Written, Superseded: r.Superseded, Restored: r.Restored, Expired: r.Expired,
		Document: &Document{string(d.ID), d.Path, d.MediaType, string(d.Status), d.Version, d.ContentHash, d.Chunks, d.IngestedAt},
	}
}

func faultOf(err error) *Fault {
	shown, _ := engine.IngestRefusal(err)
	return &Fault{string(shown.Code), shown.Field, shown.Sentence()}
}

// line writes a line, if the caller asked for lines.
func (u *upload) line(x any) {
	if !u.stream {
		return
	}
	if !u.begun {
		u.begun = true
		u.w.Header().Set("Content-Type", lines)
		u.w.Header().Set("Cache-Control", "no-store")
		// The rest of the body is read while the answer is written. What is never read of it must not be taken for the next request.
		if u.r.ProtoMajor == 1 {
			u.w.Header().Set("Connection", "close")
		}
		_ = http.NewResponseController(u.w).EnableFullDuplex()
	}
	if err := json.NewEncoder(u.w).Encode(x); err == nil {
		_ = http.NewResponseController(u.w).Flush()
	}
}

// end answers. err is why the rest of the request could not be read.
func (u *upload) end(err error) {
	failed := 0
	for _, x := range u.results {
		if x.Error != nil {
			failed++
		}
	}
	u.h.Logger.Info("documents ingested", "tenant", u.c.Tenant, "files", len(u.results), "refused", failed)
	switch {
	case err != nil:
		u.fail(err)
	case u.stream:
		u.line(map[string]int{"files": len(u.results), "refused": failed})
	default:
		u.answer(http.StatusOK, nil)
	}
}

// fail answers that the rest of the request could not be read. What became of the files before is in the answer: they are stored.
func (u *upload) fail(err error) {
	status, why := http.StatusBadRequest, &Fault{string(graph.CodeInvalidRequest), "", err.Error()}
	ended := auth.Ended(u.r, err)
	switch {
	case ended != nil:
		httpd.Abandon(u.w)
		status, why = http.StatusUnauthorized, faultOf(ended)
	case errors.Is(err, os.ErrDeadlineExceeded):
		status, why.Message = http.StatusRequestTimeout, "the body arrived too slowly"
	case errors.Is(err, errLong):
		status, why.Message = http.StatusRequestTimeout, errLong.Error()
	case errors.Is(err, errFull):
		u.w.Header().Set("Retry-After", "3")
		status, why.Code = http.StatusServiceUnavailable, string(graph.CodeUnavailable)
	}
	switch {
	case u.begun:
		u.line(Result{Phase: "FAILED", Error: why})
	case len(u.results) > 0:
		if ended != nil {
			u.w.Header().Set("WWW-Authenticate", auth.Challenge)
		}
		u.answer(status, why)
	case !auth.RefuseEnded(u.w, u.r, err):
		refuse(u.w, status, "documents: "+why.Message)
	}
}

// answer answers without steps. The error of the encoder is that the client has gone.
func (u *upload) answer(status int, why *Fault) {
	u.w.Header().Set("Content-Type", "application/json")
	u.w.Header().Set("Cache-Control", "no-store")
	u.w.WriteHeader(status)
	if u.results == nil {
		u.results = []Result{}
	}
	_ = json.NewEncoder(u.w).Encode(Answer{u.results, why})
}

func refuse(w http.ResponseWriter, status int, text string) { http.Error(w, text, status) }
