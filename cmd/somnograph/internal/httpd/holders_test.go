package httpd

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/places"
)

// awaitHeld waits until a holder has so many connections, so many of them idle and so many that wait for a body.
func (c *crowd) awaitHeld(who places.Principal, n, idle, unsent int) {
	c.Helper()
	c.await(fmt.Sprintf("%d connections of %v, %d idle, %d waiting", n, who, idle, unsent), func(l *limitedListener) bool {
		h := l.holders.all[who]
		return n == 0 && h == nil || h != nil && h.n == n && h.idle.Len() == idle && h.unsent.Len() == unsent
	})
}

// A tenant whose requests wait for their bodies on all connections that it gets leaves the last places to others, also if several principals
// share them, and loses the oldest ones to others once their bodies do not come.
func TestBodiesOfOneTenantLeaveRoomForOthers(t *testing.T) {
	for name, principals := range map[string]int{"a principal": 1, "several principals": 5} {
		t.Run(name, func(t *testing.T) {
			c := startCrowd(t, Options{MaxConnections: 16, AnyHost: true})
			acme, beta := places.Principal{Tenant: "acme"}, places.Principal{Tenant: "beta"}
			credential := func(i int) string { return fmt.Sprintf("acme/%d", i%principals) }
			var bodies []*peer
			for i := range 14 {
				bodies = append(bodies, c.dial().send(http.MethodPost, "/", credential(i), 300_000))
				c.awaitHeld(acme, i+1, 0, i+1)
			}
			for i := range 2 {
				for _, length := range []int{0, 300_000} {
					p := c.dial().send(http.MethodPost, "/", credential(i), length)
					if got := []int{p.status(), p.status()}; got[0] != http.StatusServiceUnavailable || got[1] != 0 {
						t.Fatalf("one more with a body of %d bytes: %d, and the connection stays open", length, got)
					}
				}
			}
			var others []*peer
			for range 2 {
				others = append(others, c.dial())
				if got := others[len(others)-1].get("/", "beta/di"); got != http.StatusOK {
					t.Fatalf("another tenant: %d", got)
				}
			}
			c.awaitHeld(beta, 2, 2, 0)
			if got := c.dial().status(); got != http.StatusServiceUnavailable {
				t.Errorf("while no body is late: %d", got)
			}
			c.pass(headerTime)
			for i := range 5 {
				p := c.dial()
				if got := p.get("/", "beta/di"); got != http.StatusOK {
					t.Fatalf("another tenant in the place of a late body: %d", got)
				}
				others = append(others, p)
				if got := bodies[i].status(); got != 0 {
					t.Errorf("late body %d gets %d", i, got)
				}
				c.awaitHeld(beta, 3+i, 3+i, 0)
			}
			for i, p := range others {
				if got := p.get("/", "beta/di"); got != http.StatusOK {
					t.Errorf("connection %d of the other tenant: %d", i, got)
				}
			}
		})
	}
}

// A principal whose requests run on all connections that it gets leaves one to another principal of its tenant, and one to another tenant.
func TestRequestsOfOnePrincipalLeaveRoomForOthers(t *testing.T) {
	c := startCrowd(t, Options{MaxConnections: 16, AnyHost: true})
	acme := places.Principal{Tenant: "acme"}
	for i := range 14 {
		c.dial().send(http.MethodPost, "/held", "acme/ana", 2)
		<-c.held
		c.awaitHeld(acme, i+1, 0, 0)
	}
	for _, x := range []struct {
		credential string
		want       int
	}{{"acme/ana", http.StatusServiceUnavailable}, {"acme/bo", http.StatusOK}, {"acme/bo", http.StatusServiceUnavailable}, {"acme/cy", http.StatusServiceUnavailable}, {"beta/di", http.StatusOK}} {
		if got := c.dial().get("/", x.credential); got != x.want {
			t.Errorf("a request of %s gets %d, want %d", x.credential, got, x.want)
		}
	}
	close(c.release)
}

