package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/graph"
)

// MediaType is the media type of the lines.
const MediaType = "application/x-ndjson"

// Handler serves GET /export, which streams the tenant, and POST /import, which reads one.
// Every caller is the tenant's administrator; httpd.Guard admits only this machine.
type Handler struct {
	Store graph.Store
	Scope graph.Scope
	// Head returns the head of the feed when everything up to it is searchable.
	Head func(context.Context) (graph.Cursor, error)
	Now  func() time.Time
	// Dir is where the body of an import is kept until it is checked, best on the disk of the
	// store; empty: the system's directory of temporary files.
	Dir string
	// Model is the embedding model of the server; vectors of another one are refused. Empty: any.
	Model string
	// Clock is the time of deadlines; nil: time.Now.
	Clock  func() time.Time
	Logger *slog.Logger
	// Erasures is the record of erasures outside the store; nil: none.
	Erasures Erasures
	// Replay erases again what an import brought back. It is called if Erasures is set, with the number of
	// erased memories that came without content.
	Replay func(ctx context.Context, erased int) error
	// Reload reads again what was written beside the memories. It is called after an import.
	Reload func(context.Context) error

	// Admit returns an error if the tenant may not have that many memories with that many bytes of
	// content. It is called before anything is written; nil: there are no quotas.
	Admit func(ctx context.Context, memories, bytes int64) error

	importing atomic.Bool // one import at a time
	refusals  struct {    // of imports, in the log
		sync.Mutex
		last   time.Time
		silent int // since then, without a line
	}
}

// Erasures is the record of erasures outside the store. *ledger.Ledger implements it.
type Erasures interface {
	// Store is the identity of the store.
	Store() string
	// ErasedFrom tests the memories of an export of a store, or of an unknown one.
	ErasedFrom(origin string) (func(graph.ID) bool, error)
	// ErasedOwnersFrom tests the owners of an export of a tenant of a store; nil: none was erased, or the store is unknown.
	ErasedOwnersFrom(origin string, tenant graph.Tenant) (func(owner, namespace string, at time.Time) bool, error)
	// OwnersState identifies the erased owners of a tenant, and names the setting in which a store has the state that it has taken over.
	OwnersState(scope graph.Scope) (setting, state string)
	// Append records erased memories durably.
	Append(scope graph.Scope, receipt graph.ID, at time.Time, ids []graph.ID) error
}

// Export streams the lines. If it returns http.ErrAbortHandler, because it ended before its last line, the caller must cut the connection off, so that the client sees that lines are missing.
func (h *Handler) Export(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodGet {
		refuse(w, http.StatusMethodNotAllowed, "GET only")
		return graph.Errorf(graph.CodeInvalidRequest, "export: GET only")
	}
	w.Header().Set("Content-Type", MediaType)
	w.Header().Set("Cache-Control", "no-store")
	origin := ""
	if h.Erasures != nil {
		origin = h.Erasures.Store()
	}
	out := &client{Writer: w}
	sum, err := Export(r.Context(), h.Store, h.Scope, origin, out)
	if err != nil {
		if out.gone || r.Context().Err() != nil {
			h.Logger.Info("an export was ended before its last line", "tenant", h.Scope.Tenant, "error", err)
		} else {
			h.Logger.Error("export failed", "tenant", h.Scope.Tenant, "error", err)
		}
		return errors.Join(http.ErrAbortHandler, err)
	}
	h.Logger.Info("exported", "tenant", h.Scope.Tenant, "memories", sum.Memories)
	return nil
}

// client takes an answer.
type client struct {
	io.Writer
	gone bool // it takes nothing more
}

func (c *client) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.gone = c.gone || err != nil
	return n, err
}

// Imported is the response to an import.
type Imported struct {
	Summary
	Lowered int `json:"lowered,omitempty"` // memories whose authority was more than the caller may give
	Erased  int `json:"erased,omitempty"`  // memories that were erased since the export; their content was left out
}

