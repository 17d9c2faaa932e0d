package httpd

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// An answer that nobody reads ends with its deadline. The clock makes any deadline pass at once,
// or never.
func TestUnreadAnswerEnds(t *testing.T) {
	failed := make(chan error, 1)
	endless := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	})
	past := func() time.Time { return time.Now().Add(-time.Hour) }
	srv := httptest.NewServer(ProgressDeadline(endless, time.Minute, past))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err == nil {
		_ = resp.Body.Close()
	}
	if err := <-failed; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the answer ended with %v", err)
	}
}

// Each piece of an answer has a deadline of its own, and the answer arrives whole.
func TestEachPieceOfAnAnswerRenewsTheDeadline(t *testing.T) {
	calls := 0
	now := func() time.Time { calls++; return time.Now() }
	whole := bytes.Repeat([]byte("0123456789"), 100_000)
	h := ProgressDeadline(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n, err := w.Write(whole); n != len(whole) || err != nil {
			t.Errorf("wrote %d: %v", n, err)
		}
	}), time.Minute, now)
	srv := httptest.NewServer(h)
	resp, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("%d bytes arrived: %v", len(got), err)
	}
	srv.Close() // waits for the handler
	if want := len(whole)/progressPiece + 2; calls < want {
		t.Errorf("%d deadlines, want at least %d", calls, want)
	}
}

// A handler that sets write deadlines itself keeps them.
func TestStreamKeepsItsOwnDeadline(t *testing.T) {
	past := func() time.Time { return time.Now().Add(-time.Hour) }
	srv := httptest.NewServer(ProgressDeadline(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c := http.NewResponseController(w)
		if err := c.SetWriteDeadline(time.Now().Add(time.Hour)); err != nil {
			t.Error(err)
		}
		if _, err := io.WriteString(w, "event"); err != nil {
			t.Error(err)
		}
		if err := c.Flush(); err != nil {
			t.Error(err)
		}
	}), time.Minute, past))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil || string(got) != "event" {
		t.Errorf("%q: %v", got, err)
	}
}

// A client that does not read what is flushed ends the answer, as one that does not read the rest.
func TestUnreadFlushEnds(t *testing.T) {
	failed := make(chan error, 1)
	endless := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c := http.NewResponseController(w)
		for {
			_, err := w.Write([]byte("event"))
			if err == nil {
				err = c.Flush()
			}
			if err != nil {
				failed <- err
				return
			}
		}
	})
	past := func() time.Time { return time.Now().Add(-time.Hour) }
	srv := httptest.NewServer(ProgressDeadline(NewMetrics(time.Now).Count("mcp", endless), time.Minute, past))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	if err == nil {
		_ = resp.Body.Close()
	}
	if err := <-failed; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the answer ended with %v", err)
	}
}
