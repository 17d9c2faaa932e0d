package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/resolvers"
)

// openForTest opens an instance in this process.
func openForTest(t *testing.T) (*instance.Instance, *config.Config) {
	t.Helper()
	dir := t.TempDir()
	in, err := instance.Open(t.Context(), instance.Options{
		Dir: dir, Keys: filepath.Join(dir, "keys"), Source: time.Now,
		Engine: engine.Options{Embedder: hashed.New(), Logger: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return in, &config.Config{Data: dir, Store: "badger"}
}

// deadlineRecorder records the first deadlines of a connection.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	read, write time.Time
}

func (d *deadlineRecorder) SetReadDeadline(at time.Time) error {
	if d.read.IsZero() {
		d.read = at
	}
	return nil
}

func (d *deadlineRecorder) SetWriteDeadline(at time.Time) error {
	if d.write.IsZero() {
		d.write = at
	}
	return nil
}

// On the routes of a server a client may accept nothing of an answer for 30 s, and send nothing of an
// import for as long.
func TestDeadlinesOfTheRoutes(t *testing.T) {
	in, c := openForTest(t)
	r, err := newRoutes(c, in, nil, 0, slog.New(slog.DiscardHandler), watchers{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.end(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	for _, x := range []struct{ method, path, media, body string }{
		{"POST", "/graphql", "application/json", `{"query":"{health{score}}"}`},
		{"GET", "/viz/graph", "", ""},
		{"GET", "/export", "", ""},
		{"GET", "/", "", ""},
		{"POST", "/documents", "text/plain", ""},
		{"POST", "/import", transfer.MediaType, "{}\n"},
	} {
		d := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
		req := httptest.NewRequestWithContext(t.Context(), x.method, x.path, strings.NewReader(x.body))
		req.Header.Set("Content-Type", x.media)
		before := time.Now()
		r.handler.ServeHTTP(d, req)
		at := d.write
		if x.path == "/import" {
			at = d.read
		}
		if at.Before(before.Add(30*time.Second)) || at.After(time.Now().Add(30*time.Second)) {
			t.Errorf("%s %s: %d %.100s: the deadline is %v after the request", x.method, x.path, d.Code, d.Body, at.Sub(before))
		}
	}
}

// An export that ends before its last line ends its connection: its client must not take it for a whole one.
func TestAnExportThatFailsIsCutOff(t *testing.T) {
	in, _ := openForTest(t)
	serve := audited(in, "export", func(engine.Caller, http.ResponseWriter, *http.Request) error {
		return errors.Join(http.ErrAbortHandler, errors.New("a row is damaged"))
	})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { serve(engine.Loopback(), w, r) }))
	defer server.Close()
	if resp, err := server.Client().Get(server.URL); err == nil {
		t.Errorf("the answer ends with %s", resp.Status)
		_ = resp.Body.Close()
	}
}

// spending is a budget that notes each cost, and grants it.
type spending []int

func (l *spending) Spend(_ context.Context, _ resolvers.Account, cost int, _ bool) (resolvers.BudgetState, error) {
	*l = append(*l, cost)
	return resolvers.BudgetState{Granted: true}, nil
}

// A picture of the explorer costs by the memories that it draws, within bounds, a tile of it less.
func TestPicturesCostByTheirSize(t *testing.T) {
	for _, x := range []struct{ draws, picture, tile int }{{0, 100, toolCost}, {2300, 2300, 2300}, {100_000, 10_000, 10_000}} {
		spent := spending{}
		admit := admitPicture(&spent, func(context.Context, engine.Caller) int { return x.draws })
		for _, query := range []string{"", "?format=arrow&tile=1", "?memory=a&map=1", "?tile=1&map=1"} {
			if err := admit(t.Context(), engine.Caller{}, httptest.NewRequest(http.MethodGet, "/viz/graph"+query, nil)); err != nil {
				t.Fatal(err)
			}
		}
		if want := (spending{x.picture, x.picture, x.tile, x.tile}); !slices.Equal(spent, want) {
			t.Errorf("drawing %d memories: %v, want %v", x.draws, spent, want)
		}
	}
}

// While 16 clients send requests of 20 expensive searches without pause, the server says that it is ready.
func TestReadyBesideExpensiveSearches(t *testing.T) {
	s := start(t, t.TempDir())
	remember(t, s.client(), "The ferry of the island leaves pier 9 at noon.")
	var query strings.Builder
	for i := range 20 {
		fmt.Fprintf(&query, " a%d: search(input: {query: $q, effort: ACCURATE}) { hits { score } }", i)
	}
	body, err := json.Marshal(map[string]any{
		"query":     "query($q: String!) {" + query.String() + " }",
		"variables": map[string]string{"q": strings.Repeat("When does the ferry of the island leave? ", 6<<10/41)},
	})
	if err != nil {
		t.Fatal(err)
	}
	const each = 2 // requests of each client
	var answered atomic.Int64
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for range each {
				resp, err := http.Post(s.url+"/graphql", "application/json", bytes.NewReader(body))
				if err != nil {
					t.Error(err)
					return
				}
				text, err := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				if err != nil {
					t.Error(err)
				}
				if resp.StatusCode == http.StatusOK && !bytes.Contains(text, []byte(`"errors"`)) {
					answered.Add(1)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { clients.Wait(); close(done) }()
	asked := 0
	for busy := true; busy; asked++ {
		if status, _, body := s.get("/readyz"); status != http.StatusOK {
			t.Errorf("/readyz says %d %s", status, body)
		}
		select {
		case <-done:
			busy = false
		default:
		}
	}
	if answered.Load() == 0 {
		t.Error("no request of the clients was answered")
	}
	t.Logf("%d of %d requests were answered, /readyz said 200 %d times", answered.Load(), 16*each, asked)
	s.stop()
}
