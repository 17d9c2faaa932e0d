package transfer_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/storetest"
)

var (
	start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	now   = start.AddDate(0, 1, 0)
	scope = graph.Scope{Tenant: "default"}
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func id(t testing.TB, after time.Duration) graph.ID {
	return must[graph.ID](t)(graph.NewID(start.Add(after), rand.Reader))
}

// world fills a store with one of everything that is exported.
func world(t testing.TB, store graph.Store) {
	t.Helper()
	memory := func(after time.Duration, change func(*graph.Memory)) *graph.Memory {
		at := start.Add(after)
		m := &graph.Memory{
			ID: id(t, after), Namespace: "main", ExternalID: "app/" + after.String(), Type: graph.Episodic, Content: "said with <tags> & \u2028 \x00 日本", EmbeddingModel: "test",
			Salience: 1.0 / 3, DecayClass: graph.DecayMedium, Sensitivity: graph.Internal, Consent: graph.ConsentExplicit, SourceKind: graph.FromUser,
			Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at.AddDate(-100, 0, 0), ValidFrom: at,
			History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
		}
		m.Chain = m.ID
		change(m)
		return m
	}
	e := &graph.Entity{ID: id(t, 0), Namespace: "main", User: "ada", Name: "Ada", Canonical: "ada", Type: graph.Person, Properties: json.RawMessage(`{ "a" : "<" }`), FirstSeen: start}
	old := memory(time.Second, func(m *graph.Memory) {
		m.Entities, m.Tags, m.Meta, m.Position = []graph.ID{e.ID}, []string{"b", "a"}, json.RawMessage("{ \"x\": [1,\n 2.50] }"), &[3]float32{1.0 / 3, -2, 0}
		m.ToolCalls = []graph.ToolCall{{Name: "read_file", Arguments: "{ \"path\": \"<a>\" }", Result: "none"}}
	})
	next := memory(2*time.Second, func(m *graph.Memory) { m.Chain, m.Version, m.Supersedes, m.Reason = old.ID, 2, old.ID, "moved" })
	old.SupersededBy = next.ID
	old.UpdatedAt = old.SetState(next.RecordedAt, func(s *graph.State) { s.Status, s.ValidTo = graph.Superseded, next.ValidFrom })
	gone := memory(3*time.Second, func(m *graph.Memory) {
		m.EmbeddingModel = ""
		m.SetState(start.Add(time.Minute), func(s *graph.State) { s.Tier, s.Core = graph.L2, true })
	})
	rel := &graph.Relation{ID: id(t, 4*time.Second), Namespace: "main", Source: e.ID, Target: e.ID, Predicate: "is", Strength: 2.5, StrengthAt: start, Confidence: 0.7, ValidFrom: start, EventTime: start, RecordedAt: start, Memories: []graph.ID{next.ID}}
	lost := &graph.Relation{ID: id(t, 5*time.Second), Namespace: "main", Source: id(t, 0), Target: e.ID, Predicate: "was", RecordedAt: start, Memories: []graph.ID{next.ID}}
	sleep := id(t, 2*time.Hour)
	report := fmt.Sprintf(`{"report": {"ID":%q,"Kind":"DEEP","Trigger":"HAND","StartedAt":"2026-03-01T09:00:00Z","Degraded":null}, "at":"2026-03-01T09:00:00Z", "a": "<b>"}`, sleep)
	_, err := store.Update(t.Context(), scope, func(tx graph.Tx) error {
		return errors.Join(
			tx.PutEntity(e), tx.PutMemory(old, graph.EventCreated), tx.PutMemory(next, graph.EventCreated), tx.PutMemory(gone, graph.EventCreated),
			tx.PutEmbedding(next.ID, []float32{0.1, -1e-40, 3}), tx.PutRelation(rel), tx.PutRelation(lost),
			tx.PutEdge(graph.Edge{From: next.ID, Kind: graph.DerivedFrom, To: old.ID, Weight: 0.1, At: start}),
			tx.PutEdge(graph.Edge{From: old.ID, Kind: graph.ConsolidatedInto, To: next.ID, At: start}),
			tx.PutNote(graph.Note{Kind: graph.NoteDecision, ID: id(t, time.Hour), Namespace: "main", Memories: []graph.ID{gone.ID, old.ID}, At: start, Data: json.RawMessage(`{}`)}),
			tx.PutNote(graph.Note{Kind: graph.NoteSleep, ID: sleep, At: start, Data: json.RawMessage(report)}),
			tx.PutSetting(transfer.PolicySetting("main"), somePolicy(t)))
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []time.Duration{0, 0, time.Hour, 50 * time.Hour, 49 * time.Hour, 90 * time.Hour} {
		use := graph.Use{At: start.Add(at)}
		if i > 2 {
			use.Sessions = graph.Sessions{uint64(i) << 60, uint64(i+7) << 60}
		}
		if err := store.CountUses(t.Context(), scope, []graph.ID{next.ID, old.ID, gone.ID}, use); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Update(t.Context(), scope, func(tx graph.Tx) error { return tx.Erase(gone.ID, start.Add(24*time.Hour)) }); err != nil {
		t.Fatal(err)
	}
}

// somePolicy is a stored policy.
func somePolicy(t testing.TB) []byte { return must[[]byte](t)(policy.Encode(policy.Default())) }

func exported(t testing.TB, store graph.Store) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := transfer.Export(t.Context(), store, scope, "", &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// body is an export without its first line, whose instant may be that of something that is not
// exported.
func body(export string) string { return export[strings.IndexByte(export, '\n')+1:] }

func TestImportedMemoryExportsTheSameBytes(t *testing.T) {
	from := must[*badgerstore.Store](t)(badgerstore.Open("", badgerstore.Options{InMemory: true}))
	defer func() { _ = from.Close() }()
	world(t, from)
	lines := exported(t, from)
	var to graph.Store = storetest.NewModel()
	sum, err := transfer.Import(t.Context(), to, scope, now, nil, strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	want := transfer.Summary{Memories: 3, Edges: 2, Entities: 1, Relations: 2, Notes: 2, Settings: 1}
	if sum != want {
		t.Errorf("imported %s, want %s", sum, want)
	}
	if again := exported(t, to); body(again) != body(lines) {
		t.Errorf("behind the move:\n%s\nwant\n%s", again, lines)
	}
	// Check agrees with Export.
	mine, theirs := must[string](t)(enginetest.Digest(t.Context(), from, scope)), must[string](t)(enginetest.Digest(t.Context(), to, scope))
	if mine != theirs {
		t.Errorf("the states differ:\n%s\nwant\n%s", theirs, mine)
	}
}

func TestImportNeedsAnEmptyTenant(t *testing.T) {
	store := storetest.NewModel()
	world(t, store)
	lines := exported(t, store)
	_, err := transfer.Import(t.Context(), store, scope, now, nil, strings.NewReader(lines))
	if !errors.Is(err, transfer.ErrNotEmpty) {
		t.Errorf("error is %v", err)
	}
	if exported(t, store) != lines {
		t.Error("a refused write left data")
	}
}

func TestImportFromTheFutureIsRefused(t *testing.T) {
	store := storetest.NewModel()
	world(t, store)
	empty := storetest.NewModel()
	_, err := transfer.Import(t.Context(), empty, scope, start, nil, strings.NewReader(exported(t, store)))
	if err == nil || !strings.Contains(err.Error(), "simulated-clock") {
		t.Errorf("error is %v", err)
	}
	if tenants := must[[]graph.Tenant](t)(empty.Tenants(t.Context())); len(tenants) != 0 {
		t.Errorf("a refused write left %v", tenants)
	}
}

func TestDamagedExport(t *testing.T) {
	store := storetest.NewModel()
	world(t, store)
	lines := exported(t, store)
	all := strings.SplitAfter(strings.TrimSuffix(lines, "\n"), "\n")
	without := func(n int) string { return strings.Join(append(append([]string{}, all[:n]...), all[n+1:]...), "") }
	for what, text := range map[string]string{
		"cut":              lines[:len(lines)*2/3],
		"no last line":     strings.Join(all[:len(all)-1], ""),
		"nothing":          "",
		"another file":     `{"content":"x"}` + "\n",
		"a newer version":  strings.Replace(lines, `"version":1`, `"version":2`, 1),
		"a line less":      without(2),
		"a changed number": strings.Replace(lines, `"Strength":2.5`, `"Strength":2.6`, 1),
		"not JSON":         strings.Replace(lines, `"Strength":2.5`, `"Strength":`, 1),
	} {
		if _, err := transfer.Check(strings.NewReader(text)); err == nil {
			t.Errorf("%s: the check finds nothing", what)
		}
		if _, err := transfer.Import(t.Context(), storetest.NewModel(), scope, now, nil, strings.NewReader(text)); err == nil {
			t.Errorf("%s: imported", what)
		}
	}
	if sum, err := transfer.Check(strings.NewReader(lines)); err != nil || sum.Memories != 3 {
		t.Errorf("a good one: %s, %v", sum, err)
	}
	if !transfer.IsHeader([]byte(lines[:64])) || transfer.IsHeader([]byte(`{"content":"{\"somnograph\""}`)) {
		t.Error("exports are not distinguished from other files")
	}
}

func TestHandlerChecksRequests(t *testing.T) {
	full, empty := storetest.NewModel(), storetest.NewModel()
	world(t, full)
	serve := func(store graph.Store, method, path, media string, body io.Reader) *httptest.ResponseRecorder {
		h := &transfer.Handler{Store: store, Scope: scope, Head: func(ctx context.Context) (graph.Cursor, error) { return store.Head(ctx, scope) }, Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler)}
		mux := http.NewServeMux()
		for path, route := range map[string]func(http.ResponseWriter, *http.Request) error{"/export": h.Export, "/import": func(w http.ResponseWriter, r *http.Request) error { return h.Import(1, w, r) }} {
			mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { _ = route(w, r) }) // it responds with the error
		}
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(context.Background(), method, path, body)
		r.Header.Set("Content-Type", media)
		mux.ServeHTTP(w, r)
		return w
	}
	got := serve(full, "GET", "/export", "", nil)
	if got.Code != 200 || got.Header().Get("Content-Type") != transfer.MediaType || got.Body.String() != exported(t, full) {
		t.Fatalf("export answers %d", got.Code)
	}
	for _, x := range []struct {
		store               graph.Store
		method, path, media string
		body                string
		code                int
	}{
		{full, "POST", "/export", "", "", 405},
		{empty, "GET", "/import", transfer.MediaType, "", 405},
		{empty, "POST", "/import", "text/plain", got.Body.String(), 415},
		{empty, "POST", "/import", transfer.MediaType, "{}\n", 400},
		{full, "POST", "/import", transfer.MediaType, got.Body.String(), 409},
		{empty, "POST", "/import", transfer.MediaType, got.Body.String(), 200},
		{empty, "POST", "/import", transfer.MediaType, got.Body.String(), 409},
	} {
		if w := serve(x.store, x.method, x.path, x.media, strings.NewReader(x.body)); w.Code != x.code {
			t.Errorf("%s %s %s answers %d %s, want %d", x.method, x.path, x.media, w.Code, w.Body, x.code)
		}
	}
}

// An import gives no memory more authority than the caller may give, says how many had more, and
// leaves the others as they are. Anybody can edit an export.
func TestImportIsBoundByTheGrant(t *testing.T) {
	from := storetest.NewModel()
	world(t, from)
	ids := map[float64]graph.ID{}
	for i, authority := range []float64{1, .8, .3} {
		at := start.Add(time.Duration(i+10) * time.Second)
		m := &graph.Memory{
			ID: id(t, at.Sub(start)), Namespace: "main", Type: graph.Semantic, Content: "The ferry leaves at noon.", DecayClass: graph.DecayMedium, Sensitivity: graph.Internal,
			Consent: graph.ConsentExplicit, SourceKind: graph.FromSystem, Authority: authority, Version: 1, CreatedAt: at, UpdatedAt: at, RecordedAt: at, OccurredAt: at, ValidFrom: at,
			History: []graph.State{{From: at, Status: graph.Active, Tier: graph.L1}},
		}
		m.Chain, ids[authority] = m.ID, m.ID
		if _, err := from.Update(t.Context(), scope, func(tx graph.Tx) error { return tx.PutMemory(m, graph.EventCreated) }); err != nil {
			t.Fatal(err)
		}
	}
	for grant, want := range map[float64][]float64{1: {1, .8, .3}, .5: {.5, .5, .3}} {
		into := storetest.NewModel()
		h := &transfer.Handler{
			Store: into, Scope: scope, Logger: slog.New(slog.DiscardHandler), Now: func() time.Time { return now },
			Head: func(ctx context.Context) (graph.Cursor, error) { return into.Head(ctx, scope) },
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/import", strings.NewReader(exported(t, from)))
		r.Header.Set("Content-Type", transfer.MediaType)
		w := httptest.NewRecorder()
		if err := h.Import(grant, w, r); err != nil {
			t.Fatal(err)
		}
		var said transfer.Imported
		if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || said.Memories != 6 || said.Lowered != map[float64]int{1: 0, .5: 2}[grant] {
			t.Errorf("grant %g answers %s, %v", grant, w.Body, err)
		}
		for i, had := range []float64{1, .8, .3} {
			err := into.View(t.Context(), scope, func(r graph.Reader) error {
				m, err := r.Memory(ids[had])
				if err == nil && m.Authority != want[i] {
					t.Errorf("grant %g: a memory of authority %g has %g, want %g", grant, had, m.Authority, want[i])
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
