package httpd

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
)

// refusalTime is how long the refusal of a connection may take.
const refusalTime = 100 * time.Millisecond

// restTime is how long a connection with an accepted credential is idle at least before another one may have its place.
const restTime = time.Second

// showTime is how long a new connection has to show a credential before those of others, as long as there are few like it.
const showTime = time.Second

// refusal is the answer to a connection above the limit.
const refusal = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 21\r\nRetry-After: 1\r\nConnection: close\r\n\r\ntoo many connections\n"

// limitedListener accepts a limited number of connections at once, so that they leave descriptors for the store. A further one takes
// the place of another one, see takeFrom. If there is none, it is answered with status 503 and closed.
type limitedListener struct {
	net.Listener
	most      int
	plain     bool // without TLS: a refused client can read the answer
	unguarded bool // without authentication
	now       func() time.Time
	warn      func(most int)

	mu     sync.Mutex
	open   int
	warned bool // since half of the places were free
	// The connections whose place another one may have, by the time of their last change of state.
	strangers list.List             // no credential was accepted
	from      map[string]*list.List // these, by address
	known     list.List             // a credential was accepted, and no request runs
	holders   holders               // of connections with an accepted credential
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host := hostOf(c.RemoteAddr())
		if l.enter() {
			return l.place(c, host), nil
		}
		if l.plain && c.SetWriteDeadline(time.Now().Add(refusalTime)) == nil {
			_, _ = c.Write([]byte(refusal)) // the client may be gone
		}
		_ = c.Close()
	}
}

// hostOf is the address of a client without its port, of IPv6 its network of 64 bits.
func hostOf(a net.Addr) string {
	at, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return a.String()
	}
	ip := at.Addr().Unmap()
	if net, err := ip.WithZone("").Prefix(64); ip.Is6() && err == nil {
		return net.String()
	}
	return ip.String()
}

// enter counts a new connection, in the place of another one if need be.
func (l *limitedListener) enter() bool {
	l.mu.Lock()
	full, warn := l.open >= l.most, false
	var other *limitedConn
	if full {
		warn, l.warned = !l.warned, true
		other = l.takeFrom()
	}
	enters := !full || other != nil
	if enters {
		l.open++
	}
	l.mu.Unlock()
	if warn {
		l.warn(l.most)
	}
	if other != nil {
		_ = other.Close() // its client may be gone
	}
	return enters
}

// takeFrom returns the connection whose place another one may have: of those without an accepted credential the one that has been idle, or
// whose request has lasted, for longest (its body does not come, or it does not read), then one of who holds more than a fair share, see
// takeFromLargest, then of those with a credential the one that has been idle for longest. A request with a credential is never cut off while
// it does not wait for its body, nor without authentication any request, nor what was hijacked. nil: there is none.
//
// One that was just opened or has just begun a request is the last of its kind. So a client that opens connections all the time does not
// keep others from showing their credentials, whatever it does with them. While few have shown none, those have showTime for it. Of the addresses
// that have manyStrangers the one that has most loses its own first, but none of its new ones before an old one of another address.
func (l *limitedListener) takeFrom() *limitedConn {
	first := l.strangers.Front()
	if from := l.mostStrangers(); from != nil && (!l.lasts(first, showTime) || l.lasts(from.Front(), showTime)) {
		first = from.Front()
	}
	if first == nil || l.strangers.Len() <= l.reserve() && !l.lasts(first, showTime) {
		if c := l.takeFromLargest(); c != nil {
			return c
		}
	}
	if first == nil {
		if first = l.known.Front(); first == nil || !l.lasts(first, restTime) {
			return nil
		}
	}
	return l.take(first)
}

// manyStrangers is the number of connections without an accepted credential from which on an address has many. Clients that share an address have
// fewer, because each shows its credential within some round trips.
const manyStrangers = 4

// mostStrangers returns the connections without an accepted credential of the address that has most of them; nil: none has many. It looks at each
// address, of which there are at most as many as connections.
func (l *limitedListener) mostStrangers() (most *list.List) {
	n := manyStrangers - 1
	for _, own := range l.from {
		if own.Len() > n {
			n, most = own.Len(), own
		}
	}
	return most
}

// lasts reports whether a connection has been in its state for some time.
func (l *limitedListener) lasts(e *list.Element, d time.Duration) bool {
	return l.now().Sub(e.Value.(*limitedConn).since) >= d
}

// take takes the place of a connection, which the caller closes.
func (l *limitedListener) take(e *list.Element) *limitedConn {
	c := e.Value.(*limitedConn)
	c.taken = true
	c.sort()
	return c
}

