package httpd

import (
	"cmp"
	"container/list"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/somnograph/somnograph/internal/places"
)

// holder is a principal or, without a name, a tenant that holds connections with an accepted credential.
type holder struct {
	places.Principal
	n            int
	idle, unsent list.List // no request runs; those that run wait for their bodies
}

// holders count the connections of each principal and each tenant. The listener guards them.
type holders struct {
	all   map[places.Principal]*holder
	known int                          // connections of all
	large map[places.Principal]*holder // those that hold more than a fair share
}

// of returns the holders of the connections of a principal; none without authentication.
func (h *holders) of(who places.Principal) []*holder {
	var of []*holder
	for _, key := range keysOf(who) {
		if x := h.all[key]; x != nil {
			of = append(of, x)
		}
	}
	return of
}

// keysOf are the keys of the holders of the connections of a principal.
func keysOf(who places.Principal) []places.Principal {
	switch {
	case who.Tenant == "":
		return nil
	case who.Name == "":
		return []places.Principal{who}
	}
	return []places.Principal{who, {Tenant: who.Tenant}}
}

// share is how many of most connections are the fair share of a holder: a quarter for a principal, half for a tenant.
func (x *holder) share(most int) int {
	if x.Name == "" {
		return most / 2
	}
	return most / 4
}

// change adds n to the connections of a principal.
func (h *holders) change(who places.Principal, n, most int) {
	if h.all == nil {
		h.all, h.large = map[places.Principal]*holder{}, map[places.Principal]*holder{}
	}
	keys := keysOf(who)
	if len(keys) > 0 {
		h.known += n
	}
	for _, key := range keys {
		x := h.all[key]
		if x == nil {
			x = &holder{Principal: key}
			h.all[key] = x
		}
		x.n += n
		if x.n > x.share(most) {
			h.large[key] = x
		} else {
			delete(h.large, key)
		}
		if x.n == 0 {
			delete(h.all, key)
		}
	}
}

// reserve is the number of places that connections without an accepted credential have before those of who holds more than a fair share.
func (l *limitedListener) reserve() int { return l.most / 8 }

// few is how many connections a principal may hold to get one of the first half of the reserve beside others of its tenant that hold more than the
// fair share of the tenant.
func (l *limitedListener) few() int { return max(1, l.most/64) }

// admit makes room for one more connection of a principal. If the places are nearly full, one makes room of who holds more than a fair share.
// If there is none, and one more is more than the fair share of the principal or its tenant, it is refused: the last places are for others.
// The first half of them is also for principals of the tenant that hold few.
func (l *limitedListener) admit(c *limitedConn, who places.Principal) (other *limitedConn, ok bool) {
	known := l.holders.known
	if len(keysOf(c.who)) > 0 {
		known-- // it moves from one to another
	}
	if len(keysOf(who)) == 0 || known < l.most-l.reserve() {
		return nil, true
	}
	if other = l.takeFromLargest(); other != nil {
		return other, true
	}
	if x := l.holders.all[who]; known < l.most-l.reserve()/2 && (x == nil || x.n < l.few()) {
		return nil, true
	}
	for _, x := range l.holders.of(who) {
		if x.n+1 > x.share(l.most) {
			return nil, false
		}
	}
	return nil, true
}

// takeFromLargest returns the connection whose place another one may have, of the tenant that holds most of those where anybody holds more than
// a fair share, first of its principals that do: the one that has been idle for longest, then the one whose body does not come. nil: there is
// none.
func (l *limitedListener) takeFromLargest() *limitedConn {
	tenant := func(x *holder) int { return l.holders.all[places.Principal{Tenant: x.Tenant}].n }
	own := func(x *holder) int {
		if x.Name == "" {
			return 0
		}
		return x.n
	}
	for _, x := range slices.SortedFunc(maps.Values(l.holders.large), func(a, b *holder) int {
		return cmp.Or(cmp.Compare(tenant(b), tenant(a)), cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(own(b), own(a)))
	}) {
		if first := x.idle.Front(); first != nil && l.lasts(first, restTime) {
			return l.take(first)
		}
		if first := x.unsent.Front(); first != nil && l.lasts(first, headerTime) {
			return l.take(first)
		}
	}
	return nil
}

// bodyWait says whether the requests of a connection wait for their bodies.
type bodyWait struct {
	running, reading int           // requests that run, and those of them that read
	unread           bool          // the last one ended without all of its body
	lack             time.Duration // how much longer than at paceRate the bodies took
}

// waitsForBody reports whether nothing happens on the connection until more of a body comes.
func (c *limitedConn) waitsForBody() bool {
	return c.state == http.StateActive && (c.running > 0 && c.reading == c.running || c.running == 0 && c.unread)
}

// wait changes what the connection waits for. It may be nil.
func (c *limitedConn) wait(change func(*bodyWait)) {
	if c == nil {
		return
	}
	l := c.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	change(&c.bodyWait)
	if !c.known || c.state != http.StateActive {
		return // among strangers it keeps its place
	}
	if c.since = l.now(); c.lack >= headerTime {
		c.since = c.since.Add(-headerTime)
	}
	c.sort()
}

// run counts a request that begins.
func (b *bodyWait) run() { b.running++ }

// end counts a request that has ended.
func (b *bodyWait) end() { b.running-- }

// endUnread notes that the request that ends has not read its body.
func (b *bodyWait) endUnread() { b.unread = true }

// read counts a request that reads its body.
func (b *bodyWait) read() { b.reading++ }

// took counts a request that no longer reads its body. It got n bytes in some time.
func (b *bodyWait) took(n int, d time.Duration) {
	b.reading--
	b.lack = max(0, b.lack+d-time.Duration(n)*time.Second/paceRate)
}

// endAfter ends the connection after the answer to a request, which goes out at once, without the rest of its body. Over HTTP/2 other requests
// share the connection.
func (c *limitedConn) endAfter(r *http.Request) {
	c.listener.mu.Lock()
	c.ends = c.state == http.StateActive && r.ProtoMajor < 2
	ends := c.ends
	c.listener.mu.Unlock()
	if ends && r.ContentLength != 0 {
		_ = c.SetReadDeadline(longAgo)
	}
}
