package transfer

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
)

// idleTime is how long the body of an import may bring no data.
const idleTime = 30 * time.Second

// idleBody is the body of a request that may last as long as data arrives.
type idleBody struct {
	io.Reader
	c     *http.ResponseController
	now   func() time.Time
	ended bool // it was read to its end
}

// newIdleBody replaces the deadline of the body. now may be nil: time.Now.
func newIdleBody(w http.ResponseWriter, body io.Reader, now func() time.Time) *idleBody {
	if now == nil {
		now = time.Now
	}
	return &idleBody{Reader: body, c: http.NewResponseController(w), now: now}
}

func (b *idleBody) Read(p []byte) (int, error) {
	b.renew()
	n, err := b.Reader.Read(p)
	b.ended = b.ended || errors.Is(err, io.EOF)
	return n, err
}

// abandon lets the answer to a request go out at once, although its body was not read to the end: the server would
// first wait for some of the rest, and longer for one that does not come. It then closes the connection.
func abandon(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength == 0 {
		return
	}
	httpd.Abandon(w)
}

// renew lets the client wait for idleTime from now. A writer without deadlines (the recorder of a
// test) has no slow client.
func (b *idleBody) renew() { _ = b.c.SetReadDeadline(b.now().Add(idleTime)) }