// place returns a new connection that was counted.
func (l *limitedListener) place(c net.Conn, host string) *limitedConn {
	limited := &limitedConn{Conn: c, listener: l, host: host}
	limited.release = sync.OnceFunc(func() {
		limited.enter(http.StateClosed)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.holders.change(limited.who, -1, l.most)
		if l.open--; l.open <= l.most/2 {
			l.warned = false
		}
	})
	limited.enter(http.StateNew)
	return limited
}

// limitedConn counts until it is closed.
type limitedConn struct {
	net.Conn
	listener *limitedListener
	host     string // its address, see hostOf
	release  func()

	// The rest is guarded by the listener.
	state http.ConnState
	since time.Time        // of state, or of what its request waits for
	known bool             // a credential was accepted
	who   places.Principal // whose it was; zero: nobody's
	taken bool             // another connection has its place
	ends  bool             // after the answer to its request
	among map[*list.List]*list.Element
	bodyWait
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}

// enter begins a state, in which the connection is to be closed if ends.
func (c *limitedConn) enter(state http.ConnState) (ends bool) {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	c.state, c.since = state, c.listener.now()
	c.unread, c.lack = false, 0
	c.sort()
	return c.ends && state == http.StateIdle
}

// sort moves the connection to the lists in which it belongs.
func (c *limitedConn) sort() {
	for of, at := range c.among {
		of.Remove(at)
		delete(c.among, of)
	}
	l := c.listener
	if own := l.from[c.host]; own != nil && own.Len() == 0 {
		delete(l.from, c.host)
	}
	waits := c.state == http.StateNew || c.state == http.StateIdle
	switch {
	case c.taken:
	case !c.known && (waits || c.state == http.StateActive && !l.unguarded):
		c.enlist(&l.strangers)
		c.enlist(l.strangersFrom(c.host))
	case c.known && waits:
		c.enlist(&l.known)
		for _, h := range l.holders.of(c.who) {
			c.enlist(&h.idle)
		}
	case c.known && c.waitsForBody():
		for _, h := range l.holders.of(c.who) {
			c.enlist(&h.unsent)
		}
	}
}

// strangersFrom returns the connections from an address without an accepted credential.
func (l *limitedListener) strangersFrom(host string) *list.List {
	own := l.from[host]
	if own == nil {
		if l.from == nil {
			l.from = map[string]*list.List{}
		}
		own = list.New()
		l.from[host] = own
	}
	return own
}

// enlist adds the connection to a list: at the end, or at its beginning if its body has come too slowly already.
func (c *limitedConn) enlist(to *list.List) {
	if c.among == nil {
		c.among = map[*list.List]*list.Element{}
	}
	if c.state == http.StateActive && c.lack >= headerTime {
		c.among[to] = to.PushFront(c)
		return
	}
	c.among[to] = to.PushBack(c)
}

// accept notes whose credential was accepted; false: another connection has the place, or who it is holds too many.
func (c *limitedConn) accept(who places.Principal) bool {
	l := c.listener
	l.mu.Lock()
	var other *limitedConn
	ok := !c.taken
	if ok && (!c.known || c.who != who) {
		if other, ok = l.admit(c, who); ok {
			c.known = true
			l.holders.change(c.who, -1, l.most)
			c.who = who
			l.holders.change(c.who, 1, l.most)
			c.sort()
		}
	}
	l.mu.Unlock()
	if other != nil {
		_ = other.Close() // its client may be gone
	}
	return ok
}

// stands reports whether the connection still has its place.
func (c *limitedConn) stands() bool {
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	return !c.taken
}

// limited returns the counted connection below one of an http.Server; nil: it is not counted.
func limited(c net.Conn) *limitedConn {
	if secure, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = secure.NetConn()
	}
	l, _ := c.(*limitedConn)
	return l
}

type connKey struct{}

// withConn is the ConnContext of an http.Server.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, limited(c))
}

// connOf returns the counted connection of a request; nil: it is not counted.
func connOf(r *http.Request) *limitedConn {
	c, _ := r.Context().Value(connKey{}).(*limitedConn)
	return c
}

// Accepting notes on the connection of a request whose credential was accepted. The error is UNAVAILABLE if the connection was closed
// in favour of another one meanwhile, or whose it is holds too many: nothing may be executed whose answer the client can't get.
func Accepting(authenticate func(*http.Request) (engine.Caller, error)) func(*http.Request) (engine.Caller, error) {
	return func(r *http.Request) (engine.Caller, error) {
		caller, err := authenticate(r)
		if c := connOf(r); err == nil && c != nil && !c.accept(places.Of(caller)) {
			c.endAfter(r)
			err = graph.Errorf(graph.CodeUnavailable, "too many connections")
		}
		return caller, err
	}
}
