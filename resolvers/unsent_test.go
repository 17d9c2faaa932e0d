package resolvers_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/nettest"
	"github.com/somnograph/somnograph/resolvers"
)

const longSearch = `{"query":"{search(input:{query:\"piers\",track:false}){hits{memory{content}}}}"}`

// asked sends an operation over HTTP.
func asked(t *testing.T, conn net.Conn, accept, body string) net.Conn {
	t.Helper()
	_, err := fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ana\r\nContent-Type: application/json\r\nAccept: %s\r\nContent-Length: %d\r\n\r\n%s",
		accept, len(body), body)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// unread are the ways to send an operation and to read nothing of its answer.
var unread = map[string]func(t *testing.T, conn net.Conn, body string) net.Conn{
	"HTTP": func(t *testing.T, conn net.Conn, body string) net.Conn {
		return asked(t, conn, "application/json", body)
	},
	"events": func(t *testing.T, conn net.Conn, body string) net.Conn {
		asked(t, conn, "text/event-stream", body)
		var begun strings.Builder
		for b := make([]byte, 1); !strings.HasSuffix(begun.String(), ":\n\n\r\n"); begun.Write(b) {
			if _, err := io.ReadFull(conn, b); err != nil {
				t.Fatal(err)
			}
		}
		return conn
	},
	"WebSocket": func(t *testing.T, conn net.Conn, body string) net.Conn {
		d := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}, NetDial: func(string, string) (net.Conn, error) { return conn, nil }}
		ws, resp, err := d.DialContext(t.Context(), "ws://localhost/graphql", http.Header{"Authorization": {"Bearer ana"}})
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if err := ws.WriteJSON(vars{"type": "connection_init"}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ws.ReadMessage(); err != nil {
			t.Fatal(err)
		}
		if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"id":"1","type":"subscribe","payload":`+body+`}`)); err != nil {
			t.Fatal(err)
		}
		return conn
	},
}

// becomes asks small queries of ana until they get a code.
func (s *server) becomes(t *testing.T, want string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		a := s.post([]byte(`{"query":"{health{score}}"}`), "Authorization", "Bearer ana")
		if a.code() == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("a query of the same principal gets %q, want %q", a.code(), want)
		}
	}
}

// While large answers to a principal are not read, its queries count as running.
func TestQueriesWhoseAnswersAreNotReadCount(t *testing.T) {
	for name, ask := range unread {
		t.Run(name, func(t *testing.T) {
			s := start(t, func(c *resolvers.Config) {
				c.Authenticate, c.Limits.PrincipalQueries, c.Limits.PrincipalAnswers = named, 2, 20_000
				c.Times.Wait = 20 * time.Millisecond
			})
			s.remember(strings.Repeat("The piers are open. ", 1500), nil)
			dial := nettest.Unbuffered(t, s.handler)
			first, second := ask(t, dial(), longSearch), ask(t, dial(), longSearch)
			s.becomes(t, string(graph.CodeRateLimited))
			if a := s.post([]byte(longSearch), "Authorization", "Bearer bo"); a.code() != "" {
				t.Errorf("a query of another principal: %s", a.Body)
			}
			go func() { _, _ = io.Copy(io.Discard, first) }()
			s.becomes(t, "")
			_ = second.Close()
			for range 2 { // both places are free again
				if a := s.post([]byte(longSearch), "Authorization", "Bearer ana"); a.code() != "" {
					t.Errorf("afterwards: %s", a.Body)
				}
			}
			third, fourth := ask(t, dial(), longSearch), ask(t, dial(), longSearch)
			s.becomes(t, string(graph.CodeRateLimited))
			_, _ = third.Close(), fourth.Close()
			s.becomes(t, "")
		})
	}
}

// Answers that are small together do not count while they are sent.
func TestSmallAnswersThatAreNotReadDoNotCount(t *testing.T) {
	v := &slowSearch{came: make(chan struct{}, 100), free: make(chan struct{})}
	close(v.free)
	s := start(t, func(c *resolvers.Config) {
		v.Verbs, c.Verbs, c.Authenticate, c.Limits.PrincipalQueries = c.Verbs, v, named, 1
	})
	s.remember(strings.Repeat("The piers are open. ", 1500), nil)
	dial := nettest.Unbuffered(t, s.handler)
	for _, ask := range unread {
		for range 3 {
			ask(t, dial(), longSearch)
			<-v.came
		}
	}
	if a := s.post([]byte(longSearch), "Authorization", "Bearer ana"); a.code() != "" {
		t.Errorf("beside them: %s", a.Body)
	}
}

// While large answers to a principal are not read, its mutations wait, and are refused before they are carried out.
func TestMutationsWhoseAnswersAreNotReadCount(t *testing.T) {
	s := start(t, func(c *resolvers.Config) {
		c.Authenticate, c.Limits.PrincipalStreams, c.Limits.PrincipalAnswers = named, 2, 20_000
		c.Times.Wait = 20 * time.Millisecond
	})
	id := s.remember(strings.Repeat("The piers are open. ", 1500), nil)
	body, err := json.Marshal(vars{"query": `mutation($id: ID!) { feedback(query: "piers", id: $id, outcome: USED) { content } }`, "variables": vars{"id": id}})
	if err != nil {
		t.Fatal(err)
	}
	send := func(name string) string { return s.post(body, "Authorization", "Bearer "+name).code() }
	becomes := func(want string) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); ; {
			code := send("ana")
			if code == want {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("a mutation of the same principal gets %q, want %q", code, want)
			}
		}
	}
	becomes("")
	for name, ask := range unread {
		dial := nettest.Unbuffered(t, s.handler)
		first, second := ask(t, dial(), string(body)), ask(t, dial(), string(body))
		becomes(string(graph.CodeRateLimited))
		if code := send("bo"); code != "" {
			t.Errorf("%s: a mutation of another principal: %s", name, code)
		}
		_, _ = first.Close(), second.Close()
		becomes("")
	}
}
