package transfer

import (
	"encoding/json"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// MediaType is that of the lines.
const MediaType = "application/x-ndjson"

// Handler serves GET /export, which streams the tenant, and POST /import, which reads
// one. Whoever may call it is the tenant's administrator; the guard in front of it lets
// only this machine through.
type Handler struct {
	Store  graph.Store
	Scope  graph.Scope
	Now    func() time.Time
	Logger *slog.Logger
}

// Export streams the lines. An error in the middle breaks the connection off, and the
// missing last line tells whoever did not notice.
func (h *Handler) Export(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		refuse(w, http.StatusMethodNotAllowed, "GET only")
		return
	}
	w.Header().Set("Content-Type", MediaType)
	w.Header().Set("Cache-Control", "no-store")
	sum, err := Export(r.Context(), h.Store, h.Scope, w)
	if err != nil {
		h.Logger.Error("an export broke off", "tenant", h.Scope.Tenant, "error", err)
		panic(http.ErrAbortHandler)
	}
	h.Logger.Info("exported", "tenant", h.Scope.Tenant, "memories", sum.Memories)
}

// Import reads lines and answers what there were, as JSON.
func (h *Handler) Import(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		refuse(w, http.StatusMethodNotAllowed, "POST only")
		return
	}
	// A page of somebody else's can't send this type without asking first.
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != MediaType {
		refuse(w, http.StatusUnsupportedMediaType, "must be "+MediaType)
		return
	}
	// A whole memory takes longer than a request may otherwise.
	if err := http.NewResponseController(w).SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		h.Logger.Error("an import can't begin", "error", err)
		refuse(w, http.StatusInternalServerError, "internal error")
		return
	}
	sum, err := Import(r.Context(), h.Store, h.Scope, h.Now(), r.Body)
	if err != nil {
		h.Logger.Error("an import failed", "tenant", h.Scope.Tenant, "memories", sum.Memories, "error", err)
		switch c := graph.CodeOf(err); {
		case errors.Is(err, ErrNotEmpty):
			refuse(w, http.StatusConflict, err.Error())
		case c == graph.CodeUnavailable || c == graph.CodeIntegrityFailure: // what a store says is for the log
			refuse(w, http.StatusServiceUnavailable, "import: the store can't be written now: "+string(c))
		default:
			refuse(w, http.StatusBadRequest, err.Error())
		}
		return
	}
	h.Logger.Info("imported", "tenant", h.Scope.Tenant, "memories", sum.Memories)
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(sum); err != nil {
		h.Logger.Warn("nobody waited for the answer of an import", "error", err)
	}
}

// refuse answers an error as one line.
func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // who asked may be gone
}
