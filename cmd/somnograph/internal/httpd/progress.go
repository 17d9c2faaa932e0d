package httpd

import (
	"net/http"
	"time"
)

// progressPiece is the number of bytes of an answer that share a deadline.
const progressPiece = 64 << 10

// ProgressDeadline ends an answer of which a client accepts nothing for d. An answer that is read
// slowly may take any time, and so may a handler between its writes. A handler that sets write
// deadlines itself, as streams do, keeps them.
func ProgressDeadline(next http.Handler, d time.Duration, now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &progressWriter{ResponseWriter: w, c: http.NewResponseController(w), d: d, now: now}
		// What is buffered is sent after the handler has returned.
		defer func() { p.deadline(now().Add(d)) }()
		next.ServeHTTP(p, r)
	})
}

// progressWriter has a deadline for each piece.
type progressWriter struct {
	http.ResponseWriter
	c   *http.ResponseController
	d   time.Duration
	now func() time.Time
	own bool // the handler sets deadlines
}

// deadline sets the deadline. A writer without deadlines (the recorder of a test) has no slow client.
func (w *progressWriter) deadline(at time.Time) {
	if !w.own {
		_ = w.c.SetWriteDeadline(at)
	}
}

// SetWriteDeadline is for http.ResponseController.
func (w *progressWriter) SetWriteDeadline(at time.Time) error {
	w.own = true
	return w.c.SetWriteDeadline(at)
}

// Write implements http.ResponseWriter.
func (w *progressWriter) Write(b []byte) (written int, err error) {
	defer w.deadline(time.Time{}) // over HTTP/2 a deadline also ends an answer that waits for its handler
	for {
		w.deadline(w.now().Add(w.d))
		n, err := w.ResponseWriter.Write(b[:min(len(b), progressPiece)])
		written += n
		if b = b[n:]; err != nil || len(b) == 0 {
			return written, err
		}
	}
}

// FlushError is for http.ResponseController.
func (w *progressWriter) FlushError() error {
	defer w.deadline(time.Time{})
	w.deadline(w.now().Add(w.d))
	return w.c.Flush()
}

// Unwrap is for http.ResponseController.
func (w *progressWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
