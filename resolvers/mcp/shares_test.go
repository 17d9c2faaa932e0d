package mcp_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/nettest"
	"github.com/somnograph/somnograph/resolvers"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// heldSearch blocks every search until it is released.
type heldSearch struct {
	mcp.Verbs
	came, free chan struct{}
}

func (h *heldSearch) Search(ctx context.Context, c engine.Caller, in engine.SearchInput) (*engine.SearchResult, error) {
	h.came <- struct{}{}
	<-h.free
	return h.Verbs.Search(ctx, c, in)
}

// shared makes the callers principals, whose shares are those of GraphQL.
func shared(wait time.Duration) func(*mcp.Config) { return sharedWithin(resolvers.Limits{}, wait) }

// sharedWithin is shared with other limits.
func sharedWithin(l resolvers.Limits, wait time.Duration) func(*mcp.Config) {
	return func(c *mcp.Config) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) {
			return engine.Caller{Tenant: "default", Name: "ana", Grant: 1, Scopes: access.AllScopes}, nil
		}
		graphql := resolvers.NewHandler(resolvers.Config{Verbs: c.Verbs.(resolvers.Verbs), Authenticate: c.Authenticate, Limits: l, Times: resolvers.Times{Wait: wait}})
		c.GraphQL, c.EnterQuery, c.EnterSubscription, c.BeginAnswer = graphql, graphql.EnterQuery, graphql.EnterSubscription, graphql.BeginAnswer
	}
}

// What a principal reads by MCP counts as its queries, together with those by GraphQL; what it writes does not.
func TestReadsCountAsQueries(t *testing.T) {
	v := &heldSearch{came: make(chan struct{}, 100), free: make(chan struct{})}
	s := start(t, shared(20*time.Millisecond), func(c *mcp.Config) { v.Verbs, c.Verbs = c.Verbs, v })
	release := sync.OnceFunc(func() { close(v.free) })
	defer release()
	var readers sync.WaitGroup
	for range 8 {
		c := s.connect("/mcp", nil)
		readers.Go(func() { c.ok("recall", object{"query": "piers"}) })
	}
	for range 8 {
		<-v.came
	}
	c := s.connect("/mcp", nil)
	c.refused("recall", object{"query": "piers"}, "8 queries are running for you already")
	c.refused("history", object{"id": "01890a5d-ac96-774b-bcce-b302099a8057"}, "8 queries are running")
	c.refused("graphql", object{"query": "{ health { score } }"}, "8 queries are running")
	if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "somnograph://report/latest"}); err == nil || !strings.Contains(err.Error(), "8 queries are running") {
		t.Errorf("a resource: %v", err)
	}
	if text, status := s.hook("/hooks/claude-code", `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"Which pier is open?"}`); status != http.StatusServiceUnavailable {
		t.Errorf("a hook that searches: %d %s", status, text)
	}
	c.ok("remember", object{"text": "Pier 9 is open."})
	if len(v.came) != 0 {
		t.Errorf("%d searches beyond the eight", len(v.came))
	}
	release()
	readers.Wait()
	for range 20 { // no place is lost
		c.ok("recall", object{"query": "piers"})
	}
}

// A principal has at most 64 subscriptions, those by MCP included; one that ends makes room.
func TestSubscriptionsOfOnePrincipalAreLimited(t *testing.T) {
	entered := make(chan error, 1)
	s := start(t, shared(time.Second), func(c *mcp.Config) {
		enter := c.EnterSubscription
		c.EnterSubscription = func(ctx context.Context, caller engine.Caller) error {
			err := enter(ctx, caller)
			entered <- err
			return err
		}
	})
	subscribe := func() (*client, error) {
		c := s.connect("/mcp", nil)
		_ = c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "somnograph://schema"}) // it does not wait for the answer
		return c, <-entered
	}
	first, err := subscribe()
	for i := 2; i <= 64 && err == nil; i++ {
		_, err = subscribe()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := subscribe(); graph.CodeOf(err) != graph.CodeRateLimited {
		t.Errorf("subscription 65: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; {
		if _, err := subscribe(); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a subscription that ended makes no room")
		}
	}
}

// While large answers to a principal are not read, its calls of tools that read count as running.
func TestCallsWhoseAnswersAreNotReadCount(t *testing.T) {
	for name, call := range map[string]string{
		"a tool":     `"tools/call","params":{"name":"recall","arguments":{"query":"piers"}}`,
		"graphql":    `"tools/call","params":{"name":"graphql","arguments":{"query":"{search(input:{query:\"piers\",track:false}){hits{memory{content}}}}"}}`,
		"a resource": `"resources/read","params":{"uri":"somnograph://schema"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, sharedWithin(resolvers.Limits{PrincipalQueries: 2, PrincipalAnswers: 1000}, 20*time.Millisecond))
			s.connect("/mcp", nil).ok("remember", object{"text": strings.Repeat("The piers are open. ", 1500)})
			dial := nettest.Unbuffered(t, s.http.Config.Handler)
			body := `{"jsonrpc":"2.0","id":1,"method":` + call + `}`
			var unread []net.Conn
			for range 2 {
				conn := dial()
				if _, err := fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
					t.Fatal(err)
				}
				unread = append(unread, conn)
			}
			becomes := func(refused bool) {
				t.Helper()
				c := s.connect("/mcp", nil)
				for deadline := time.Now().Add(20 * time.Second); ; {
					text, failed := c.call("recall", object{"query": "kites"})
					if failed == refused {
						return
					}
					if time.Now().After(deadline) {
						t.Fatalf("a call beside them: %.300q, error %v", text, failed)
					}
				}
			}
			becomes(true)
			go func() { _, _ = io.Copy(io.Discard, unread[0]) }()
			becomes(false)
			_ = unread[1].Close()
			becomes(false)
		})
	}
}
