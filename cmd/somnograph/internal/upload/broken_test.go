package upload_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/upload"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
)

// failing is the end of a body that can't be read.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// The answer to a form that breaks off, by its credential, its speed or its client, has the files before: they are stored.
func TestBrokenFormNamesWhatWasStored(t *testing.T) {
	const whole = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"winch.md\"\r\n\r\n# Winch\n\nThe winch sticks.\n\r\n"
	const cut = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"kite.md\"\r\n\r\n# Ki"
	for _, x := range []struct {
		err    error
		status int
		code   graph.Code
	}{
		{graph.Errorf(graph.CodeUnauthenticated, "the credentials are missing or not accepted"), http.StatusUnauthorized, graph.CodeUnauthenticated},
		{os.ErrDeadlineExceeded, http.StatusRequestTimeout, graph.CodeInvalidRequest},
		{io.ErrUnexpectedEOF, http.StatusBadRequest, graph.CodeInvalidRequest},
	} {
		for _, lines := range []bool{false, true} {
			w := enginetest.New(t)
			h := &upload.Handler{Engine: w.Engine, MaxBytes: 1000, Logger: slog.New(slog.DiscardHandler)}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/documents?consent=EXPLICIT", io.MultiReader(strings.NewReader(whole+cut), failing{x.err}))
			r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
			if lines {
				r.Header.Set("Accept", "application/x-ndjson")
			}
			rec := httptest.NewRecorder()
			h.Serve(w.Caller, rec, r)
			var a upload.Answer
			status := x.status
			if !lines {
				if err := json.Unmarshal(rec.Body.Bytes(), &a); err != nil {
					t.Errorf("%v: %v, %s", x.err, err, rec.Body)
				}
				if ended := rec.Header().Get("WWW-Authenticate") != ""; ended != (x.status == http.StatusUnauthorized) {
					t.Errorf("%v: headers %v", x.err, rec.Header())
				}
			} else {
				status = http.StatusOK // it was sent with the first line
				for d := json.NewDecoder(rec.Body); ; {
					var line upload.Result
					if err := d.Decode(&line); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						t.Fatal(err)
					}
					switch {
					case line.Document != nil:
						a.Documents = append(a.Documents, line)
					case line.Error != nil:
						a.Error = line.Error
					}
				}
			}
			if rec.Code != status || a.Error == nil || a.Error.Code != string(x.code) || len(a.Documents) != 1 || a.Documents[0].Path != "winch.md" || a.Documents[0].Phase != "DONE" {
				t.Errorf("%v, lines %v: %d, %+v, error %+v", x.err, lines, rec.Code, a.Documents, a.Error)
			}
		}
	}
}

// What a client sends as the rest of a form that was refused is no request: an answer in lines ends its connection, because the rest is
// never read. The body is wrapped, as the server does it.
func TestRestOfARefusedFormIsNoRequest(t *testing.T) {
	w := enginetest.New(t)
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1000, Logger: slog.New(slog.DiscardHandler)}
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/documents" {
			t.Errorf("the rest of the form was served as %s %s", r.Method, r.URL)
			return
		}
		r.Body = struct{ io.ReadCloser }{r.Body}
		h.Serve(w.Caller, rw, r)
	}))
	defer s.Close()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	const head = "POST /documents?consent=EXPLICIT HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n"
	const file = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"winch.md\"\r\n\r\n# Winch\n\nThe winch sticks.\n\r\n"
	if _, err := io.WriteString(c, head+file+"--x\r\nno header\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	from := bufio.NewReader(c)
	resp, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil || !resp.Close || resp.StatusCode != http.StatusOK || !strings.Contains(string(text), "the form can't be read") {
		t.Errorf("%d, close %v, %v, %s", resp.StatusCode, resp.Close, err, text)
	}
	_, _ = io.WriteString(c, "GET /rest HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") // the connection may have ended
	if rest, _ := io.ReadAll(from); len(rest) > 0 {
		t.Errorf("the connection goes on: %s", rest)
	}
}
