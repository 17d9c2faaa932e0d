package main

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/certtest"
)

// withKey is a client of the server with a key.
func (s *server) withKey(key string) *client.Client {
	s.t.Helper()
	c, err := client.New(s.url, client.Options{Key: key})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	return c
}

// A server with --auth keys: every route but the health routes and the files of the explorer needs a key, the tenant and the
// user come from the key, and no key is in a log, in the printed configuration, in an export or in the audit.
func TestServeWithKeys(t *testing.T) {
	dir := t.TempDir()
	admin := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:admin,audit:read,server:admin", "--name", "first").Key
	ana := newKey(t, dir, "--scopes", "memory:read,memory:write", "--user", "ana").Key
	acme := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:share,memory:admin,audit:read", "--tenant", "acme").Key
	s := start(t, dir, "--auth", "keys", "--log-level", "debug")
	for _, path := range []string{"/graphql?query={whoami{name}}", "/viz/graph", "/export", "/mcp"} {
		for _, h := range [][]string{nil, {"Authorization", "Bearer " + ana[:60] + "xxx"}} {
			if status, header, body := s.get(path, h...); status != http.StatusUnauthorized || header.Get("WWW-Authenticate") == "" || strings.Contains(body, "sgk_") {
				t.Errorf("%s with %v: %d %s", path, h, status, body)
			}
		}
	}
	for path, want := range map[string]int{"/livez": 200, "/readyz": 200, "/signin": 200} {
		if status, _, body := s.get(path); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if _, _, body := s.get("/"); !strings.Contains(body, `name="key"`) {
		t.Errorf("the explorer without a cookie: %.80q", body)
	}
	if status, _, _ := s.get("/", "Cookie", "__Host-somnograph="+ana, "Host", "memory.example"); status != 200 {
		t.Errorf("the explorer with a cookie: %d", status)
	}
	for path, want := range map[string]int{"/viz/graph": 200, "/export": 403, "/graphql?query={whoami{user}}": 200, "/graphql?query={apiKeys{id}}": 200} {
		status, _, body := s.get(path, "Authorization", "Bearer "+ana)
		if status != want || strings.Contains(path, "apiKeys") && !strings.Contains(body, "FORBIDDEN") {
			t.Errorf("%s with a user's key: %d %.200q", path, status, body)
		}
	}
	remember(t, s.withKey(acme), "Of acme: the winch sticks.")
	for key, want := range map[string]bool{admin: false, acme: true} {
		status, _, body := s.get("/export", "Authorization", "Bearer "+key)
		if status != 200 || strings.Contains(body, "Of acme") != want {
			t.Errorf("export: %d, has the memory of acme: %v, want %v", status, !want, want)
		}
		for _, k := range []string{admin, ana, acme} {
			if strings.Contains(body, k[27:57]) {
				t.Error("an export has a key")
			}
		}
	}
	t.Setenv("SOMNOGRAPH_KEY", admin)
	out, errs, code := output(t, "keys", "list", "--addr", s.url)
	if code != 0 || !strings.Contains(out, "first") {
		t.Errorf("keys list with an administrator's key: code %d\n%s%s", code, out, errs)
	}
	out, _, _ = output(t, "config")
	for _, key := range []string{admin, acme} {
		if n := s.noSecretsInAudit(key, admin[27:57], ana[27:57], acme[27:57]); n < 3 {
			t.Errorf("only %d rows of the audit", n)
		}
	}
	s.stop()
	for _, k := range []string{admin, ana, acme} {
		if strings.Contains(s.log.String(), k[27:57]) || strings.Contains(out, k[27:57]) {
			t.Error("a key is in the log or in the configuration")
		}
	}
}

// When a key is revoked, its socket ends with code 4401 and its stream of events with an error, and the key is refused from then on.
func TestSocketsEndWithTheirKey(t *testing.T) {
	dir := t.TempDir()
	admin := newKey(t, dir, "--scopes", "server:admin").Key
	made := newKey(t, dir, "--scopes", "memory:read")
	s := start(t, dir, "--auth", "keys")
	d := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
	open := func(key string) *websocket.Conn {
		t.Helper()
		conn, resp, err := d.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/graphql", nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		t.Cleanup(func() { _ = conn.Close() })
		payload, err := json.Marshal(map[string]any{"type": "connection_init", "payload": map[string]string{"Authorization": "Bearer " + key}})
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.WriteMessage(websocket.TextMessage, payload); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	conn := open(made.Key)
	if _, b, err := conn.ReadMessage(); err != nil || !strings.Contains(string(b), "connection_ack") {
		t.Fatalf("%s, %v", b, err)
	}
	subscribe := `{"id":"1","type":"subscribe","payload":{"query":"subscription{memoryEvents{id}}"}}`
	if err := conn.WriteMessage(websocket.TextMessage, []byte(subscribe)); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/graphql?query="+url.QueryEscape("subscription{memoryEvents{id}}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", "Bearer "+made.Key)
	stream, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Body.Close() }()
	if _, err := s.withKey(admin).RevokeAPIKey(t.Context(), made.APIKey.ID); err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(stream.Body); err != nil || !strings.Contains(string(b), `"UNAUTHENTICATED"`) || !strings.HasSuffix(string(b), "event: complete\ndata: \n\n") {
		t.Errorf("the stream of events of a revoked key: %s, %v", b, err)
	}
	for {
		_, _, err := conn.ReadMessage()
		if err == nil {
			continue
		}
		if !websocket.IsCloseError(err, 4401) {
			t.Errorf("the socket ended with %v", err)
		}
		break
	}
	again := open(made.Key)
	if _, _, err := again.ReadMessage(); !websocket.IsCloseError(err, 4403) {
		t.Errorf("a socket with a revoked key: %v", err)
	}
	s.stop()
}

// TLS 1.3 only, with a certificate of the server, and one of the client where authorities are named.
func TestServeWithTLS(t *testing.T) {
	dir := t.TempDir()
	key := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:share").Key
	f, err := certtest.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, dir, "--auth", "keys", "--tls-cert", f.Cert, "--tls-key", f.Key, "--tls-client-ca", f.CA)
	both, err := f.ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(s.url, client.Options{Key: key, TLS: both})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	remember(t, c, "The winch sticks again.")
	for name, change := range map[string]func(*tls.Config){
		"without a certificate": func(c *tls.Config) { c.Certificates = nil },
		"with TLS 1.2":          func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS12, tls.VersionTLS12 },
	} {
		changed := both.Clone()
		change(changed)
		other, err := client.New(s.url, client.Options{Key: key, TLS: changed})
		if err != nil {
			t.Fatal(err)
		}
		if err := other.Ready(t.Context()); err == nil {
			t.Errorf("a client %s is served", name)
		}
		other.Close()
	}
	s.stop()
}