// Of idle connections those of who holds most make room, before those of others that have been idle for longer.
func TestIdleConnectionsOfTheLargestMakeRoom(t *testing.T) {
	c := startCrowd(t, Options{MaxConnections: 16, AnyHost: true})
	kept := c.dial()
	if got := kept.get("/", "beta/di"); got != http.StatusOK {
		t.Fatal(got)
	}
	c.awaitRoom(0, 1)
	var idle []*peer
	for i := range 13 {
		idle = append(idle, c.dial())
		if got := idle[i].get("/", "acme/ana"); got != http.StatusOK {
			t.Fatal(got)
		}
		c.awaitRoom(0, i+2)
	}
	c.pass(restTime)
	// The principal itself gets no more connections: one more takes the place of its first.
	if got := c.dial().get("/", "acme/ana"); got != http.StatusOK {
		t.Errorf("one more of the principal: %d", got)
	}
	if got := idle[0].status(); got != 0 {
		t.Errorf("its first connection gets %d", got)
	}
	c.await("14 connections", func(l *limitedListener) bool { return l.open == 14 })
	silent := []*peer{c.dial(), c.dial()}
	c.await("16 connections", func(l *limitedListener) bool { return l.open == 16 && l.strangers.Len() == 2 })
	for i := 1; i < 5; i++ { // while silent ones are new
		silent = append(silent, c.dial())
		if got := idle[i].status(); got != 0 {
			t.Errorf("idle connection %d gets %d", i, got)
		}
		c.await("its place", func(l *limitedListener) bool { return l.open == 16 && l.strangers.Len() == len(silent) })
		if got := silent[0].get("/", "beta/di"); got != http.StatusOK {
			t.Errorf("a client that was silent: %d", got)
		}
		silent = silent[1:]
		c.await("a known connection", func(l *limitedListener) bool { return l.strangers.Len() == len(silent) })
	}
	if got := kept.get("/", "beta/di"); got != http.StatusOK {
		t.Errorf("the connection that was idle for longest: %d", got)
	}
}

// A request whose body has come, or comes, keeps its place, whoever holds most.
func TestRequestsOfTheLargestKeepTheirPlaces(t *testing.T) {
	c := startCrowd(t, Options{MaxConnections: 16, AnyHost: true})
	acme := places.Principal{Tenant: "acme"}
	var held []*peer
	for i := range 13 {
		held = append(held, c.dial().send(http.MethodPost, "/held", "acme/ana", 2))
		<-c.held // its body is not read yet
		c.awaitHeld(acme, i+1, 0, 0)
	}
	const piece = 1 << 20 // more than paceRate asks of ten seconds
	slow := c.dial().send(http.MethodPost, "/", "acme/ana", 3*piece)
	c.awaitHeld(acme, 14, 0, 1)
	for range 2 {
		c.pass(headerTime - time.Second)
		if _, err := slow.Conn.Write(make([]byte, piece)); err != nil {
			t.Fatal(err)
		}
		c.await("a body that comes", func(l *limitedListener) bool {
			e := l.holders.all[acme].unsent.Front()
			return e != nil && !l.lasts(e, time.Second) && e.Value.(*limitedConn).lack == 0
		})
	}
	for i := range 2 {
		if got := c.dial().get("/", "beta/di"); got != http.StatusOK {
			t.Fatal(got)
		}
		c.awaitRoom(0, i+1)
	}
	if got := c.dial().status(); got != http.StatusServiceUnavailable {
		t.Errorf("beside requests whose bodies come: %d", got)
	}
	if _, err := slow.Conn.Write(make([]byte, piece)); err != nil {
		t.Fatal(err)
	}
	if got := slow.status(); got != http.StatusOK {
		t.Errorf("the slow body: %d", got)
	}
	c.awaitRoom(0, 3)
	c.pass(time.Hour)
	for range 3 {
		if got := c.dial().get("/", "beta/di"); got != http.StatusOK {
			t.Fatal(got)
		}
	}
	close(c.release)
	for i, p := range held {
		if _, err := io.WriteString(p.Conn, "xx"); err != nil {
			t.Fatal(err)
		}
		if got := p.status(); got != http.StatusOK {
			t.Errorf("request %d: %d", i, got)
		}
	}
}
