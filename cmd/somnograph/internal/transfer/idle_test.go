package transfer_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// countedBody is a body that counts what is read of it, and may end in a silence.
type countedBody struct {
	text  io.Reader
	read  int
	quiet context.Context // nil: the body ends after the text
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.text.Read(p)
	b.read += n
	if err == io.EOF && b.quiet != nil {
		<-b.quiet.Done()
		return 0, b.quiet.Err()
	}
	return n, err
}

func importer(store graph.Store, clock func() time.Time) http.Handler {
	h := &transfer.Handler{
		Store: store, Scope: scope, Head: func(ctx context.Context) (graph.Cursor, error) { return store.Head(ctx, scope) },
		Now: func() time.Time { return now }, Clock: clock, Logger: slog.New(slog.DiscardHandler),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _ = h.Import(1, w, r) }) // it responds with the error
}

// An import that can't succeed is refused before its body is read.
func TestImportIsRefusedBeforeItsBodyIsRead(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	lines := exported(t, full)
	header, _, _ := strings.Cut(lines, "\n")
	endless := strings.Repeat("x", 4<<20)
	for _, x := range []struct {
		name  string
		store graph.Store
		body  string
		code  int
		most  int // bytes that may be read
	}{
		{"a store with data", full, lines, http.StatusConflict, 0},
		{"a long header", storetest.NewModel(), endless, http.StatusBadRequest, 64 << 10},
		{"a long line", storetest.NewModel(), header + "\n" + endless, http.StatusBadRequest, 1<<20 + 128<<10},
	} {
		body := &countedBody{text: strings.NewReader(x.body)}
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/import", body)
		r.Header.Set("Content-Type", transfer.MediaType)
		importer(x.store, nil).ServeHTTP(w, r)
		if w.Code != x.code || body.read > x.most {
			t.Errorf("%s: %d %q after %d bytes, want %d after at most %d", x.name, w.Code, w.Body, body.read, x.code, x.most)
		}
	}
}

// A line that is not UTF-8 is refused: the decoder of JSON would replace what is wrong.
func TestImportThatIsNotUTF8IsRefused(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	header, rest, _ := strings.Cut(exported(t, full), "\n")
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/import", strings.NewReader(header+"\n"+strings.Replace(rest, `":"`, "\":\"\xeb", 1)))
	r.Header.Set("Content-Type", transfer.MediaType)
	importer(storetest.NewModel(), nil).ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "line 2: ") || !strings.Contains(w.Body.String(), "not valid UTF-8") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A body that brings no data ends the import. The clock makes any deadline pass at once.
func TestSilentImportEnds(t *testing.T) {
	past := func() time.Time { return time.Now().Add(-time.Hour) }
	srv := httptest.NewServer(importer(storetest.NewModel(), past))
	defer srv.Close()
	resp, err := http.Post(srv.URL, transfer.MediaType, &countedBody{text: strings.NewReader(""), quiet: t.Context()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusRequestTimeout {
		t.Errorf("a silent import got %d", resp.StatusCode)
	}
}

// heldBody says when it is read, and ends when it may.
type heldBody struct {
	text    io.Reader
	begun   chan struct{}
	release chan struct{}
	once    sync.Once
}

func (b *heldBody) Read(p []byte) (int, error) {
	b.once.Do(func() { close(b.begun) })
	<-b.release
	return b.text.Read(p)
}

// One import runs at a time: a second one is told to come again before a byte of it is read, and the
// first is not disturbed.
func TestSecondImportWaitsForTheFirst(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	body := &heldBody{text: strings.NewReader(exported(t, full)), begun: make(chan struct{}), release: make(chan struct{})}
	h := importer(storetest.NewModel(), nil)
	send := func(body io.Reader) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/import", body)
		r.Header.Set("Content-Type", transfer.MediaType)
		h.ServeHTTP(w, r)
		return w
	}
	first := make(chan *httptest.ResponseRecorder, 1)
	go func() { first <- send(body) }()
	<-body.begun
	second := &countedBody{text: strings.NewReader("x")}
	if w := send(second); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || second.read > 0 {
		t.Errorf("the second import: %d %q after %d bytes", w.Code, w.Body, second.read)
	}
	close(body.release)
	if w := <-first; w.Code != http.StatusOK {
		t.Errorf("the first import: %d %q", w.Code, w.Body)
	}
}
