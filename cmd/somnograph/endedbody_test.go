package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// slowBody is a body whose rest comes when it is sent.
type slowBody struct {
	first io.Reader
	asked chan struct{} // closed when the rest is read
	rest  chan string
	last  io.Reader
}

func newSlowBody(text string) (b *slowBody, send func()) {
	b = &slowBody{first: strings.NewReader(text[:len(text)/2]), asked: make(chan struct{}), rest: make(chan string, 1)}
	return b, func() { b.rest <- text[len(text)/2:] }
}

func (b *slowBody) Read(p []byte) (int, error) {
	if n, err := b.first.Read(p); err == nil {
		return n, nil
	}
	if b.last == nil {
		close(b.asked)
		b.last = strings.NewReader(<-b.rest)
	}
	return b.last.Read(p)
}

func (b *slowBody) Close() error { return nil }

// A credential that ends while a body is sent is refused like that of a new request, on each route that reads one, and nothing is done.
func TestCredentialsEndWhileABodyIsSent(t *testing.T) {
	in, c := openForTest(t)
	c.Auth.Modes = []string{"keys"}
	r, err := newRoutes(c, in, nil, 0, slog.New(slog.DiscardHandler), watchers{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.end(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	keys, _, err := openKeys(c, in.Store, in.Engine.Now)
	if err != nil {
		t.Fatal(err)
	}
	all := []access.Scope{access.MemoryRead, access.MemoryWrite, access.MemoryAdmin, access.ServerAdmin}
	key := func(tenant, user string, scopes ...access.Scope) (*access.Key, string) {
		t.Helper()
		k, text, err := keys.Create(t.Context(), access.Input{Tenant: graph.Tenant(tenant), Owner: "ana", User: user, Scopes: scopes, TTL: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		return k, text
	}
	_, admin := key("default", "", all...)
	serve := func(path, media, accept, key string, body io.Reader) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, body)
		req.Header.Set("Content-Type", media)
		req.Header.Set("Accept", accept)
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("MCP-Protocol-Version", "2025-06-18")
		r.handler.ServeHTTP(w, req)
		return w
	}
	do := func(query string, args ...any) []byte {
		t.Helper()
		body, err := json.Marshal(map[string]string{"query": fmt.Sprintf(query, args...)})
		if err != nil {
			t.Fatal(err)
		}
		w := serve("/graphql", "application/json", "application/json", admin, bytes.NewReader(body))
		if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"errors"`) {
			t.Fatalf("%s: %d %s", query, w.Code, w.Body)
		}
		return w.Body.Bytes()
	}
	get := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/export", nil)
	get.Header.Set("Authorization", "Bearer "+admin)
	exported := httptest.NewRecorder()
	r.handler.ServeHTTP(exported, get)
	const write, media = `{"query":"mutation{remember(input:{content:\"Written late.\",consent:EXPLICIT}){memory{id}}}"}`, "application/json"
	const form = "--x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"late.md\"\r\n\r\n# Written late\n\r\n--x--\r\n"
	type route struct{ path, media, accept, body string }
	routes := []route{
		{"/graphql", media, media, write},
		{"/graphql", media, media, `{"query":"{memories(first:5){nodes{content}}}"}`},
		{"/graphql", media, "text/event-stream", `{"query":"subscription{memoryEvents{id}}"}`},
		{"/mcp", media, media + ", text/event-stream", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"text":"Written late."}}}`},
		{"/hooks/claude-code", media, media, `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"Written late","cwd":"/x"}`},
		{"/documents?path=late.md&consent=EXPLICIT", "text/markdown", media, "# Written late\n"},
		{"/documents?consent=EXPLICIT", "multipart/form-data; boundary=x", media, form},
		{"/import", transfer.MediaType, media, exported.Body.String()},
		{"/backup", backup.MediaType, "*/*", "{}"},
	}
	ends := map[string]func(x route) (text string, end func()){
		"revoked": func(x route) (string, func()) {
			tenant := "default"
			if x.path == "/import" { // only an empty tenant takes one
				tenant = "imports"
			}
			k, text := key(tenant, "", all...)
			return text, func() { do(`mutation{revokeApiKey(id:"%s"){id}}`, k.ID) }
		},
		"a deleted tenant": func(x route) (string, func()) {
			name := strings.ToLower(fmt.Sprintf("t%x", len(x.path)*1000+len(x.body)))
			_, text := key(name, "", all...)
			return text, func() { do(`mutation{deleteTenant(name:"%s",confirm:"%s"){name}}`, name, name) }
		},
		"an erased user": func(route) (string, func()) {
			_, text := key("default", "bo", all...)
			return text, func() { do(`mutation{forget(input:{user:"bo"}){receipt{id}}}`) }
		},
	}
	for how, begin := range ends {
		for _, x := range routes {
			if how == "an erased user" && (x.path == "/import" || x.path == "/backup") || how == "a deleted tenant" && x.path == "/backup" {
				continue // they are for the whole tenant, and for the first one
			}
			text, end := begin(x)
			body, send := newSlowBody(x.body)
			answered := make(chan *httptest.ResponseRecorder)
			go func() { answered <- serve(x.path, x.media, x.accept, text, body) }()
			select {
			case <-body.asked:
			case w := <-answered:
				t.Fatalf("%s with %s: the body is not read: %d %s", x.path, how, w.Code, w.Body)
			}
			end()
			send()
			w := <-answered
			if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") == "" || strings.Contains(w.Body.String(), `"data"`) {
				t.Errorf("%s with %s: %d %s", x.path, how, w.Code, w.Body)
			}
		}
	}
	if text := string(do(`{memories(first:5){nodes{content}} documents(first:5){nodes{path}}}`)); strings.Contains(text, "ate") {
		t.Errorf("after all: %s", text)
	}
}
