package httpd

import (
	"io"
	"net/http"
	"time"
)

// A body that holds a place which others wait for may bring no data for paceTime, and brings paceRate bytes a second on average: half a
// megabit, which every line has on which somebody sends tens of megabytes. Data that come faster do not extend paceTime.
const (
	paceTime = 10 * time.Second
	paceRate = 64 << 10
)

// PacedRequest is Paced for the body of one request, which has as long as every body once it is read.
func PacedRequest(w http.ResponseWriter, body io.Reader) io.Reader {
	return Paced(w, body, bodyTime, time.Now)
}

// Paced makes reads of a body fail with os.ErrDeadlineExceeded if it comes slower than the lowest rate, and after most; 0: it may last. Time
// between reads does not count. It replaces the deadline of the body.
func Paced(w http.ResponseWriter, body io.Reader, most time.Duration, now func() time.Time) io.Reader {
	p := &pacedBody{Reader: body, c: http.NewResponseController(w), now: now, left: paceTime}
	if most > 0 {
		p.until = now().Add(most)
	}
	return p
}

// pacedBody is a body with a lowest rate.
type pacedBody struct {
	io.Reader
	c     *http.ResponseController
	now   func() time.Time
	left  time.Duration // for which it may bring no data
	until time.Time     // zero: it may last
}

// Read implements io.Reader.
func (p *pacedBody) Read(b []byte) (int, error) {
	began := p.now()
	at := began.Add(p.left)
	if !p.until.IsZero() && p.until.Before(at) {
		at = p.until
	}
	_ = p.c.SetReadDeadline(at) // a writer without deadlines (the recorder of a test) has no slow client
	n, err := p.Reader.Read(b)
	earned := time.Duration(n) * time.Second / paceRate
	p.left = max(0, min(paceTime, p.left-p.now().Sub(began)+earned))
	return n, err
}