// With auth a principal has a rate limit by default. A smaller one refuses with its name and the
// time after which the same operation is granted, whatever the route.
func TestPrincipalsHaveARateLimit(t *testing.T) {
	dir := t.TempDir()
	key := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:share", "--user", "ana").Key
	other := newKey(t, dir, "--scopes", "memory:read", "--user", "bo").Key
	s := start(t, dir, "--auth", "keys")
	var out struct{ RateLimit *struct{ Limit, Cost int } }
	if err := s.withKey(key).Do(t.Context(), `{ rateLimit { limit cost } }`, nil, &out); err != nil || out.RateLimit == nil || out.RateLimit.Limit != 300_000 {
		t.Errorf("by default: %+v, %v", out.RateLimit, err)
	}
	s.stop()
	s = start(t, dir, "--auth", "keys", "--rate-principal", "200")
	ask := "/graphql?query=" + url.QueryEscape(`{ search(input: {query: "`+strings.Repeat("x", 3<<10)+`", effort: ACCURATE, topK: 1}) { hits { score } } }`)
	// 2 for objects, 192 for work, 3 for bytes.
	if status, _, body := s.get(ask, "Authorization", "Bearer "+key); status != http.StatusOK {
		t.Fatalf("%d %.300s", status, body)
	}
	status, header, body := s.get(ask, "Authorization", "Bearer "+key)
	if status != http.StatusTooManyRequests || header.Get("Retry-After") == "" || !strings.Contains(body, `"field":"rate.principal"`) || !strings.Contains(body, "costs 197") {
		t.Errorf("%d %q %.300s", status, header.Get("Retry-After"), body)
	}
	if status, _, body := s.get(ask, "Authorization", "Bearer "+other); status != http.StatusOK {
		t.Errorf("another principal: %d %.300s", status, body)
	}
}
