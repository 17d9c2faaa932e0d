package transfer_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/storetest"
)

// stalled sends the beginning of a body that never ends to an import, and returns the answer and whether the server then
// closed the connection.
func stalled(t *testing.T, store graph.Store, clock func() time.Time, header, begin string) (code int, says string) {
	t.Helper()
	h := importer(store, clock)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = struct{ io.ReadCloser }{r.Body} // the routes of a server wrap it too
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	conn, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })                                    // before the server, which waits for it
	if err := conn.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil { // of a test that fails
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "POST /import HTTP/1.1\r\nHost: test\r\nContent-Type: %s\r\n%s\r\n\r\n%s", transfer.MediaType, header, begin); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(conn)
	resp, err := http.ReadResponse(lines, nil)
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if _, err := lines.ReadByte(); err == nil {
		t.Error("the server answers twice")
	} else if wait, ok := err.(net.Error); ok && wait.Timeout() {
		t.Error("the server keeps the connection")
	}
	return resp.StatusCode, string(said)
}

// The answer to an import that is refused is there before the body ends, also if nothing more of it comes. The clock
// would let the server wait for an hour.
func TestAnswerBeforeTheBodyEnds(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	header, _, _ := strings.Cut(exported(t, full), "\n")
	late := func() time.Time { return time.Now().Add(time.Hour) }
	const long, chunked = "Content-Length: 1000000000", "Transfer-Encoding: chunked"
	chunk := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
	for _, x := range []struct {
		name, header, begin string
		store               graph.Store
		code                int
		says                string
	}{
		{"no header", long, "not json\n", storetest.NewModel(), http.StatusBadRequest, "not an export"},
		{"no header, and more", long, "not json\n" + strings.Repeat("x", 100<<10), storetest.NewModel(), http.StatusBadRequest, "not an export"},
		{"no header, in chunks", chunked, chunk("not json\n"), storetest.NewModel(), http.StatusBadRequest, "not an export"},
		{"an unknown record", long, header + "\n" + `{"foo":"` + strings.Repeat("x", 900<<10) + `"}` + "\n", storetest.NewModel(), http.StatusBadRequest, "line 2: has no known field"},
		{"an entity without an id", chunked, chunk(header + "\n" + `{"entity":{"Name":"Ada"}}` + "\n"), storetest.NewModel(), http.StatusBadRequest, "line 2: in an entity"},
		{"a store with data", long, "", full, http.StatusConflict, "not empty"},
	} {
		if code, says := stalled(t, x.store, late, x.header, x.begin); code != x.code || !strings.Contains(says, x.says) {
			t.Errorf("%s: %d %q", x.name, code, says)
		}
	}
}

// A body that brings nothing has one period, not another one for its rest: the clock makes the first deadline pass at
// once, and later ones not for an hour.
func TestSilenceEndsOnce(t *testing.T) {
	full := storetest.NewModel()
	world(t, full)
	header, _, _ := strings.Cut(exported(t, full), "\n")
	for _, begin := range []string{"", header + "\n"} {
		var asked atomic.Int32
		clock := func() time.Time {
			switch reads := asked.Add(1); {
			case reads == 1 && begin != "":
				return time.Now().Add(time.Hour)
			case reads == 2 && begin != "", reads == 1:
				return time.Now().Add(-time.Hour)
			}
			return time.Now().Add(time.Hour)
		}
		if code, says := stalled(t, storetest.NewModel(), clock, "Content-Length: 1000000000", begin); code != http.StatusRequestTimeout || !strings.Contains(says, "no data arrived for 30s") {
			t.Errorf("%q: %d %q", begin, code, says)
		}
	}
}
