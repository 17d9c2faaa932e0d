package resolvers_test

import (
	"context"
	"net/http"
	"strconv"
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
	open := func(name string) (*websocket.Conn, int) { return s.socketOf(t, name) }
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

// socketOf opens a WebSocket of a principal. It returns its close code if it was refused.
func (s *server) socketOf(t *testing.T, name string) (*websocket.Conn, int) {
	t.Helper()
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

// follows starts a subscription to all events from the beginning, and returns the code of the error that answers it; empty:
// it brings an event.
func follows(t *testing.T, conn *websocket.Conn, id string) string {
	t.Helper()
	const query = `subscription { memoryEvents(after: "AXYAAAAAAAAAAA") { id } }`
	if err := conn.WriteJSON(vars{"type": "subscribe", "id": id, "payload": vars{"query": query}}); err != nil {
		t.Fatal(err)
	}
	for {
		var m struct {
			ID, Type string
			Payload  struct{ Errors []fault }
		}
		if err := conn.ReadJSON(&m); err != nil {
			t.Fatal(err)
		}
		if m.Type == "ping" || m.ID != id || m.Type == "complete" {
			continue
		}
		if len(m.Payload.Errors) > 0 {
			code, _ := m.Payload.Errors[0].Extensions["code"].(string)
			return code
		}
		return ""
	}
}

// A principal has at most 64 subscriptions, over however many sockets. Each that ends makes room.
// Without authentication there is no such limit.
func TestSubscriptionsOfOnePrincipalAreLimited(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.Authenticate = named })
	s.remember("one", nil)
	var sockets []*websocket.Conn
	for range 4 {
		conn, code := s.socketOf(t, "ana")
		if code != 0 {
			t.Fatalf("a socket is refused with %d", code)
		}
		sockets = append(sockets, conn)
	}
	for i := range 64 {
		if code := follows(t, sockets[i/32], strconv.Itoa(i%32)); code != "" {
			t.Fatalf("subscription %d: %s", i+1, code)
		}
	}
	if code := follows(t, sockets[2], "0"); code != string(graph.CodeRateLimited) {
		t.Errorf("subscription 65: %q", code)
	}
	stream := []byte(`{"query":"subscription{memoryEvents{id}}"}`)
	if a := s.post(stream, "Authorization", "Bearer ana", "Accept", "text/event-stream"); !strings.Contains(string(a.Body), string(graph.CodeRateLimited)) {
		t.Errorf("an event stream beside 64 subscriptions: %d %s", a.Status, a.Body)
	}
	if a := s.post([]byte(`{"query":"{health{score}}"}`), "Authorization", "Bearer ana"); a.code() != "" {
		t.Errorf("a query beside 64 subscriptions: %s", a.Body)
	}
	if conn, _ := s.socketOf(t, "bo"); follows(t, conn, "0") != "" {
		t.Error("a subscription of another principal is refused")
	}
	if err := sockets[0].WriteJSON(vars{"type": "complete", "id": "7"}); err != nil {
		t.Fatal(err)
	}
	if err := sockets[1].Close(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for begun, id := 0, 0; begun < 32; id++ { // 33 have ended
		if follows(t, sockets[3], strconv.Itoa(id)) == "" {
			begun++
		} else if time.Now().After(deadline) {
			t.Fatalf("subscriptions that ended make room for %d of 32", begun)
		}
	}
	for range 3 {
		s.socket(t, 32)
	}
}
