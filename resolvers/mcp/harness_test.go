package mcp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/resolvers"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// server is the endpoint over a real engine with a store in memory.
type server struct {
	*enginetest.World
	t    testing.TB
	http *httptest.Server
}

// start starts a server that ends with the test; change modifies its configuration.
func start(t testing.TB, change ...func(*mcp.Config)) *server {
	t.Helper()
	s := &server{World: enginetest.New(t), t: t}
	loopback := func(*http.Request) (engine.Caller, error) { return engine.Loopback(), nil }
	graphql := resolvers.NewHandler(resolvers.Config{Verbs: s.Engine, Authenticate: loopback})
	c := mcp.Config{Verbs: s.Engine, Authenticate: loopback, GraphQL: graphql, Schema: graphql.SDL(), Version: "test"}
	for _, f := range change {
		f(&c)
	}
	service := mcp.New(c)
	mux := http.NewServeMux()
	service.Routes(mux, func(h http.Handler) http.Handler { return h })
	s.http = httptest.NewServer(mux)
	t.Cleanup(func() { service.Close(); graphql.Close(); s.http.Close() })
	return s
}

// client is a connected client of the official SDK.
type client struct {
	*sdk.ClientSession
	t testing.TB
}

// connect connects a client to a path such as "/mcp/kites?user=ana".
func (s *server) connect(path string, o *sdk.ClientOptions) *client {
	s.t.Helper()
	transport := &sdk.StreamableClientTransport{Endpoint: s.http.URL + path, DisableStandaloneSSE: true, MaxRetries: -1}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, o).Connect(s.t.Context(), transport, nil)
	if err != nil {
		s.t.Fatalf("connect to %s: %v", path, err)
	}
	s.t.Cleanup(func() { _ = session.Close() }) // the server may have ended it
	return &client{session, s.t}
}

// post sends a message to a path.
func (s *server) post(path, body string) (status int, text string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.http.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	raw, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(raw)
}

// call calls a tool and returns its text, and whether it is an error.
func (c *client) call(tool string, args map[string]any) (string, bool) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s %v: %v", tool, args, err)
	}
	var b strings.Builder
	for _, part := range r.Content {
		b.WriteString(part.(*sdk.TextContent).Text)
	}
	return b.String(), r.IsError
}

// ok calls a tool that must succeed.
func (c *client) ok(tool string, args map[string]any) string {
	c.t.Helper()
	text, failed := c.call(tool, args)
	if failed {
		c.t.Fatalf("%s %v: %s", tool, args, text)
	}
	return text
}

// refused calls a tool that must fail with a text.
func (c *client) refused(tool string, args map[string]any, want string) {
	c.t.Helper()
	text, failed := c.call(tool, args)
	if !failed || !strings.Contains(text, want) {
		c.t.Errorf("%s %v: %q (error %v), want an error with %q", tool, args, text, failed, want)
	}
}

// id returns the first id in a text.
func id(t testing.TB, text string) string {
	t.Helper()
	_, after, found := strings.Cut(text, "id=")
	if !found || len(after) < 36 {
		t.Fatalf("no id in %q", text)
	}
	return after[:36]
}

type object = map[string]any
