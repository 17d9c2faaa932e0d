package upload_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/upload"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// heldBody is a body that says when it is read, and fails when the test lets it.
type heldBody struct {
	asked chan struct{}
	fails chan error
}

func (b heldBody) Read([]byte) (int, error) { b.asked <- struct{}{}; return 0, <-b.fails }

// Slow uploads of two tenants, by however many principals, leave a place for a third one. One that comes too slowly gives its place back.
func TestUploadsOfOneTenantLeaveRoom(t *testing.T) {
	w := enginetest.New(t)
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1 << 20, Logger: slog.New(slog.DiscardHandler)}
	send := func(tenant graph.Tenant, body io.Reader) int {
		c := w.Caller
		c.Tenant, c.Sources = tenant, false
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/documents?path=a.md&consent=EXPLICIT", body)
		r.Header.Set("Content-Type", "text/markdown")
		answer := httptest.NewRecorder()
		h.Serve(c, answer, r)
		return answer.Code
	}
	held, ended := heldBody{make(chan struct{}), make(chan error)}, make(chan int)
	for range 3 {
		go func() { ended <- send("acme", held) }()
		<-held.asked
	}
	document := func() io.Reader { return strings.NewReader("# Winch\n\nThe winch sticks.\n") }
	if code := send("acme", document()); code != http.StatusServiceUnavailable {
		t.Errorf("a fourth one of the tenant: %d", code)
	}
	go func() { ended <- send("beta", held) }()
	<-held.asked
	if code := send("beta", document()); code != http.StatusServiceUnavailable {
		t.Errorf("a second one of another tenant: %d", code)
	}
	if code := send("gamma", document()); code != http.StatusOK {
		t.Errorf("one of a third tenant: %d", code)
	}
	held.fails <- os.ErrDeadlineExceeded
	if code := <-ended; code != http.StatusRequestTimeout {
		t.Errorf("one that is too slow: %d", code)
	}
	if code := send("acme", document()); code != http.StatusOK {
		t.Errorf("afterwards: %d", code)
	}
	for range 3 {
		held.fails <- io.ErrUnexpectedEOF
		<-ended
	}
}
