package upload_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/upload"
	"github.com/somnograph/somnograph/engine/enginetest"
)

const partHead = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"%\"\r\n\r\n"

// A later file of a form gets no place for as long as others hold them. The form ends: it says what was stored, and that it can be repeated.
func TestLaterFileDoesNotWaitForGood(t *testing.T) {
	w := enginetest.New(t)
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1 << 20, Wait: time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
	form, in := io.Pipe()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // only a form without an end takes it
	defer cancel()
	answered := make(chan *httptest.ResponseRecorder)
	go func() {
		c := w.Caller
		c.Tenant, c.Sources = "acme", false
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/documents?consent=EXPLICIT", form)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		answer := httptest.NewRecorder()
		h.Serve(c, answer, r)
		answered <- answer
	}()
	second := strings.ReplaceAll(partHead, "%", "b.md")
	// Each piece is read when what is before it was handled.
	for _, piece := range []string{strings.ReplaceAll(partHead, "%", "a.md"), "The winch sticks.\r\n" + second[:20], second[20:30]} {
		if _, err := io.WriteString(in, piece); err != nil {
			t.Fatal(err)
		}
	}
	held, ended := heldBody{make(chan struct{}), make(chan error)}, make(chan int)
	for range 3 {
		go func() { ended <- sent(t, h, w.Caller, "acme", "text/markdown", held).Code }()
		<-held.asked
	}
	go func() { _, _ = io.WriteString(in, second[30:]+"The kite is red.\r\n") }() // not read when the form has ended
	answer := <-answered
	var a upload.Answer
	if err := json.Unmarshal(answer.Body.Bytes(), &a); err != nil || answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" ||
		len(a.Documents) != 1 || a.Documents[0].Phase != "DONE" || a.Error == nil || a.Error.Code != "UNAVAILABLE" {
		t.Errorf("%d %s, %v", answer.Code, answer.Body, err)
	}
	_ = form.Close()
	for range 3 {
		held.fails <- io.ErrUnexpectedEOF
		<-ended
	}
}

// slowForm is a form that comes slowly, for two hours at most.
type slowForm struct {
	clock *time.Time
	text  io.Reader
}

func (f slowForm) Read(b []byte) (int, error) {
	if f.clock.Sub(start) > 2*time.Hour {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := f.text.Read(b)
	*f.clock = f.clock.Add(time.Duration(n) * time.Second / (8 << 10))
	return n, err
}

var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// endless repeats a text.
type endless struct{ text string }

func (e endless) Read(b []byte) (int, error) { return copy(b, e.text), nil }

// A form that goes on without end gets 408 after an hour.
func TestFormEndsAfterAnHour(t *testing.T) {
	w := enginetest.New(t)
	now := start
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1000, Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler)}
	file := strings.ReplaceAll(partHead, "%", "a.md") + "The winch sticks.\r\n" + strings.ReplaceAll(partHead, "%", "b.md")
	body := slowForm{&now, io.MultiReader(strings.NewReader(file), endless{strings.Repeat("The rest of a file that is too large. ", 100)})}
	answer := sent(t, h, w.Caller, "acme", "multipart/form-data; boundary=x", body)
	if took := now.Sub(start).Round(time.Minute); answer.Code != http.StatusRequestTimeout || took != time.Hour || !strings.Contains(answer.Body.String(), "longer than an hour") || !strings.Contains(answer.Body.String(), `"DONE"`) {
		t.Errorf("%d after %v: %s", answer.Code, took, answer.Body)
	}
}

// slowReader is a client that takes nine seconds to read each line.
type slowReader struct {
	*httptest.ResponseRecorder
	clock *time.Time
}

func (r slowReader) Write(b []byte) (int, error) {
	*r.clock = r.clock.Add(9 * time.Second)
	return r.ResponseRecorder.Write(b)
}

// A client that reads slowly gets the result of each file, and steps as long as they keep the place of a file for ten seconds.
func TestSlowReaderGetsResultsAndFewSteps(t *testing.T) {
	w := enginetest.New(t)
	now := start
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1000, Now: func() time.Time { return now }, Logger: slog.New(slog.DiscardHandler)}
	var form bytes.Buffer
	for _, name := range []string{"a", "b"} {
		form.WriteString(strings.ReplaceAll(partHead, "%", name+".md") + "The winch " + name + " sticks.\r\n")
	}
	form.WriteString("--x--\r\n")
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/documents?consent=EXPLICIT", &form)
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	r.Header.Set("Accept", "application/x-ndjson")
	answer := slowReader{httptest.NewRecorder(), &now}
	h.Serve(w.Caller, answer, r)
	lines := strings.Split(strings.TrimSpace(answer.Body.String()), "\n")
	if done := strings.Count(answer.Body.String(), `"DONE"`); done != 2 || len(lines) != 5 { // two steps, two results and the sum
		t.Errorf("%d results in %d lines: %s", done, len(lines), answer.Body)
	}
}