// Import reads lines and responds with an Imported as JSON when they are searchable. grant is the
// highest authority that the caller may write with, [0,1]: memories with more get this one, because
// anybody can edit an export. The error that it returns was sent already.
func (h *Handler) Import(grant float64, w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		abandon(w, r)
		refuse(w, http.StatusMethodNotAllowed, "POST only")
		return graph.Errorf(graph.CodeInvalidRequest, "import: POST only")
	}
	// A foreign web page can't send this type without a preflight request.
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != MediaType {
		abandon(w, r)
		refuse(w, http.StatusUnsupportedMediaType, "must be "+MediaType)
		return graph.Errorf(graph.CodeInvalidRequest, "import: must be %s", MediaType)
	}
	if !h.importing.CompareAndSwap(false, true) {
		abandon(w, r)
		w.Header().Set("Retry-After", "10")
		refuse(w, http.StatusServiceUnavailable, "import: another import is running")
		return graph.Errorf(graph.CodeUnavailable, "import: another import is running")
	}
	defer h.importing.Store(false)
	// The store is looked at before any byte is read.
	var sum Imported
	body := newIdleBody(w, r.Body, h.Clock)
	_, err := importProgress(r.Context(), h.Store, h.Scope)
	if err == nil {
		sum, err = h.importBody(r.Context(), grant, body)
	}
	accepted := err == nil // what fails now is not of the client
	if accepted {
		body.renew() // for the rest of the body, which nobody reads
	} else if !body.ended {
		abandon(w, r)
	}
	if err == nil && h.Erasures != nil {
		err = h.Replay(r.Context(), sum.Erased)
	}
	if err == nil && h.Reload != nil {
		err = h.Reload(r.Context())
	}
	if err == nil {
		_, err = h.Head(r.Context())
	}
	if err != nil {
		ofStore, c := accepted || errors.As(err, new(serverError)), graph.CodeOf(err)
		switch {
		case auth.RefuseEnded(w, r, err):
		case c == graph.CodeUnavailable || c == graph.CodeIntegrityFailure: // the details are in the log
			ofStore = true
			refuse(w, http.StatusServiceUnavailable, "import: the store can't be written now: "+string(c))
		case ofStore:
			refuse(w, http.StatusInternalServerError, "import: it failed in the server, whose log says why: "+string(c))
		case errors.Is(err, os.ErrDeadlineExceeded):
			refuse(w, http.StatusRequestTimeout, fmt.Sprintf("import: no data arrived for %s", idleTime))
		case errors.Is(err, ErrNotEmpty), errors.Is(err, ErrHalf):
			refuse(w, http.StatusConflict, err.Error())
		default:
			refuse(w, http.StatusBadRequest, err.Error())
		}
		if ofStore && r.Context().Err() == nil {
			h.Logger.Error("import failed", "tenant", h.Scope.Tenant, "memories", sum.Memories, "error", err)
			return err
		}
		if c == graph.CodeInternal && !ofStore { // errors of the caller and of the file have no code
			err = &graph.Error{Code: graph.CodeInvalidRequest, Message: err.Error(), Cause: err}
		}
		h.logRefusal(err)
		return err
	}
	h.Logger.Info("imported", "tenant", h.Scope.Tenant, "memories", sum.Memories, "lowered", sum.Lowered, "erased", sum.Erased)
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(sum); err != nil {
		h.Logger.Warn("the response to an import could not be sent", "error", err)
	}
	return nil
}

// refusalEvery is the shortest time between two lines in the log about refused imports.
const refusalEvery = time.Minute

// logRefusal logs that an import was refused. A client can repeat that, so that there is a line a minute, without the reason, which may quote
// the file and which the client gets.
func (h *Handler) logRefusal(err error) {
	now := time.Now
	if h.Clock != nil {
		now = h.Clock
	}
	h.refusals.Lock()
	defer h.refusals.Unlock()
	if at := now(); h.refusals.last.IsZero() || at.Sub(h.refusals.last) >= refusalEvery {
		h.Logger.Info("an import is refused", "tenant", h.Scope.Tenant, "code", graph.CodeOf(err), "before", h.refusals.silent)
		h.refusals.last, h.refusals.silent = at, 0
		return
	}
	h.refusals.silent++
}

// importBody checks a body while it copies it to a temporary file, and then imports the file.
func (h *Handler) importBody(ctx context.Context, grant float64, body io.Reader) (sum Imported, err error) {
	copied, err := os.CreateTemp(h.Dir, "import-")
	if err != nil {
		return sum, fmt.Errorf("%w: a file for the import: %w", graph.ErrUnavailable, err)
	}
	defer func() {
		_ = copied.Close()
		_ = os.Remove(copied.Name()) // most systems allowed it while the file was open
	}()
	_ = os.Remove(copied.Name()) // no rest stays after a crash
	m := &importer{ctx: ctx, store: h.Store, scope: h.Scope, now: h.Now(), erasures: h.Erasures, model: h.Model, admit: h.Admit, grant: grant}
	sum.Summary, err = m.checked(io.TeeReader(body, &spool{ctx: ctx, file: copied, ready: h.Store.Ready}), func() (io.Reader, error) {
		_, err := copied.Seek(0, io.SeekStart)
		return copied, err
	})
	sum.Lowered, sum.Erased = m.lowered, m.withheld
	return sum, err
}

// spool writes a file as long as the store has room, which is on the same disk.
type spool struct {
	ctx     context.Context
	file    io.Writer
	ready   func(context.Context) error
	written int
}

// spoolCheck is how many bytes are written between two looks at the store.
const spoolCheck = 4 << 20

func (s *spool) Write(p []byte) (int, error) {
	if s.written/spoolCheck != (s.written+len(p))/spoolCheck {
		if err := s.ready(s.ctx); err != nil {
			return 0, err
		}
	}
	n, err := s.file.Write(p)
	if s.written += n; err != nil {
		err = fmt.Errorf("%w: the file of the import: %w", graph.ErrUnavailable, err)
	}
	return n, err
}

// refuse responds with an error of one line.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // the client may be gone
}
