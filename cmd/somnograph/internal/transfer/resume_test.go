package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

var errCut = errors.New("cut off")

// cutStore ends after a number of writes, as a killed server does: each of them is done or not.
type cutStore struct {
	graph.Store
	left int
}

func (s *cutStore) Update(ctx context.Context, scope graph.Scope, write func(graph.Tx) error) (graph.Cursor, error) {
	if s.left--; s.left < 0 {
		return 0, errCut
	}
	return s.Store.Update(ctx, scope, write)
}

func (s *cutStore) CountUses(ctx context.Context, scope graph.Scope, ids []graph.ID, use graph.Use) error {
	if s.left--; s.left < 0 {
		return errCut
	}
	return s.Store.CountUses(ctx, scope, ids, use)
}

// largeWorld is world with memories for several batches, each with uses.
func largeWorld(t *testing.T, store graph.Store) {
	t.Helper()
	world(t, store)
	var ids []graph.ID
	_, err := store.Update(t.Context(), scope, func(tx graph.Tx) error {
		ids = nil
		for i := range 100 {
			at := start.Add(time.Duration(i) * time.Minute)
			m := &graph.Memory{
				ID: id(t, time.Duration(i)*time.Minute), Namespace: "main", Type: graph.Episodic, Content: fmt.Sprintf("note %d", i), EmbeddingModel: "test",
				DecayClass: graph.DecayMedium, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
				Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at,
				History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
			}
			m.Chain = m.ID
			if ids = append(ids, m.ID); tx.PutMemory(m, graph.EventCreated) != nil {
				return errors.New("an invalid memory")
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Duration{20 * time.Hour, 20 * time.Hour, 60 * time.Hour} {
		if err := store.CountUses(t.Context(), scope, ids, graph.Use{At: start.Add(at)}); err != nil {
			t.Fatal(err)
		}
	}
}

// An import that was cut off after any write goes on when the same export is imported again, and
// the result exports the same bytes. Nothing of it is lost or doubled. Any other import is refused.
func TestImportGoesOnAfterACut(t *testing.T) {
	from := storetest.NewModel()
	largeWorld(t, from)
	lines := exported(t, from)
	other := storetest.NewModel()
	world(t, other)
	cuts := 0
	for writes := 0; ; writes++ {
		into := storetest.NewModel()
		_, err := transfer.Import(t.Context(), &cutStore{into, writes}, scope, now, nil, strings.NewReader(lines))
		if err == nil {
			break
		}
		if cuts++; !errors.Is(err, errCut) {
			t.Fatalf("after %d writes: %v", writes, err)
		}
		if writes > 0 {
			if _, err := transfer.Import(t.Context(), into, scope, now, nil, strings.NewReader(exported(t, other))); !errors.Is(err, transfer.ErrHalf) {
				t.Errorf("another export after %d writes: %v", writes, err)
			}
		}
		sum, err := transfer.Import(t.Context(), into, scope, now, nil, strings.NewReader(lines))
		if err != nil {
			t.Fatalf("again after %d writes: %v", writes, err)
		}
		if got := exported(t, into); got != lines {
			t.Fatalf("after %d writes the import is not the export; %s", writes, sum)
		}
		if _, err := transfer.Import(t.Context(), into, scope, now, nil, strings.NewReader(lines)); !errors.Is(err, transfer.ErrNotEmpty) {
			t.Errorf("after the whole import: %v", err)
		}
	}
	if cuts < 12 {
		t.Errorf("only %d cuts", cuts)
	}
}

// The server takes up an import that was cut off, and refuses another one before it reads it all.
func TestServerTakesUpAnImport(t *testing.T) {
	from := storetest.NewModel()
	largeWorld(t, from)
	lines := exported(t, from)
	into := storetest.NewModel()
	if _, err := transfer.Import(t.Context(), &cutStore{into, 5}, scope, now, nil, strings.NewReader(lines)); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	other := storetest.NewModel()
	world(t, other)
	for _, x := range []struct {
		lines string
		code  int
		says  string
	}{{exported(t, other), http.StatusConflict, "import that one again"}, {lines, http.StatusOK, `"memories":103`}, {lines, http.StatusConflict, "not empty"}} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/import", strings.NewReader(x.lines))
		r.Header.Set("Content-Type", transfer.MediaType)
		importer(into, nil).ServeHTTP(w, r)
		if w.Code != x.code || !strings.Contains(w.Body.String(), x.says) {
			t.Errorf("%d %q, want %d %s", w.Code, w.Body, x.code, x.says)
		}
	}
}
