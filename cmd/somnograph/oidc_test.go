package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/internal/oidctest"
)

// allScopes are those of the issuer's administrator.
var allScopes = []string{"memory:read", "memory:write", "memory:share", "memory:curate", "memory:admin", "audit:read", "server:admin"}

// issuerSettings is the setting of an issuer of the tests. Root is bound to no user.
func issuerSettings(t *testing.T, url string) string {
	t.Helper()
	secret := filepath.Join(t.TempDir(), "client-secret")
	if err := os.WriteFile(secret, []byte("explorer secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(map[string]any{
		"issuer": url, "audience": "memory", "tenant-claim": "org", "tenants": []string{"acme"}, "ceiling": allScopes, "user-claim": "person", "user-optional": true, "name": "Test identity",
		"client-id": "explorer", "client-secret-file": secret, "sign-in-scopes": allScopes,
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// socket opens a WebSocket with headers and a payload of connection_init.
func (s *server) socket(headers http.Header, payload map[string]string) *websocket.Conn {
	s.t.Helper()
	d := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
	conn, resp, err := d.DialContext(s.t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/graphql", headers)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = resp.Body.Close()
	s.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.WriteJSON(map[string]any{"type": "connection_init", "payload": payload}); err != nil {
		s.t.Fatal(err)
	}
	return conn
}

// accepted reads the acknowledgement of a socket, so that a later change of the issuer or of the session meets an open socket.
func (s *server) accepted(conn *websocket.Conn) *websocket.Conn {
	s.t.Helper()
	if _, m, err := conn.ReadMessage(); err != nil || !strings.Contains(string(m), "connection_ack") {
		s.t.Fatalf("the socket is not accepted: %s, %v", m, err)
	}
	return conn
}

// ends reads a socket until it is closed, and fails unless with the code.
func (s *server) ends(conn *websocket.Conn, code int) {
	s.t.Helper()
	for {
		if _, _, err := conn.ReadMessage(); err != nil {
			if !websocket.IsCloseError(err, code) {
				s.t.Errorf("the socket ended with %v, want %d", err, code)
			}
			return
		}
	}
}

// post sends a body and returns the status and the answer.
func (s *server) post(path, contentType, body, token string) (int, http.Header, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(out)
}

const mcpInitialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// A server with tokens of a real issuer: every way in takes them, tenant and rights come from their claims, and no token is in
// the log or in the configuration.
func TestServeWithTokens(t *testing.T) {
	dir, issuer := t.TempDir(), oidctest.Start(t)
	key := newKey(t, dir, "--scopes", "memory:read", "--tenant", "acme").Key
	settings := issuerSettings(t, issuer.URL)
	s := start(t, dir, "--auth", "keys,oidc", "--oidc-issuers", settings, "--log-level", "debug")
	ana := issuer.Token("ana", allScopes...)
	root := issuer.Token("root", allScopes...)
	for _, path := range []string{"/graphql?query={whoami{name}}", "/viz/graph", "/export", "/mcp"} {
		for name, wrong := range map[string]string{"no token": "", "a cut token": ana[:len(ana)-5], "another payload": root[:strings.LastIndex(root, ".")] + ana[strings.LastIndex(ana, "."):]} {
			if status, header, body := s.get(path, "Authorization", "Bearer "+wrong); status != http.StatusUnauthorized || header.Get("WWW-Authenticate") == "" || strings.Contains(body, "eyJ") {
				t.Errorf("%s with %s: %d %s", path, name, status, body)
			}
		}
	}
	status, _, body := s.post("/graphql", "application/json", `{"query":"{whoami{name tenant user namespaces}}"}`, ana)
	if status != 200 || !strings.Contains(body, `"tenant":"acme"`) || !strings.Contains(body, `"user":"ana"`) {
		t.Errorf("whoami: %d %s", status, body)
	}
	for path, want := range map[string][2]int{"/viz/graph": {200, 200}, "/export": {403, 200}, "/graphql?query={whoami{user}}": {200, 200}} {
		for n, token := range []string{ana, root} {
			if status, _, body := s.get(path, "Authorization", "Bearer "+token); status != want[n] {
				t.Errorf("%s of token %d: %d %.200q", path, n, status, body)
			}
		}
	}
	_, _, exported := s.get("/export", "Authorization", "Bearer "+root)
	for _, x := range []struct {
		path, contentType, body string
		want                    map[string]int
	}{
		{"/documents?path=a.md", "text/markdown", "# Winch\n\nThe winch sticks.\n", map[string]int{ana: 200, "": 401}},
		{"/import", "application/x-ndjson", exported, map[string]int{ana: 403, root: 200, "": 401}},
		{"/mcp", "application/json", mcpInitialize, map[string]int{ana: 200, "": 401}},
	} {
		for token, want := range x.want {
			if status, _, body := s.post(x.path, x.contentType, x.body, token); status != want {
				t.Errorf("%s: %d, want %d: %.200q", x.path, status, want, body)
			}
		}
	}
	_, header, _ := s.post("/mcp", "application/json", mcpInitialize, "")
	at := regexp.MustCompile(`resource_metadata="` + regexp.QuoteMeta(s.url) + `([^"]+)"`).FindStringSubmatch(header.Get("WWW-Authenticate"))
	if at == nil {
		t.Fatalf("the challenge of /mcp is %q", header.Get("WWW-Authenticate"))
	}
	var metadata struct {
		Resource string
		Servers  []string `json:"authorization_servers"`
	}
	_, _, body = s.get(at[1])
	if err := json.Unmarshal([]byte(body), &metadata); err != nil || metadata.Resource != s.url+"/mcp" || len(metadata.Servers) != 1 || metadata.Servers[0] != issuer.URL {
		t.Errorf("metadata %s, %v", body, err)
	}
	if status, _, _ := s.get("/graphql?query={whoami{user}}", "Authorization", "Bearer "+key); status != 200 {
		t.Errorf("a key besides tokens: %d", status)
	}
	s.accepted(s.socket(nil, map[string]string{"Authorization": "Bearer " + ana}))
	out, _, _ := output(t, "config", "--auth", "keys,oidc", "--oidc-issuers", settings)
	s.stop()
	for _, token := range []string{ana, root} {
		for _, part := range strings.Split(token, ".") {
			if strings.Contains(s.log.String(), part) || strings.Contains(out, part) {
				t.Error("a part of a token is in the log or in the configuration")
			}
		}
	}
	if strings.Contains(out, "explorer secret") || !strings.Contains(out, issuer.URL) || !strings.Contains(s.log.String(), "a token is refused") {
		t.Errorf("configuration or log:\n%s\n%s", out, s.log.String())
	}
}

// The commands for keys work through a running server with the token of an administrator, and not with that of a user.
func TestKeysWithAToken(t *testing.T) {
	dir, issuer := t.TempDir(), oidctest.Start(t)
	s := start(t, dir, "--auth", "oidc", "--oidc-issuers", issuerSettings(t, issuer.URL))
	t.Setenv("SOMNOGRAPH_KEY", issuer.Token("root", allScopes...))
	out, errs, code := output(t, "keys", "create", "--json", "--scopes", "memory:read", "--name", "robot", "--addr", s.url)
	var made struct {
		Key    string
		APIKey struct{ ID, Tenant string }
	}
	if err := json.Unmarshal([]byte(out), &made); err != nil || code != 0 || made.APIKey.Tenant != "acme" {
		t.Fatalf("keys create: code %d, %v\n%s%s", code, err, out, errs)
	}
	if out, errs, code := output(t, "keys", "list", "--addr", s.url); code != 0 || !strings.Contains(out, "robot") {
		t.Errorf("keys list: code %d\n%s%s", code, out, errs)
	}
	if out, errs, code := output(t, "keys", "revoke", made.APIKey.ID, "--addr", s.url); code != 0 {
		t.Errorf("keys revoke: code %d\n%s%s", code, out, errs)
	}
	// The mode keys is off, so no key is accepted.
	if status, _, _ := s.get("/graphql?query={whoami{user}}", "Authorization", "Bearer "+made.Key); status != http.StatusUnauthorized {
		t.Errorf("a key with --auth oidc: %d", status)
	}
	t.Setenv("SOMNOGRAPH_KEY", issuer.Token("ana", allScopes...))
	if out, _, code := output(t, "keys", "list", "--addr", s.url); code == 0 {
		t.Errorf("keys list of a user: %s", out)
	}
	if status, _, _ := s.get("/graphql?query={whoami{user}}", "Authorization", "Bearer "+issuer.Token("eve", allScopes...)); status != http.StatusUnauthorized {
		t.Errorf("a token without scopes: %d", status)
	}
	s.stop()
}

// A socket ends with code 4401 when its token expires, 60 s after the issuer's time.
func TestSocketsEndWithTheirToken(t *testing.T) {
	dir, issuer := t.TempDir(), oidctest.Start(t)
	s := start(t, dir, "--auth", "oidc", "--oidc-issuers", issuerSettings(t, issuer.URL))
	issuer.Control("lifetime", "seconds", "-56")
	token := issuer.Token("ana", "memory:read")
	conn := s.accepted(s.socket(nil, map[string]string{"Authorization": "Bearer " + token}))
	if err := conn.WriteMessage(websocket.TextMessage, []byte(`{"id":"1","type":"subscribe","payload":{"query":"subscription{memoryEvents{id}}"}}`)); err != nil {
		t.Fatal(err)
	}
	s.ends(conn, 4401)
	s.ends(s.socket(nil, map[string]string{"Authorization": "Bearer " + token}), 4403)
	s.stop()
}

// The issuer changes its keys and their algorithm, goes away, and comes back with others. Keys work throughout.
func TestTheIssuerChangesAndGoesAway(t *testing.T) {
	dir, issuer := t.TempDir(), oidctest.Start(t)
	key := newKey(t, dir, "--scopes", "memory:read").Key
	flags := []string{"--auth", "keys,oidc", "--oidc-issuers", issuerSettings(t, issuer.URL)}
	whoami := func(s *server, credential string) int {
		status, _, _ := s.get("/graphql?query={whoami{user}}", "Authorization", "Bearer "+credential)
		return status
	}
	s := start(t, dir, flags...)
	old := issuer.Token("ana", "memory:read")
	if status := whoami(s, old); status != 200 {
		t.Fatalf("a token: %d", status)
	}
	open := s.accepted(s.socket(nil, map[string]string{"Authorization": "Bearer " + old}))
	issuer.Control("rotate", "alg", "ES256")
	if status := whoami(s, issuer.Token("ana", "memory:read")); status != 200 {
		t.Errorf("a token with a new key: %d", status)
	}
	if status := whoami(s, old); status != http.StatusUnauthorized {
		t.Errorf("a token with a withdrawn key: %d", status)
	}
	s.ends(open, 4401)
	last := issuer.Token("ana", "memory:read")
	issuer.Stop()
	if status := whoami(s, last); status != 200 {
		t.Errorf("a token while the issuer is down: %d", status)
	}
	s.stop()

	s = start(t, dir, flags...)
	if status, _, body := s.get("/readyz"); status != 200 {
		t.Errorf("without its issuer the server is not ready: %d %s", status, body)
	}
	for credential, want := range map[string]int{key: 200, last: http.StatusServiceUnavailable} {
		if status := whoami(s, credential); status != want {
			t.Errorf("without its issuer: %d, want %d", status, want)
		}
	}
	if !strings.Contains(s.log.String(), "the issuer can't be reached") {
		t.Errorf("log:\n%s", s.log.String())
	}
	issuer.Restart()
	fresh := issuer.Token("ana", "memory:read")
	for deadline := 0; whoami(s, fresh) != 200; deadline++ {
		if deadline > 100_000 {
			t.Fatalf("the issuer is not found again; log:\n%s", s.log.String())
		}
	}
	s.stop()
}

// browser follows redirects and pages that go on by themselves, as a browser does. It keeps cookies of the servers, which are
// all on one host, in jars by their port. A request after a redirect from another site carries no cookie.
type browser struct {
	t    *testing.T
	jars map[string]http.CookieJar
}

var refresh = regexp.MustCompile(`http-equiv="refresh" content="0;url=([^"]+)"`)

// visit opens a page and returns its last address, status and text.
func (b *browser) visit(r *http.Request) (*url.URL, int, string) {
	b.t.Helper()
	crossed := false
	for range 20 {
		jar := b.jars[r.URL.Host]
		if jar == nil {
			jar, _ = cookiejar.New(nil)
			b.jars[r.URL.Host] = jar
		}
		secure := *r.URL
		secure.Scheme = "https" // browsers treat loopback as secure
		if !crossed {
			for _, c := range jar.Cookies(&secure) {
				r.AddCookie(c)
			}
		}
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			b.t.Fatal(err)
		}
		jar.SetCookies(&secure, resp.Cookies())
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			b.t.Fatal(err)
		}
		to := resp.Header.Get("Location")
		if m := refresh.FindStringSubmatch(string(body)); m != nil {
			to, crossed = strings.ReplaceAll(m[1], "&amp;", "&"), false
		}
		if to == "" {
			return r.URL, resp.StatusCode, string(body)
		}
		next, err := r.URL.Parse(to)
		if err != nil {
			b.t.Fatal(err)
		}
		crossed = crossed || next.Host != r.URL.Host
		if r, err = http.NewRequestWithContext(b.t.Context(), http.MethodGet, next.String(), nil); err != nil {
			b.t.Fatal(err)
		}
	}
	b.t.Fatal("too many redirects")
	return nil, 0, ""
}

func (b *browser) get(url string) (*url.URL, int, string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, url, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.visit(r)
}

// logIn fills in the form of the issuer.
func (b *browser) logIn(page *url.URL, body, name string) (*url.URL, int, string) {
	b.t.Helper()
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(body)
	if id == nil {
		b.t.Fatalf("no form at %s: %s", page, body)
	}
	form := url.Values{"id": id[1:], "username": {name}, "password": {name}}
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, page.String(), strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.visit(r)
}

// A session ends when the issuer withdraws the key that signed for it, and when the configuration of the issuer changes.
func TestSessionsEndWithWhatTheyRestOn(t *testing.T) {
	dir, issuer := t.TempDir(), oidctest.Start(t)
	settings := issuerSettings(t, issuer.URL)
	s := start(t, dir, "--auth", "keys,oidc", "--oidc-issuers", settings)
	whoami := func(cookie string) int {
		status, _, _ := s.get("/graphql?query={whoami{user}}", "Cookie", cookie)
		return status
	}
	signIn := func() string {
		t.Helper()
		issuer.Control("redirect", "uri", s.url+"/signin/callback")
		b := &browser{t, map[string]http.CookieJar{}}
		at, _, body := b.get(s.url + "/signin/start?issuer=0")
		if at, status, _ := b.logIn(at, body, "ana"); at.Path != "/" || status != 200 {
			t.Fatalf("the sign-in leads to %s, %d", at, status)
		}
		home, _ := url.Parse(strings.Replace(s.url, "http:", "https:", 1))
		c := b.jars[home.Host].Cookies(home)[0]
		cookie := c.Name + "=" + c.Value
		if status := whoami(cookie); status != 200 {
			t.Fatalf("a session: %d", status)
		}
		return cookie
	}
	first := signIn()
	open := s.accepted(s.socket(http.Header{"Cookie": {first}}, nil))
	issuer.Control("rotate", "alg", "RS256")
	if status, _, _ := s.get("/graphql?query={whoami{user}}", "Authorization", "Bearer "+issuer.Token("ana", "memory:read")); status != 200 { // the keys are read again
		t.Fatalf("a token of the new key: %d", status)
	}
	if status := whoami(first); status != http.StatusUnauthorized {
		t.Errorf("a session of a withdrawn key: %d", status)
	}
	s.ends(open, 4401)
	second := signIn()
	s.stop()
	s = start(t, dir, "--auth", "keys,oidc", "--oidc-issuers", settings)
	if status := whoami(second); status != 200 {
		t.Errorf("a session after a restart: %d", status)
	}
	s.stop()
	lower := strings.Replace(settings, `"memory:write",`, "", 1) // the ceiling, which comes first
	s = start(t, dir, "--auth", "keys,oidc", "--oidc-issuers", lower)
	if status := whoami(second); status != http.StatusUnauthorized {
		t.Errorf("a session of another configuration: %d", status)
	}
}

// A sign-in for a tenant that is deleted gets no cookie.
func TestSignInForADeletedTenant(t *testing.T) {
	dir, issuer := t.TempDir(), oidctest.Start(t)
	admin := newKey(t, dir, "--scopes", "server:admin").Key
	s := start(t, dir, "--auth", "keys,oidc", "--oidc-issuers", issuerSettings(t, issuer.URL))
	t.Setenv("SOMNOGRAPH_KEY", admin)
	t.Setenv("SOMNOGRAPH_ADDR", s.url)
	for _, args := range [][]string{{"tenants", "create", "acme"}, {"tenants", "delete", "acme", "--confirm", "acme"}} {
		if out, errs, code := output(t, args...); code != exitOK {
			t.Fatalf("%v: %s%s", args, out, errs)
		}
	}
	issuer.Control("redirect", "uri", s.url+"/signin/callback")
	b := &browser{t, map[string]http.CookieJar{}}
	at, _, body := b.get(s.url + "/signin/start?issuer=0")
	at, status, body := b.logIn(at, body, "ana")
	if at.Path != "/signin/finish" || status != http.StatusForbidden || !strings.Contains(body, "The tenant of your account is deleted.") {
		t.Errorf("the sign-in leads to %s, %d: %s", at, status, body)
	}
	home, _ := url.Parse(strings.Replace(s.url, "http:", "https:", 1))
	if cookies := b.jars[home.Host].Cookies(home); len(cookies) > 0 {
		t.Errorf("cookies %v", cookies)
	}
}

// An issuer with an address of its own answers there, and an answer that comes to another address is refused, as that of another issuer.
func TestSignInAtAnAddressOfItsOwn(t *testing.T) {
	dir, issuer := t.TempDir(), oidctest.Start(t)
	settings := strings.Replace(issuerSettings(t, issuer.URL), `{`, `{"callback":"test",`, 1)
	s := start(t, dir, "--auth", "keys,oidc", "--oidc-issuers", settings)
	issuer.Control("redirect", "uri", s.url+"/signin/callback/test")
	b := &browser{t, map[string]http.CookieJar{}}
	at, _, body := b.get(s.url + "/signin/start?issuer=0")
	if at, status, _ := b.logIn(at, body, "ana"); at.Path != "/" || status != 200 {
		t.Fatalf("the sign-in leads to %s, %d", at, status)
	}
	for _, other := range []string{"", "?code=x&state=y", "/other"} {
		if status, _, _ := s.get("/signin/callback" + other); status != http.StatusNotFound {
			t.Errorf("/signin/callback%s: %d", other, status)
		}
	}
	b = &browser{t, map[string]http.CookieJar{}}
	at, _, body = b.get(s.url + "/signin/start?issuer=0")
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(body)
	var answer url.Values
	hold := &http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == "/signin/callback/test" {
			answer = r.URL.Query()
			return http.ErrUseLastResponse
		}
		return nil
	}}
	resp, err := hold.PostForm(at.String(), url.Values{"id": id[1:], "username": {"ana"}, "password": {"ana"}})
	if err != nil || answer == nil {
		t.Fatalf("no answer of the issuer: %v", err)
	}
	_ = resp.Body.Close()
	if at, status, _ := b.get(s.url + "/signin/finish?" + answer.Encode()); status != http.StatusForbidden || at.Path != "/signin/finish" {
		t.Errorf("an answer that came to the shared address leads to %s, %d", at, status)
	}
	s.stop()
	if !strings.Contains(s.log.String(), "comes from another issuer") {
		t.Errorf("the log has no reason:\n%s", s.log.String())
	}
}

