package httpd

import (
	"io"
	"net/http"
	"strings"
	"time"
)

// longAgo is a deadline that has passed.
var longAgo = time.Unix(1, 0)

// EndReads ends a read of the body of a request that waits for data, and all that follow. A writer without deadlines (the
// recorder of a test) has no slow client.
func EndReads(w http.ResponseWriter) { _ = http.NewResponseController(w).SetReadDeadline(longAgo) }

// Abandon lets the answer to a request go out at once, although its body was not read to the end: the server would
// first wait for some of the rest, and longer for one that does not come. It then closes the connection.
func Abandon(w http.ResponseWriter) {
	EndReads(w)
	for u, ok := w.(interface{ Unwrap() http.ResponseWriter }); ok; u, ok = w.(interface{ Unwrap() http.ResponseWriter }) {
		w = u.Unwrap()
	}
	// A body above its limit is what tells the server so, and that the client may still be sending.
	_, _ = http.MaxBytesReader(w, io.NopCloser(strings.NewReader("x")), 0).Read(make([]byte, 1))
}
