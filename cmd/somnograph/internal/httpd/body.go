package httpd

import (
	"errors"
	"io"
	"net/http"
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
			timed.Body = &timedBody{r.Body, c}
			r = &timed
		} else if !errors.Is(err, http.ErrNotSupported) {
			plain(w, http.StatusInternalServerError, "internal error")
			return
		}
		next.ServeHTTP(w, r)
	})
}

type timedBody struct {
	io.ReadCloser
	c *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		if derr := b.c.SetReadDeadline(time.Time{}); derr != nil {
			return n, derr
		}
	}
	return n, err
}
