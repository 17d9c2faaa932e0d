package upload_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/upload"
	"github.com/somnograph/somnograph/engine"
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
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1 << 20, Wait: time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
	send := func(tenant graph.Tenant, body io.Reader) int {
		return sent(t, h, w.Caller, tenant, "text/markdown", body).Code
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

// sent sends a body as a principal of a tenant.
func sent(t *testing.T, h *upload.Handler, c engine.Caller, tenant graph.Tenant, media string, body io.Reader) *httptest.ResponseRecorder {
	c.Tenant, c.Sources = tenant, false
	at := "/documents?consent=EXPLICIT"
	if !strings.HasPrefix(media, "multipart/") {
		at += "&path=a.md"
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, at, body)
	r.Header.Set("Content-Type", media)
	answer := httptest.NewRecorder()
	h.Serve(c, answer, r)
	return answer
}

// Forms hold a place while a file of theirs is read and stored, not between their files, nor for the rest of a file that is too large.
func TestFormsHoldNoPlaceBetweenTheirFiles(t *testing.T) {
	w := enginetest.New(t)
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 50, Wait: time.Minute, Logger: slog.New(slog.DiscardHandler)}
	type form struct {
		*io.PipeWriter
		answer chan *httptest.ResponseRecorder
	}
	write := func(f form, text string) {
		t.Helper()
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
	}
	const head = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"%\"\r\n\r\n"
	var forms []form
	for _, name := range []string{"a", "b", "c"} {
		body, in := io.Pipe()
		f := form{in, make(chan *httptest.ResponseRecorder)}
		go func() { f.answer <- sent(t, h, w.Caller, "acme", "multipart/form-data; boundary=x", body) }()
		write(f, strings.ReplaceAll(head, "%", name+"1.md"))
		write(f, "The winch ") // read when the file has its place
		forms = append(forms, f)
	}
	one := func() {
		t.Helper()
		if a := sent(t, h, w.Caller, "acme", "text/markdown", strings.NewReader("The kite is red.")); a.Code != http.StatusOK {
			t.Errorf("beside them: %d %s", a.Code, a.Body)
		}
	}
	next := strings.ReplaceAll(head, "%", "a2.md")
	write(forms[0], "sticks.\r\n"+next[:20])
	one()
	write(forms[0], next[20:]+"The ") // it has a place again
	write(forms[1], strings.Repeat("sticks. ", 10))
	write(forms[1], "It is stuck.") // the rest of a file that is too large
	one()
	write(forms[0], "winch is grey.\r\n--x--\r\n")
	if a := <-forms[0].answer; a.Code != http.StatusOK || strings.Count(a.Body.String(), `"DONE"`) != 2 {
		t.Errorf("the first form: %d %s", a.Code, a.Body)
	}
	for _, f := range forms[1:] {
		_ = f.CloseWithError(io.ErrUnexpectedEOF)
		<-f.answer
	}
	_ = forms[0].Close()
}
