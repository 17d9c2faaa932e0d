package resolvers_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// slowSearch blocks every search of ana until it is released.
type slowSearch struct {
	resolvers.Verbs
	came, free chan struct{}
}

func (s *slowSearch) Search(ctx context.Context, c engine.Caller, in engine.SearchInput) (*engine.SearchResult, error) {
	if c.Name == "ana" {
		s.came <- struct{}{}
		<-s.free
	}
	return s.Verbs.Search(ctx, c, in)
}

// named makes the caller of a request the principal that its header names; nobody is the caller without authentication.
func named(r *http.Request) (engine.Caller, error) {
	name := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if name == "" {
		return engine.Loopback(), nil
	}
	return engine.Caller{Tenant: "default", Name: name, Grant: 1, Scopes: access.AllScopes}, nil
}

// A principal runs 8 queries at once. Further ones wait, and are refused if they would wait too long; those of others run meanwhile.
func TestQueriesOfOnePrincipalAreLimited(t *testing.T) {
	v := &slowSearch{came: make(chan struct{}, 100), free: make(chan struct{})}
	s := start(t, func(c *resolvers.Config) {
		v.Verbs, c.Verbs, c.Authenticate = c.Verbs, v, named
		c.Times.Wait = 20 * time.Millisecond
	})
	search := []byte(`{"query":"{search(input:{query:\"piers\"}){hits{memory{id}}}}"}`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if a := s.post(search, "Authorization", "Bearer ana"); a.code() != "" {
				t.Errorf("one of the eight: %s", a.Body)
			}
		})
	}
	for range 8 {
		<-v.came
	}
	a := s.post(search, "Authorization", "Bearer ana")
	if a.code() != string(graph.CodeRateLimited) || a.Status != http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" || len(v.came) != 0 {
		t.Errorf("the ninth: %d %s", a.Status, a.Body)
	}
	for _, other := range []string{"Bearer bo", ""} {
		if a := s.post(search, "Authorization", other); a.code() != "" {
			t.Errorf("a query of %q: %s", other, a.Body)
		}
	}
	if a := s.post([]byte(`{"query":"mutation{remember(input:{content:\"Pier 9 is open.\",consent:EXPLICIT}){memory{id}}}"}`), "Authorization", "Bearer ana"); a.code() != "" {
		t.Errorf("a write of the same principal: %s", a.Body)
	}
	close(v.free)
	wg.Wait()
	for range 20 { // no place is lost
		if a := s.post(search, "Authorization", "Bearer ana"); a.code() != "" {
			t.Fatalf("afterwards: %s", a.Body)
		}
	}
}

// A principal has a limited number of sockets and event streams together; a closed one makes room.
func TestStreamsOfOnePrincipalAreLimited(t *testing.T) {
	s := start(t, func(c *resolvers.Config) {
		c.Authenticate, c.Limits.PrincipalStreams = named, 2
	})
	// open returns a socket, and its close code if it was refused.
	open := func(name string) (*websocket.Conn, int) {
		d := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
		conn, resp, err := d.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.http.URL, "http")+"/graphql", http.Header{"Authorization": {"Bearer " + name}})
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		t.Cleanup(func() { _ = conn.Close() })
		if err := conn.WriteJSON(map[string]string{"type": "connection_init"}); err != nil {
			t.Fatal(err)
		}
		for {
			_, m, err := conn.ReadMessage()
			if closed, is := err.(*websocket.CloseError); is {
				return nil, closed.Code
			}
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(m), "connection_ack") {
				return conn, 0
			}
		}
	}
	first, code := open("ana")
	if _, second := open("ana"); code != 0 || second != 0 {
		t.Fatalf("codes %d and %d", code, second)
	}
	if _, code := open("ana"); code != 4429 {
		t.Errorf("the third socket: code %d", code)
	}
	stream := []byte(`{"query":"subscription{memoryEvents{id}}"}`)
	if a := s.post(stream, "Authorization", "Bearer ana", "Accept", "text/event-stream"); a.Status != http.StatusTooManyRequests {
		t.Errorf("an event stream besides two sockets: %d %s", a.Status, a.Body)
	}
	if _, code := open("bo"); code != 0 {
		t.Errorf("a socket of another principal: code %d", code)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		if _, code := open("ana"); code == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a closed socket makes no room")
		}
	}
}
