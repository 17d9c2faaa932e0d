package resolvers

import (
	"cmp"
	"context"
	"net/http"
	"sync"

	"github.com/somnograph/somnograph/graph"
)

// seats counts the WebSockets and event streams that are open at once. With authentication, a WebSocket is counted apart until its
// connection_init, so that clients without a credential can't take the seats of those who have one.
type seats struct {
	all, opening, perHost int // limits: of all, of those before connection_init, and of those from one address

	mu      sync.Mutex
	taken   int
	waiting map[string]int // before connection_init, by address
	waits   int
}

// seat is the seat of one WebSocket or event stream.
type seat struct {
	of   *seats
	host string // it is before connection_init; empty: it counts among all
}

func newSeats(all int) *seats {
	return &seats{all: all, opening: max(1, all/4), perHost: max(1, all/16), waiting: map[string]int{}}
}

// take returns a seat, nil if all are taken.
func (s *seats) take() *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= s.all {
		return nil
	}
	s.taken++
	return &seat{of: s}
}

// takeOpening returns a seat for a WebSocket that has not shown a credential, nil if all are taken.
func (s *seats) takeOpening(host string) *seat {
	host = cmp.Or(host, "?")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits >= s.opening || s.waiting[host] >= s.perHost {
		return nil
	}
	s.waits++
	s.waiting[host]++
	return &seat{s, host}
}

// settle counts a seat among all, from connection_init on. The error is UNAVAILABLE if all are taken.
func (x *seat) settle() error {
	s := x.of
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case x.host == "":
		return nil
	case s.taken >= s.all:
		return errSeats
	}
	s.leaveWaiting(x.host)
	x.host = ""
	s.taken++
	return nil
}

// leave gives the seat back.
func (x *seat) leave() {
	s := x.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.host != "" {
		s.leaveWaiting(x.host)
	} else {
		s.taken--
	}
}

func (s *seats) leaveWaiting(host string) {
	s.waits--
	if s.waiting[host]--; s.waiting[host] == 0 {
		delete(s.waiting, host)
	}
}

// open is the number of seats that are taken.
func (s *seats) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken + s.waits
}

var errSeats = graph.Errorf(graph.CodeUnavailable, "too many concurrent sockets and streams")

type seatKey struct{}

// seatFor returns the seat of a WebSocket or an event stream, nil if all are taken. A WebSocket whose request has a credential
// needs no seat among those without one.
func (h *Handler) seatFor(r *http.Request, upgrades bool) *seat {
	if !upgrades || h.config.Hold == nil {
		return h.seats.take()
	}
	if x := h.seats.takeOpening(h.config.Address(r)); x != nil {
		return x
	}
	if _, err := h.config.Authenticate(r); err != nil {
		return nil
	}
	return h.seats.take()
}

// settle counts the seat of a request among those with a credential.
func settle(ctx context.Context) error {
	if x, ok := ctx.Value(seatKey{}).(*seat); ok {
		return x.settle()
	}
	return nil
}
