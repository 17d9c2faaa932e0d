package httpd

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// BodyDeadline gives a client the time d to send the body of a request. The server's own
// ReadTimeout would also end long streams; this deadline is removed when the body has been
// read.
func BodyDeadline(next http.Handler, d time.Duration, now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		c := http.NewResponseController(w)
		// A writer without deadlines (the recorder of a test) has no slow client.
		if err := c.SetReadDeadline(now().Add(d)); err == nil {
			timed := *r // the server looks at the body of its own request, and lets the client read the answer if the rest is never read
			body := &timedBody{ReadCloser: r.Body, c: c, conn: connOf(r), now: now}
			timed.Body = body
			r = &timed
			defer body.end()
		} else if !errors.Is(err, http.ErrNotSupported) {
			plain(w, http.StatusInternalServerError, "internal error")
			return
		}
		next.ServeHTTP(w, r)
	})
}

type timedBody struct {
	io.ReadCloser
	c    *http.ResponseController
	conn *limitedConn // nil: it is not counted
	now  func() time.Time
	over atomic.Bool // it was read to its end
}

func (b *timedBody) Read(p []byte) (int, error) {
	began := b.now()
	b.conn.wait((*bodyWait).read)
	n, err := b.ReadCloser.Read(p)
	b.conn.wait(func(w *bodyWait) { w.took(n, b.now().Sub(began)) })
	if errors.Is(err, io.EOF) {
		b.over.Store(true)
		if derr := b.c.SetReadDeadline(time.Time{}); derr != nil {
			return n, derr
		}
	}
	return n, err
}

// end notes on the connection that the request ends.
func (b *timedBody) end() {
	if !b.over.Load() {
		b.conn.wait((*bodyWait).endUnread)
	}
}
