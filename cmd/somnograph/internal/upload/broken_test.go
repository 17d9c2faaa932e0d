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
	"testing/iotest"

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

// A form is complete only with its closing delimiter, wherever it is cut: nobody takes for stored what never arrived. What follows the
// delimiter, if anything does, changes nothing.
func TestCutFormIsNotComplete(t *testing.T) {
	part := func(name, text string) string {
		return "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"" + name + "\"\r\n\r\n" + text + "\r\n"
	}
	first, second := part("winch.md", "# Winch\n\nThe winch sticks."), part("kite.md", "# Kite\n\nThe kite is red.")
	form, ends := first+second, []string{"--x--", "--x-- \t", "--x--\r\n", "--x-- \r\n", "--x--\r\nwords after the end"}
	w := enginetest.New(t)
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1000, Logger: slog.New(slog.DiscardHandler)}
	send := func(body io.Reader) (int, upload.Answer) {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/documents?consent=EXPLICIT", body)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		rec := httptest.NewRecorder()
		h.Serve(w.Caller, rec, r)
		var a upload.Answer
		if err := json.Unmarshal(rec.Body.Bytes(), &a); err != nil {
			t.Fatalf("%v, %s", err, rec.Body)
		}
		return rec.Code, a
	}
	for _, end := range ends {
		for _, body := range []io.Reader{strings.NewReader(form + end), iotest.OneByteReader(strings.NewReader(form + end)), iotest.DataErrReader(strings.NewReader(form + end))} {
			if status, a := send(body); status != http.StatusOK || a.Error != nil || len(a.Documents) != 2 {
				t.Errorf("the end %q: %d, %d files, %+v", end, status, len(a.Documents), a.Error)
			}
		}
		lines := strings.NewReplacer("\r\n", "\n").Replace(form + end)
		if status, a := send(strings.NewReader(lines)); status != http.StatusOK || a.Error != nil || len(a.Documents) != 2 {
			t.Errorf("lines without \\r, the end %q: %d, %d files, %+v", end, status, len(a.Documents), a.Error)
		}
	}
	for cut := len(first) + len("--x"); cut < len(form+"--x--"); cut++ {
		if status, a := send(strings.NewReader((form + "--x--")[:cut])); status != http.StatusBadRequest || a.Error == nil || len(a.Documents) == 0 {
			t.Errorf("cut to %q: %d, %d files, %+v", (form + "--x--")[len(first):cut], status, len(a.Documents), a.Error)
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