// People sign in at the issuer, which takes no sign-in without PKCE, and are led to the page that they wanted; the cookie has no token; signing out ends the session and
// its sockets. Answers that another browser began, that come twice or that were altered are refused.
func TestSignInAtTheIssuer(t *testing.T) {
	dir, issuer := t.TempDir(), oidctest.Start(t)
	s := start(t, dir, "--auth", "keys,oidc", "--oidc-issuers", issuerSettings(t, issuer.URL), "--log-level", "debug")
	issuer.Control("redirect", "uri", s.url+"/signin/callback")
	newBrowser := func() *browser { return &browser{t, map[string]http.CookieJar{}} }
	b := newBrowser()
	at, _, body := b.get(s.url + "/?t=5")
	if at.Path != "/signin" || !strings.Contains(body, "Sign in with Test identity") {
		t.Fatalf("the explorer leads to %s: %s", at, body)
	}
	at, _, body = b.get(s.url + "/signin/start?issuer=0&to=" + url.QueryEscape("/?t=5#m"))
	if !strings.HasPrefix(at.String(), issuer.URL+"/login") {
		t.Fatalf("the sign-in leads to %s: %s", at, body)
	}
	at, status, body := b.logIn(at, body, "ana")
	if at.Path != "/" || at.RawQuery != "t=5" || at.Fragment != "m" || status != 200 || !strings.Contains(body, `id="app"`) {
		t.Fatalf("after the sign-in: %s, %d, %s; log\n%s", at, status, body, s.log.String())
	}
	home, _ := url.Parse(strings.Replace(s.url, "http:", "https:", 1))
	cookies := b.jars[home.Host].Cookies(home)
	if len(cookies) != 2 || cookies[0].Name != "__Host-somnograph" || strings.Contains(cookies[0].Value, "eyJ") {
		t.Fatalf("cookies %v", cookies)
	}
	cookie := cookies[0].Name + "=" + cookies[0].Value
	if status, _, body := s.get("/graphql?query={whoami{tenant,user,name}}", "Cookie", cookie); status != 200 || !strings.Contains(body, `"user":"ana"`) || !strings.Contains(body, `"tenant":"acme"`) {
		t.Errorf("whoami: %d %s", status, body)
	}
	signIns := 0
	err := s.withKey(issuer.Token("root", allScopes...)).Audit(t.Context(), client.AuditFilter{Verb: "signIn", Outcome: "OK"}, func(client.AuditEntry) error { signIns++; return nil })
	if err != nil || signIns != 1 {
		t.Errorf("%d rows of the sign-in, %v", signIns, err)
	}
	if status, _, _ := s.get("/graphql?query={whoami{user}}", "Authorization", "Bearer "+cookies[0].Value); status != http.StatusUnauthorized {
		t.Errorf("a session as a bearer token: %d", status)
	}
	if status, _, _ := s.get("/graphql?query={whoami{user}}", "Cookie", cookies[0].Name+"="+issuer.Token("ana", "memory:read")); status != http.StatusUnauthorized {
		t.Errorf("a token in the cookie: %d", status)
	}
	altered := []byte(cookie)
	altered[len(altered)-20] ^= 1
	if status, _, _ := s.get("/graphql?query={whoami{user}}", "Cookie", string(altered)); status != http.StatusUnauthorized {
		t.Errorf("an altered session: %d", status)
	}

	// Someone else's answer, an answer twice, and answers without an attempt.
	other := newBrowser()
	at, _, body = other.get(s.url + "/signin/start?issuer=0")
	var answer *url.URL
	stop := *at
	id := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(body)
	form := url.Values{"id": id[1:], "username": {"ana"}, "password": {"ana"}}
	hold := &http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == "/signin/callback" {
			answer = r.URL
			return http.ErrUseLastResponse
		}
		return nil
	}}
	resp, err := hold.PostForm(stop.String(), form)
	if err != nil || answer == nil {
		t.Fatalf("no answer of the issuer: %v", err)
	}
	_ = resp.Body.Close()
	if at, status, _ := newBrowser().get(answer.String()); status != http.StatusBadRequest || at.Path != "/signin/finish" {
		t.Errorf("an answer in another browser: %s %d", at, status)
	}
	changed := *answer
	q := changed.Query()
	q.Set("state", strings.Repeat("A", 52))
	changed.RawQuery = q.Encode()
	if _, status, _ := other.get(changed.String()); status != http.StatusBadRequest {
		t.Errorf("another state: %d", status)
	}
	if _, status, _ := other.get(answer.String()); status != http.StatusBadRequest {
		t.Errorf("an attempt that was used: %d", status)
	}
	// Eve is known to the issuer, but has no rights here.
	eve := newBrowser()
	at, _, body = eve.get(s.url + "/signin/start?issuer=0")
	if at, status, body := eve.logIn(at, body, "eve"); status != http.StatusForbidden || !strings.Contains(body, "not allowed") {
		t.Errorf("a sign-in without rights: %s %d %s", at, status, body)
	}
	for query, want := range map[string]int{"error=access_denied": 400, "code=" + strings.Repeat("c", 5000): 400, "": 400, `code="><script>alert(1)</script>`: 400} {
		if _, status, body := newBrowser().get(s.url + "/signin/callback?" + strings.ReplaceAll(query, " ", "+")); status != want || strings.Contains(body, "<script>") {
			t.Errorf("an answer %.30q: %d %s", query, status, body)
		}
	}

	conn := s.accepted(s.socket(http.Header{"Cookie": {cookie}}, nil))
	if _, _, body := s.get("/signin?out", "Cookie", cookie, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"); strings.Contains(body, "signed out") {
		t.Error("a link of another site signs out")
	}
	if _, _, body := b.get(s.url + "/signin?out"); !strings.Contains(body, "You are signed out.") {
		t.Errorf("signing out: %s", body)
	}
	s.ends(conn, 4401)
	if status, _, _ := s.get("/graphql?query={whoami{user}}", "Cookie", cookie); status != http.StatusUnauthorized {
		t.Errorf("a session after signing out: %d", status)
	}
	s.stop()
	if strings.Contains(s.log.String(), "eyJ") || strings.Contains(s.log.String(), cookies[0].Value) || strings.Contains(s.log.String(), answer.Query().Get("code")) {
		t.Errorf("a token, a session or a code is in the log:\n%s", s.log.String())
	}
}
