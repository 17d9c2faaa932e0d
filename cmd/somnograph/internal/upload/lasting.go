package upload

import (
	"cmp"
	"context"
	"errors"
	"io"
	"time"

	"github.com/somnograph/somnograph/internal/places"
)

const (
	// fileWait is how long a file waits for a place.
	fileWait = 10 * time.Second
	// requestTime is how long a request may take, without the time in which its files are stored.
	requestTime = time.Hour
	// stepTime is how long the lines of steps of a request wait for a client that does not read them. A file holds its place meanwhile.
	stepTime = 10 * time.Second
)

var (
	// errFull is returned for a file that gets no place.
	errFull = errors.New("too many uploads at once; repeat the request")
	// errLong is returned for a request that takes longer than requestTime.
	errLong = errors.New("the request takes longer than an hour; send fewer files at once")
)

// now is the time of the handler's clock.
func (h *Handler) now() time.Time {
	if h.Now == nil {
		return time.Now()
	}
	return h.Now()
}

// took adds to sum how long something takes.
func (u *upload) took(sum *time.Duration, do func()) {
	began := u.h.now()
	do()
	*sum += u.h.now().Sub(began)
}

// left is how long the request may still take.
func (u *upload) left() time.Duration { return requestTime + u.stored - u.h.now().Sub(u.began) }

// lasting is a body that ends with errLong.
type lasting struct {
	io.Reader
	u *upload
}

// Read implements io.Reader.
func (l lasting) Read(b []byte) (int, error) {
	if l.u.left() <= 0 {
		return 0, errLong
	}
	return l.Reader.Read(b)
}

// enter waits for the place of one file, and holds it until leave is called. So a request with many files lets those of others be read
// between its own. u.broken says why there is none: over HTTP/1 nobody notices that a client has gone whose body is not read, so every wait
// has an end.
func (u *upload) enter() (leave func()) {
	u.h.begin.Do(func() {
		u.h.places = places.New(places.Limits{All: atOnce, Tenant: tenantAtOnce, Spare: 1})
	})
	u.entered++
	wait, cause := time.Duration(u.entered)*cmp.Or(u.h.Wait, fileWait)-u.waited, errFull
	if left := u.left(); left < wait {
		wait, cause = left, errLong
	}
	ctx, cancel := context.WithTimeoutCause(u.r.Context(), wait, cause)
	defer cancel()
	u.pause(func() {
		u.took(&u.waited, func() {
			if leave, u.broken = u.h.places.Enter(ctx, places.Of(u.c), 1); u.broken != nil {
				u.broken = context.Cause(ctx)
			}
		})
	})
	return leave
}

// step writes a line about the file that is being stored, unless the client reads them too slowly: it holds a place.
func (u *upload) step(x Result) {
	if u.stream && u.stepped < stepTime {
		u.took(&u.stepped, func() { u.line(x) })
	}
}
