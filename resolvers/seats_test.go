package resolvers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// dial opens a WebSocket and returns it with the status of the answer; nil if it was refused.
func (s *server) dial(t *testing.T, header http.Header) (*websocket.Conn, int) {
	t.Helper()
	d := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
	conn, resp, err := d.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.http.URL, "http")+"/graphql", header)
	if resp == nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if conn != nil {
		t.Cleanup(func() { _ = conn.Close() })
	}
	return conn, resp.StatusCode
}

// Sockets that show no credential take no seat of those who have one: a socket with a header, one that has sent connection_init, and a stream of
// events still open.
func TestSocketsWithoutCredentialTakeNoSeats(t *testing.T) {
	s := start(t, func(c *resolvers.Config) {
		c.Authenticate = bearer
		c.Hold = func(engine.Caller, func()) (stop func()) { return func() {} }
		c.Address = func(r *http.Request) string { return r.Header.Get("X-Forwarded-For") }
		c.Limits.Streams = 32 // 8 before connection_init, 2 of one address
	})
	dial := func(header http.Header) (*websocket.Conn, int) { return s.dial(t, header) }
	accepted := func(conn *websocket.Conn, key string) {
		t.Helper()
		if err := conn.WriteJSON(vars{"type": "connection_init", "payload": vars{"Authorization": "Bearer " + key}}); err != nil {
			t.Fatal(err)
		}
		var ack vars
		if err := conn.ReadJSON(&ack); err != nil || ack["type"] != "connection_ack" {
			t.Fatalf("%v, %v", ack, err)
		}
	}
	first, status := dial(nil)
	if _, second := dial(nil); status != http.StatusSwitchingProtocols || second != http.StatusSwitchingProtocols {
		t.Fatalf("%d, %d", status, second)
	}
	third, status := dial(nil)
	if status != http.StatusSwitchingProtocols {
		t.Fatalf("a third socket of the address without a credential: %d", status)
	}
	if _, _, err := first.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseTryAgainLater) {
		t.Errorf("the oldest one: %v", err)
	}
	if _, status := dial(http.Header{"X-Forwarded-For": {"203.0.113.9"}}); status != http.StatusSwitchingProtocols {
		t.Errorf("a socket of another address: %d", status)
	}
	if _, status := dial(http.Header{"Authorization": {"Bearer wrong"}}); status != http.StatusSwitchingProtocols {
		t.Errorf("one with a wrong credential takes the place of the second: %d", status)
	}
	for range 5 {
		conn, status := dial(http.Header{"Authorization": {"Bearer letmein"}})
		if status != http.StatusSwitchingProtocols {
			t.Fatalf("a socket with a credential: %d", status)
		}
		accepted(conn, "letmein")
	}
	if a := s.post([]byte(`{"query": "{ health { score } }"}`), "Accept", "text/event-stream", "Authorization", "Bearer letmein"); a.Status != http.StatusOK {
		t.Errorf("a stream of events: %d", a.Status)
	}
	accepted(third, "letmein") // it leaves a seat for another one
	next, status := dial(nil)
	if status != http.StatusSwitchingProtocols {
		t.Fatalf("a socket after connection_init of another one: %d", status)
	}
	accepted(next, "letmein")
	if n := s.handler.Streams(); n < 8 {
		t.Errorf("%d sockets are open", n)
	}
}

// A socket that loses its place while its credential is judged is told to try again, whatever comes of the credential.
func TestASocketThatLosesItsPlaceWhileItsKeyIsJudged(t *testing.T) {
	judged := make(chan struct{})
	s := start(t, func(c *resolvers.Config) {
		c.Authenticate = func(r *http.Request) (engine.Caller, error) {
			if strings.HasSuffix(r.Header.Get("Authorization"), "slow") {
				close(judged)
				<-r.Context().Done() // as a request to an issuer would
				return engine.Caller{}, graph.Errorf(graph.CodeUnauthenticated, "the key can't be judged")
			}
			return bearer(r)
		}
		c.Hold = func(engine.Caller, func()) (stop func()) { return func() {} }
		c.Address = func(*http.Request) string { return "203.0.113.9" }
		c.Limits.Streams = 32 // 2 before connection_init of one address
	})
	dial := func() *websocket.Conn {
		t.Helper()
		conn, status := s.dial(t, nil)
		if status != http.StatusSwitchingProtocols {
			t.Fatalf("a socket: %d", status)
		}
		return conn
	}
	first := dial()
	if err := first.WriteJSON(vars{"type": "connection_init", "payload": vars{"Authorization": "Bearer slow"}}); err != nil {
		t.Fatal(err)
	}
	<-judged
	dial()
	dial()
	if _, m, err := first.ReadMessage(); !websocket.IsCloseError(err, websocket.CloseTryAgainLater) {
		t.Errorf("it gets %s, %v", m, err)
	}
}

