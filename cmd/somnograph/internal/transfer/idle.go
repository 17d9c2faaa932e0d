package transfer

import (
	"io"
	"net/http"
	"time"
)

// idleTime is how long the body of an import may bring no data.
const idleTime = 30 * time.Second

// idleBody is the body of a request that may last as long as data arrives.
type idleBody struct {
	io.Reader
	c   *http.ResponseController
	now func() time.Time
}

// newIdleBody replaces the deadline of the body. now may be nil: time.Now.
func newIdleBody(w http.ResponseWriter, body io.Reader, now func() time.Time) *idleBody {
	if now == nil {
		now = time.Now
	}
	return &idleBody{body, http.NewResponseController(w), now}
}

func (b *idleBody) Read(p []byte) (int, error) {
	b.renew()
	return b.Reader.Read(p)
}

// renew lets the client wait for idleTime from now. A writer without deadlines (the recorder of a
// test) has no slow client.
func (b *idleBody) renew() { _ = b.c.SetReadDeadline(b.now().Add(idleTime)) }
