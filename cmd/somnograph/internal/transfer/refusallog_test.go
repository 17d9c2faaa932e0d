package transfer_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// Refused imports fill no log: there is one line a minute, and nothing of the file is in it. A store that fails is an error.
func TestRefusedImportsFillNoLog(t *testing.T) {
	var log bytes.Buffer
	at := time.Now()
	var broken error
	h := &transfer.Handler{
		Store: storetest.NewModel(), Scope: scope, Head: func(context.Context) (graph.Cursor, error) { return 0, nil },
		Now: func() time.Time { return now }, Clock: func() time.Time { return at }, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Reload: func(context.Context) error { return broken },
	}
	full := storetest.NewModel()
	world(t, full)
	lines := exported(t, full)
	send := func(body string) (logged string) {
		t.Helper()
		log.Reset()
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/import", strings.NewReader(body))
		r.Header.Set("Content-Type", transfer.MediaType)
		if h.Import(1, httptest.NewRecorder(), r) == nil {
			t.Fatal("it is not refused")
		}
		return log.String()
	}
	header, _, _ := strings.Cut(lines, "\n")
	for i, want := range []string{"before=0", "", "", "before=2"} {
		if i == 3 {
			at = at.Add(time.Minute)
		}
		said := send(header + "\n{\"walnut\":1}\n")
		if said != "" && !strings.Contains(said, "code=INVALID_REQUEST") || (said == "") != (want == "") || !strings.Contains(said, want) || strings.Contains(said, "walnut") || strings.Contains(said, "ERROR") || strings.Count(said, "\n") > 1 {
			t.Errorf("import %d: the log has %q, want %q", i, said, want)
		}
	}
	h.Store, at = full, at.Add(time.Minute)
	if said := send(lines); !strings.Contains(said, "code=INVALID_REQUEST") || strings.Contains(said, "ERROR") {
		t.Errorf("a store that is not empty: the log has %q", said)
	}
	for _, broken = range []error{graph.ErrUnavailable, errors.New("the index is damaged")} {
		h.Store = storetest.NewModel()
		if said := send(lines); strings.Count(said, "level=ERROR") != 1 || !strings.Contains(said, broken.Error()) {
			t.Errorf("a store that fails with %v: the log has %q", broken, said)
		}
	}
}