// Sockets whose requests have a credential are connections of its principal before connection_init too: they take no more seats of others
// than it may have, and count once after connection_init.
func TestSocketsBeforeInitCountForTheirPrincipal(t *testing.T) {
	s := start(t, func(c *resolvers.Config) {
		c.Authenticate = func(r *http.Request) (engine.Caller, error) {
			name, known := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			if !known || name == "wrong" {
				return engine.Caller{}, graph.Errorf(graph.CodeUnauthenticated, "the key is not accepted")
			}
			caller := engine.Loopback()
			caller.Name, caller.Sources = name, false
			return caller, nil
		}
		c.Hold = func(engine.Caller, func()) (stop func()) { return func() {} }
		c.Address = func(r *http.Request) string { return r.Header.Get("X-Forwarded-For") }
		c.Limits.Streams = 32 // 2 before connection_init of one address
		c.Limits.PrincipalStreams = 4
	})
	dial := func(key string) (*websocket.Conn, int) {
		return s.dial(t, http.Header{"Authorization": {"Bearer " + key}})
	}
	begin := func(conn *websocket.Conn, payload vars) error {
		if err := conn.WriteJSON(vars{"type": "connection_init", "payload": payload}); err != nil {
			return err
		}
		var ack vars
		return conn.ReadJSON(&ack)
	}
	dial("wrong")
	dial("wrong") // the places of the address
	var open []*websocket.Conn
	refused := 0
	for range 40 {
		switch conn, status := dial("acme"); status {
		case http.StatusSwitchingProtocols:
			open = append(open, conn)
		case http.StatusTooManyRequests:
			refused++
		default:
			t.Fatalf("status %d", status)
		}
	}
	if len(open) != 4 || refused != 36 {
		t.Errorf("%d sockets of one key are open, %d refused", len(open), refused)
	}
	for _, conn := range open {
		if err := begin(conn, nil); err != nil {
			t.Errorf("a socket that was counted before connection_init: %v", err)
		}
	}
	neighbour, status := dial("beta")
	if status != http.StatusSwitchingProtocols {
		t.Fatalf("another key: %d", status)
	}
	if err := begin(neighbour, vars{"Authorization": "Bearer acme"}); err == nil {
		t.Error("a fifth connection of the first key, opened with another one, is accepted")
	}
	if err := open[0].Close(); err != nil {
		t.Fatal(err)
	}
	for range 10_000 { // until the server sees the end of the first one
		if conn, status := dial("acme"); status == http.StatusSwitchingProtocols {
			if err := begin(conn, nil); err != nil {
				t.Error(err)
			}
			return
		}
	}
	t.Error("the place of a socket that ended is not free")
}

// One tenant, with however many principals, leaves sockets and streams to others, and two tenants to a third one.
func TestTenantsShareSocketsAndStreams(t *testing.T) {
	s := start(t, func(c *resolvers.Config) {
		c.Authenticate = func(r *http.Request) (engine.Caller, error) {
			tenant, name, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), "/")
			caller := engine.Loopback()
			caller.Tenant, caller.Name, caller.Sources = graph.Tenant(tenant), name, false
			return caller, nil
		}
		c.Hold = func(engine.Caller, func()) (stop func()) { return func() {} }
		c.Address = func(*http.Request) string { return "203.0.113.9" }
		c.Limits.Streams = 16 // 12 of one tenant, 14 of all that have some; 1 before connection_init
	})
	dial := func(key string, early bool) (*websocket.Conn, bool) {
		t.Helper()
		header := http.Header{}
		if early {
			header.Set("Authorization", "Bearer "+key)
		}
		conn, status := s.dial(t, header)
		if status != http.StatusSwitchingProtocols {
			return nil, false
		}
		if err := conn.WriteJSON(vars{"type": "connection_init", "payload": vars{"Authorization": "Bearer " + key}}); err != nil {
			return nil, false
		}
		var ack vars
		err := conn.ReadJSON(&ack)
		if err != nil && !websocket.IsCloseError(err, websocket.CloseTryAgainLater) {
			t.Errorf("%s: %v", key, err)
		}
		return conn, err == nil
	}
	for _, x := range []struct {
		tenant string
		want   int
	}{{"acme", 12}, {"beta", 2}, {"gamma", 1}, {"delta", 1}, {"epsilon", 0}} {
		got := 0
		late := time.Now().Add(20 * time.Second) // the place of a refused one may be free a little later
		for i := 0; i < 20 || got < x.want && time.Now().Before(late); i++ {
			if _, ok := dial(fmt.Sprintf("%s/%d", x.tenant, i), i%2 > 0); ok {
				got++
			}
		}
		if got != x.want {
			t.Errorf("%s has %d sockets, want %d", x.tenant, got, x.want)
		}
		if a := s.post([]byte(`{"query": "{ health { score } }"}`), "Accept", "text/event-stream", "Authorization", "Bearer "+x.tenant+"/x"); a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" {
			t.Errorf("one more stream of %s: %d", x.tenant, a.Status)
		}
	}
}
