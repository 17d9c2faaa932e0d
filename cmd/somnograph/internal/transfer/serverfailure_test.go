package transfer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// failingStore fails once it was read as often as it can be, or at each write.
type failingStore struct {
	graph.Store
	reads  int
	failed error // of reads, after that many
	writes error // nil: they succeed
}

func (s *failingStore) View(ctx context.Context, scope graph.Scope, read func(graph.Reader) error) error {
	if s.reads--; s.reads < 0 && s.failed != nil {
		return s.failed
	}
	return s.Store.View(ctx, scope, read)
}

func (s *failingStore) Update(ctx context.Context, scope graph.Scope, write func(graph.Tx) error) (graph.Cursor, error) {
	if s.writes != nil {
		return 0, s.writes
	}
	return s.Store.Update(ctx, scope, write)
}

// An import that fails in the server, at whatever step, is answered with a status of the server and its code, is an error in the log, and tells nothing more.
func TestAnImportThatFailsInTheServerIsNoFaultOfTheClient(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	lines := exported(t, full)
	disk := fmt.Errorf("/data/store: %w", errors.New("input/output error"))
	for name, x := range map[string]struct {
		store   failingStore
		change  func(*transfer.Handler)
		status  int
		code    graph.Code
		refused bool
	}{
		"the first look at the store":    {store: failingStore{failed: disk}, status: http.StatusInternalServerError, code: graph.CodeInternal},
		"a look while the file is read":  {store: failingStore{reads: 1, failed: disk}, status: http.StatusInternalServerError, code: graph.CodeInternal},
		"a look before the first write":  {store: failingStore{reads: 2, failed: os.ErrDeadlineExceeded}, status: http.StatusInternalServerError, code: graph.CodeInternal},
		"a write":                        {store: failingStore{writes: disk}, status: http.StatusInternalServerError, code: graph.CodeInternal},
		"a write to a store that is off": {store: failingStore{writes: fmt.Errorf("%w: %w", graph.ErrUnavailable, os.ErrDeadlineExceeded)}, status: http.StatusServiceUnavailable, code: graph.CodeUnavailable},
		"the file":                       {change: func(h *transfer.Handler) { h.Dir = filepath.Join(t.TempDir(), "none") }, status: http.StatusServiceUnavailable, code: graph.CodeUnavailable},
		"the quota": {
			change: func(h *transfer.Handler) { h.Admit = func(context.Context, int64, int64) error { return disk } },
			status: http.StatusInternalServerError, code: graph.CodeInternal,
		},
		"the work after it": {
			change: func(h *transfer.Handler) {
				h.Reload = func(context.Context) error { return graph.Errorf(graph.CodeMemoryNotFound, "no input/output error") }
			},
			status: http.StatusInternalServerError, code: graph.CodeMemoryNotFound,
		},
		"a quota that is used up": {
			change: func(h *transfer.Handler) {
				h.Admit = func(context.Context, int64, int64) error { return graph.Errorf(graph.CodeLimitExceeded, "too many") }
			},
			status: http.StatusBadRequest, code: graph.CodeLimitExceeded, refused: true,
		},
	} {
		var log bytes.Buffer
		x.store.Store = storetest.NewModel()
		h := &transfer.Handler{
			Store: &x.store, Scope: scope, Head: func(context.Context) (graph.Cursor, error) { return 0, nil },
			Now: func() time.Time { return now }, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		}
		if x.change != nil {
			x.change(h)
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/import", strings.NewReader(lines))
		r.Header.Set("Content-Type", transfer.MediaType)
		if err := h.Import(1, w, r); err == nil || w.Code != x.status || !strings.Contains(w.Body.String(), string(x.code)) || strings.Contains(w.Body.String(), "input/output") {
			t.Errorf("%s: %v, answer %d %s", name, err, w.Code, w.Body)
		}
		if failed := strings.Contains(log.String(), "level=ERROR"); failed == x.refused {
			t.Errorf("%s: the log has %q", name, log.String())
		}
	}
}

// leaving is a client that goes away after the first bytes.
type leaving struct {
	*httptest.ResponseRecorder
	leave func()
}

func (l leaving) Write([]byte) (int, error) { l.leave(); return 0, io.ErrClosedPipe }

// An export whose client goes away is no error in the log, and one that fails in the server is.
func TestAClientThatLeavesAnExportIsNoError(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	for name, x := range map[string]struct {
		failed, canceled bool
		want             string
	}{"leaves": {want: "level=INFO"}, "leaves before the first byte": {canceled: true, want: "level=INFO"}, "stays": {failed: true, want: "level=ERROR"}} {
		var log bytes.Buffer
		store := &failingStore{Store: full}
		ctx, cancel := context.WithCancel(t.Context())
		if x.failed {
			store.failed = errors.New("damaged")
		}
		if x.canceled {
			cancel()
			store.failed = context.Canceled
		}
		h := &transfer.Handler{Store: store, Scope: scope, Now: func() time.Time { return now }, Logger: slog.New(slog.NewTextHandler(&log, nil))}
		err := h.Export(leaving{httptest.NewRecorder(), cancel}, httptest.NewRequestWithContext(ctx, http.MethodGet, "/export", nil))
		if !errors.Is(err, http.ErrAbortHandler) || strings.Count(log.String(), "\n") != 1 || !strings.Contains(log.String(), x.want) {
			t.Errorf("a client that %s: %v, the log has %q", name, err, log.String())
		}
		cancel()
	}
}
