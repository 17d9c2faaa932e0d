package resolvers

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
	"github.com/somnograph/somnograph/resolvers/internal/wire"
)

// seats counts the WebSockets and event streams that are open at once. With authentication, a WebSocket is counted apart until its
// connection_init, so that clients without a credential can't take the seats of those who have one. If too many wait for it, the
// oldest of these ends. One tenant leaves seats to others.
type seats struct {
	all, opening, perHost int            // limits: of all, of those before connection_init, and of those from one address
	tenants               *places.Places // of those whose caller is known

	mu      sync.Mutex
	taken   int
	waiting map[string][]*seat // before connection_init, by address, the oldest first
	waits   int
	opened  uint64 // how many were ever before connection_init
}

// seat is the seat of one WebSocket or event stream.
type seat struct {
	of    *seats
	host  string // it is before connection_init; empty: it counts among all
	since uint64 // its place among those before connection_init
	end   context.CancelCauseFunc
	ended bool // another WebSocket has its seat

	who     places.Principal // for whom it counts among those of its tenant, if release is not nil
	release func()

	counted principal // whose connection it is already before connection_init, if uncount is not nil
	uncount func()    // stops counting it there
}

func newSeats(all int) *seats {
	return &seats{tenants: places.New(places.Shared(int64(all))), all: all, opening: max(1, all/4), perHost: max(1, all/16), waiting: map[string][]*seat{}}
}

// take returns a seat. The error is UNAVAILABLE if all are taken.
func (s *seats) take() (*seat, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken >= s.all {
		return nil, errSeats
	}
	s.taken++
	return &seat{of: s}, nil
}

// crowded reports that one more WebSocket without a credential from an address ends another one.
func (s *seats) crowded(host string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isCrowded(host)
}

func (s *seats) isCrowded(host string) bool {
	return s.waits >= s.opening || len(s.waiting[host]) >= s.perHost
}

// takeOpening returns a seat for a WebSocket that has not shown a credential. If the seats of its address are taken, the oldest one of the
// address ends; if all are, the oldest one of the address that has most. end ends the WebSocket.
func (s *seats) takeOpening(host string, end context.CancelCauseFunc) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isCrowded(host) {
		from := host
		if len(s.waiting[host]) < s.perHost {
			from = s.fullest()
		}
		oldest := s.waiting[from][0]
		oldest.ended = true
		s.leaveWaiting(oldest)
		oldest.end(errSeats)
	}
	s.opened++
	x := &seat{of: s, host: host, since: s.opened, end: end}
	s.waits++
	s.waiting[host] = append(s.waiting[host], x)
	return x
}

// fullest is the address with most WebSockets before connection_init; of several, the one with the oldest.
func (s *seats) fullest() string {
	return slices.MaxFunc(slices.Collect(maps.Keys(s.waiting)), func(a, b string) int {
		x, y := s.waiting[a], s.waiting[b]
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(y[0].since, x[0].since))
	})
}

// settle counts a seat among all and those of the tenant of its caller, from connection_init on. The error is UNAVAILABLE if all or those of
// the tenant are taken, or the seat has another one.
func (x *seat) settle(who places.Principal) error {
	s := x.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.ended || x.host != "" && s.taken >= s.all {
		return errSeats
	}
	if who.Tenant != "" && (x.release == nil || x.who != who) {
		release, ok := s.tenants.TryEnter(who, 1)
		if !ok {
			return errSeats
		}
		if x.release != nil {
			x.release()
		}
		x.who, x.release = who, release
	}
	if x.host == "" {
		return nil
	}
	s.leaveWaiting(x)
	x.host = ""
	s.taken++
	return nil
}

// leave gives the seat back.
func (x *seat) leave() {
	s := x.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.release != nil {
		x.release()
	}
	switch {
	case x.ended:
	case x.host != "":
		s.leaveWaiting(x)
	default:
		s.taken--
	}
}

func (s *seats) leaveWaiting(x *seat) {
	s.waits--
	others := slices.DeleteFunc(s.waiting[x.host], func(o *seat) bool { return o == x })
	if s.waiting[x.host] = others; len(others) == 0 {
		delete(s.waiting, x.host)
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

// seatFor returns the seat of a WebSocket or an event stream; end ends the stream. If there are many WebSockets without a credential,
// one whose request has a valid one takes no seat among them, and is a connection of its principal at once. The error is UNAVAILABLE if all
// seats are taken, and RATE_LIMITED if the principal has as many connections as it may have.
func (h *Handler) seatFor(r *http.Request, end context.CancelCauseFunc) (*seat, error) {
	if !wire.Upgrades(r) || h.config.Hold == nil {
		return h.seats.take()
	}
	host := cmp.Or(h.config.Address(r), "?")
	if !h.seats.crowded(host) {
		return h.seats.takeOpening(host, end), nil
	}
	c, err := h.config.Authenticate(r)
	if err != nil {
		return h.seats.takeOpening(host, end), nil
	}
	leave, err := h.shares.countConnection(c)
	if err != nil {
		return nil, err
	}
	x, err := h.seats.take()
	if err == nil {
		if err = x.settle(places.Of(c)); err != nil {
			x.leave()
		}
	}
	if err != nil {
		leave()
		return nil, err
	}
	context.AfterFunc(r.Context(), leave)
	x.counted, x.uncount = principalOf(c), leave
	return x, nil
}

// connect counts an event stream, or a WebSocket from its connection_init on, as a connection of its caller, once, and its seat among those with
// a credential.
func (h *Handler) connect(ctx context.Context, r *http.Request, c engine.Caller) error {
	x, _ := r.Context().Value(seatKey{}).(*seat)
	if x == nil || x.uncount == nil || x.counted != principalOf(c) {
		if err := h.shares.connection(ctx, c); err != nil {
			return err
		}
		if x != nil && x.uncount != nil {
			x.uncount()
		}
	}
	if x == nil {
		return nil
	}
	return x.settle(places.Of(c))
}
