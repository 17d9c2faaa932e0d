// Package rotation replaces the keys of a running server over HTTP, with its progress.
//
// The answer to POST [Path] is lines of JSON, each an [Event]: progress, then the end. If the caller goes
// away the rotation is interrupted, and the next one, or the next start of the server, finishes it.
package rotation

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"sync"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Path is the route.
const Path = "/keys/rotate"

// MediaType is the type of requests, which a foreign web page can't send without a preflight request, and
// of answers.
const MediaType = "application/x-ndjson"

// progressEvery is the time between two events of one tenant.
const progressEvery = 200 * time.Millisecond

// Event is a line of the answer.
type Event struct {
	Tenant string `json:"tenant,omitempty"` // as instance.NameOf writes it
	Done   int    `json:"done,omitempty"`   // rows that are sealed again
	Total  int    `json:"total,omitempty"`  // of about so many
	Ended  bool   `json:"ended,omitempty"`  // the keys are replaced, and Keys is the directory to back up
	Keys   string `json:"keys,omitempty"`
	Error  string `json:"error,omitempty"` // it failed
}

// Handler replaces the keys of a server.
type Handler struct {
	Instance *instance.Instance
	Now      func() time.Time // for the time between events
	Logger   *slog.Logger

	running sync.Mutex // one rotation at a time
}

// Serve replaces the keys, with a row of the audit before and one after. The caller may do it.
func (h *Handler) Serve(c engine.Caller, w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "keys: POST only", http.StatusMethodNotAllowed)
		return
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != MediaType {
		http.Error(w, "keys: the request must have the type "+MediaType, http.StatusUnsupportedMediaType)
		return
	}
	if !h.running.TryLock() {
		http.Error(w, "the keys are being replaced already", http.StatusConflict)
		return
	}
	defer h.running.Unlock()
	ctx, end := h.Instance.Engine.Record(r.Context(), c, "rotateKeys")
	err := ctx.Err() // the row before could not be written
	began := false
	out, flush := json.NewEncoder(w), http.NewResponseController(w)
	send := func(e Event) {
		if !began {
			w.Header().Set("Content-Type", MediaType)
			began = true
		}
		if out.Encode(e) == nil { // a caller that is gone ends the context
			_ = flush.Flush()
		}
	}
	if err == nil {
		var of graph.Tenant
		var said time.Time
		err = h.Instance.RotateKeys(ctx, false, func(t graph.Tenant, done, total int) {
			if now := h.Now(); t != of || now.Sub(said) >= progressEvery {
				of, said = t, now
				send(Event{Tenant: instance.NameOf(t), Done: done, Total: total})
			}
		})
	}
	end(&err)
	switch {
	case err == nil:
		h.Logger.Info("[WRITE] the keys of the sealed content are replaced", "principal", c.Principal())
		send(Event{Ended: true, Keys: h.Instance.Ledger.Dir()})
	case errors.Is(err, instance.ErrNotSealed) || errors.Is(err, instance.ErrRotating):
		http.Error(w, err.Error(), http.StatusConflict)
	default:
		h.Logger.Error("[WRITE] the keys are not replaced, or not all of them; the next rotation or start goes on", "error", err)
		send(Event{Error: err.Error()})
	}
}

// Read reads an answer, and returns the directory of keys to back up.
func Read(body io.Reader, progress func(Event)) (keys string, err error) {
	for lines := bufio.NewScanner(body); lines.Scan(); {
		var e Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return "", fmt.Errorf("read the answer: %w", err)
		}
		switch {
		case e.Ended:
			return e.Keys, nil
		case e.Error != "":
			return "", fmt.Errorf("%s; the same command goes on", e.Error)
		}
		progress(e)
	}
	return "", errors.New("the answer was cut off: the rotation was interrupted; the same command, or the next start of the server, goes on")
}

// Rotate asks a server to replace its keys. post sends a request without a body and returns the answer
// with status 200.
func Rotate(ctx context.Context, post func(ctx context.Context, path, media string) (io.ReadCloser, error), progress func(Event)) (keys string, err error) {
	body, err := post(ctx, Path, MediaType)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	return Read(body, progress)
}
