package auth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// door is an Authenticator over a store in memory, with a clock that a test moves.
type door struct {
	*auth.Authenticator
	keys  *access.Keys
	store graph.Store
	mu    sync.Mutex
	now   time.Time
}

func (d *door) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *door) advance(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

func newDoor(t testing.TB, change ...func(*auth.Options)) *door {
	t.Helper()
	s, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	d := &door{store: s, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	if d.keys, err = access.NewKeys(s, make([]byte, access.MinPepper), d.clock, rand.NewChaCha8([32]byte{1})); err != nil {
		t.Fatal(err)
	}
	o := auth.Options{Keys: d.keys, Now: d.clock, Every: time.Millisecond}
	for _, f := range change {
		f(&o)
	}
	if d.Authenticator, err = auth.New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close(); _ = s.Close() })
	return d
}

// secondKeys are the keys as another server over the store has them.
func (d *door) secondKeys(t testing.TB) *access.Keys {
	t.Helper()
	keys, err := access.NewKeys(d.store, make([]byte, access.MinPepper), d.clock, rand.NewChaCha8([32]byte{2}))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func (d *door) key(t testing.TB, scopes ...access.Scope) (*access.Key, string) {
	t.Helper()
	k, text, err := d.keys.Create(context.Background(), access.Input{Tenant: "acme", Owner: "ana", User: "ana", Scopes: scopes, TTL: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return k, text
}

// request is a request from an address with a credential.
func request(address, credential string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/graphql", nil)
	r.RemoteAddr = address
	if credential != "" {
		r.Header.Set("Authorization", "Bearer "+credential)
	}
	return r
}

func TestTheCallerComesFromTheKey(t *testing.T) {
	d := newDoor(t)
	k, text := d.key(t, access.MemoryRead)
	r := request("192.0.2.1:5", text)
	r.Header.Set("X-Tenant", "other")
	c, err := d.Authenticate(r)
	if err != nil || c.Tenant != "acme" || c.User != "ana" || c.Name != "ana" || c.Credential != k.ID || c.Admin || c.Sources || c.Grant != .8 || !c.May(access.MemoryRead) || c.May(access.MemoryWrite) {
		t.Errorf("caller %+v, %v", c, err)
	}
	cookie := request("192.0.2.1:5", "")
	cookie.AddCookie(&http.Cookie{Name: auth.CookieName, Value: text})
	if c, err := d.Authenticate(cookie); err != nil || c.Credential != k.ID {
		t.Errorf("with a cookie: %+v, %v", c, err)
	}
	for name, h := range map[string]string{"none": "", "basic": "Basic " + text, "no scheme": text, "cut": "Bearer " + text[:60]} {
		r := request("192.0.2.2:5", "")
		r.Header.Set("Authorization", h)
		if c, err := d.Authenticate(r); graph.CodeOf(err) != graph.CodeUnauthenticated || c.Tenant != "" || strings.Contains(fmt.Sprint(err), "sgk_") {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// The principal of a key is its owner, so that all keys of one owner are one.
func TestKeysOfOneOwnerAreOnePrincipal(t *testing.T) {
	d := newDoor(t)
	var names []string
	for range 2 {
		_, text, err := d.keys.Create(t.Context(), access.Input{Tenant: "acme", Owner: "app", Scopes: []access.Scope{access.MemoryRead}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := d.Authenticate(request("192.0.2.1:5", text))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, c.Name)
	}
	if names[0] != "app" || names[1] != "app" {
		t.Errorf("the principals are %q", names)
	}
}

// After 20 failed tries an address is refused, whatever it tries, but for credentials that were accepted before. It regains a
// try every three seconds. Another address is not affected.
func TestFailedTriesAreLimited(t *testing.T) {
	d := newDoor(t)
	_, used := d.key(t, access.MemoryRead)
	_, fresh := d.key(t, access.MemoryRead)
	if _, err := d.Authenticate(request("192.0.2.1:5", used)); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	wrong := func() string { return fmt.Sprintf("sgk_%022d_%036d", random.Int64(), random.Int64()) }
	codes := map[graph.Code]int{}
	for range 100_000 {
		_, err := d.Authenticate(request("192.0.2.1:5", wrong()))
		codes[graph.CodeOf(err)]++
	}
	if codes[graph.CodeUnauthenticated] != 20 || codes[graph.CodeRateLimited] != 99_980 {
		t.Errorf("codes %v", codes)
	}
	if _, err := d.Authenticate(request("192.0.2.1:5", fresh)); graph.CodeOf(err) != graph.CodeRateLimited {
		t.Errorf("a right key after too many tries: %v", err)
	}
	if _, err := d.Authenticate(request("192.0.2.1:6", used)); err != nil {
		t.Errorf("a key that was accepted before: %v", err)
	}
	if _, err := d.Authenticate(request("192.0.2.2:5", fresh)); err != nil {
		t.Errorf("from another address: %v", err)
	}
	d.advance(3 * time.Second)
	if _, err := d.Authenticate(request("192.0.2.1:5", wrong())); graph.CodeOf(err) != graph.CodeUnauthenticated {
		t.Errorf("after three seconds: %v", err)
	}
}

// While wrong keys come from an address at twenty a second, right ones that were never used before are accepted, and wrong ones are not. Of a
// flood only some are checked.
func TestRightKeysAreAcceptedAmongWrongOnes(t *testing.T) {
	d := newDoor(t)
	random := rand.New(rand.NewPCG(3, 4))
	wrong := func() graph.Code {
		_, err := d.Authenticate(request("192.0.2.1:5", fmt.Sprintf("sgk_%022d_%036d", random.Int64(), random.Int64())))
		return graph.CodeOf(err)
	}
	for i := range 400 {
		d.advance(50 * time.Millisecond)
		if code := wrong(); code != graph.CodeRateLimited && code != graph.CodeUnauthenticated || i == 21 && code != graph.CodeRateLimited {
			t.Fatalf("wrong key %d: %q", i, code)
		}
		if i%20 == 0 {
			_, key := d.key(t, access.MemoryRead)
			if _, err := d.Authenticate(request("192.0.2.1:5", key)); err != nil {
				t.Errorf("a right key after %d wrong ones: %v", i, err)
			}
		}
	}
	for range 1000 {
		if code := wrong(); code != graph.CodeRateLimited {
			t.Fatalf("a flood: %q", code)
		}
	}
	_, key := d.key(t, access.MemoryRead)
	if _, err := d.Authenticate(request("192.0.2.1:5", key)); graph.CodeOf(err) != graph.CodeRateLimited {
		t.Errorf("a right key in a flood: %v", err)
	}
	d.advance(20 * time.Millisecond)
	if _, err := d.Authenticate(request("192.0.2.1:5", key)); err != nil {
		t.Errorf("a right key after a flood: %v", err)
	}
}

// Addresses of one IPv6 network share their tries. The header of a proxy counts only behind one, and only its last entry.
func TestAddressesOfClients(t *testing.T) {
	v6, direct, proxied := newDoor(t), newDoor(t), newDoor(t, func(o *auth.Options) { o.BehindProxy = true })
	last := func(d *door, make func(i int) *http.Request) (err error) {
		for i := range 21 {
			_, err = d.Authenticate(make(i))
		}
		return err
	}
	forwarded := func(i int) *http.Request {
		r := request("10.0.0.1:5", "wrong")
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
		return r
	}
	spoofed := func(i int) *http.Request {
		r := forwarded(i)
		r.Header.Set("X-Forwarded-For", r.Header.Get("X-Forwarded-For")+", 198.51.100.7")
		return r
	}
	for name, x := range map[string]struct {
		err  error
		want graph.Code
	}{
		"one network":              {last(v6, func(i int) *http.Request { return request(fmt.Sprintf("[2001:db8::%x]:5", i), "wrong") }), graph.CodeRateLimited},
		"a header without a proxy": {last(direct, forwarded), graph.CodeRateLimited},
		"clients of a proxy":       {last(proxied, forwarded), graph.CodeUnauthenticated},
		"a forged first entry":     {last(proxied, spoofed), graph.CodeRateLimited},
	} {
		if graph.CodeOf(x.err) != x.want {
			t.Errorf("%s: %v", name, x.err)
		}
	}
}

// What is held ends when its credential is revoked or expires, once, and nothing else ends.
func TestHeldEndsWithItsCredential(t *testing.T) {
	d := newDoor(t)
	one, text := d.key(t, access.MemoryRead)
	_, other := d.key(t, access.MemoryRead)
	hold := func(text string) (engine.Caller, chan struct{}, func()) {
		c, err := d.Authenticate(request("192.0.2.1:5", text))
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		return c, ended, d.Hold(c, func() { close(ended) })
	}
	_, first, _ := hold(text)
	_, stopped, stop := hold(text)
	_, second, _ := hold(other)
	stop()
	if _, err := d.keys.Revoke(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	<-first
	select {
	case <-stopped:
		t.Error("a holding ended after it was stopped")
	case <-second:
		t.Error("the holding of another key ended")
	default:
	}
	d.advance(time.Hour)
	<-second
	if _, err := d.Authenticate(request("192.0.2.1:5", text)); graph.CodeOf(err) != graph.CodeUnauthenticated {
		t.Errorf("a revoked key that was accepted before: %v", err)
	}
}

// Two servers over one store. After one look of the second, a key that was revoked at the first is dead there, for requests and
// for what is held.
func TestAKeyRevokedAtAnotherServerIsDeadAfterOneLook(t *testing.T) {
	first := newDoor(t)
	tick := make(chan time.Time)
	second, err := auth.New(auth.Options{Keys: first.secondKeys(t), Now: first.clock, Tick: tick})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(second.Close)
	revoked, text := first.key(t, access.MemoryRead)
	_, other := first.key(t, access.MemoryRead)
	ended := map[string]chan struct{}{}
	for _, key := range []string{text, other} {
		c, err := second.Authenticate(request("192.0.2.1:5", key))
		if err != nil {
			t.Fatal(err)
		}
		end := make(chan struct{})
		ended[key] = end
		second.Hold(c, func() { close(end) })
	}
	look := func() {
		tick <- first.clock()
		tick <- first.clock() // is received when the look before is over
	}
	look()
	if _, err := first.keys.Revoke(t.Context(), revoked.ID); err != nil {
		t.Fatal(err)
	}
	look()
	for key, want := range map[string]bool{text: true, other: false} {
		select {
		case <-ended[key]:
			if !want {
				t.Error("what another key holds has ended")
			}
		default:
			if want {
				t.Error("what the revoked key holds has not ended")
			}
		}
		if _, err := second.Authenticate(request("192.0.2.1:5", key)); (graph.CodeOf(err) == graph.CodeUnauthenticated) != want {
			t.Errorf("revoked %v: a request gets %v", want, err)
		}
	}
	if auth.DefaultEvery > time.Second/2 {
		t.Errorf("a look every %v keeps no promise of a second", auth.DefaultEvery)
	}
}

// withTokens makes the door accept tokens of an issuer with a secret, and returns how to make one.
func withTokens(t testing.TB, log *slog.Logger) (func(*auth.Options), func(claims map[string]any) string) {
	t.Helper()
	secret := strings.Repeat("s", 40)
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(secret)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	token := func(claims map[string]any) string {
		all := map[string]any{"iss": "https://id.example", "aud": "memory", "sub": "ana", "scope": "memory:read"}
		maps.Copy(all, claims)
		raw, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := signer.Sign(raw)
		if err != nil {
			t.Fatal(err)
		}
		text, err := signed.CompactSerialize()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	return func(o *auth.Options) {
		issuers, err := oidc.ParseIssuers(fmt.Sprintf("{issuer: https://id.example, audience: memory, tenant: acme, secret-file: %q}", path))
		if err != nil {
			t.Fatal(err)
		}
		if o.Tokens, err = oidc.New(oidc.Options{Issuers: issuers, Now: o.Now}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(o.Tokens.Close)
		o.Pepper, o.Logger = make([]byte, access.MinPepper), log
	}, token
}

// Refused tokens count as failed tries, as refused keys do; the log names the reason and has no part of a token.
func TestWrongTokensAreFailedTries(t *testing.T) {
	var log bytes.Buffer
	options, token := withTokens(t, slog.New(slog.NewTextHandler(&log, nil)))
	d := newDoor(t, options)
	exp := d.clock().Add(time.Hour).Unix()
	used := token(map[string]any{"exp": exp})
	if c, err := d.Authenticate(request("192.0.2.1:5", used)); err != nil || c.Tenant != "acme" {
		t.Fatalf("%+v, %v", c, err)
	}
	codes := map[graph.Code]int{}
	for n := range 1000 {
		_, err := d.Authenticate(request("192.0.2.1:5", token(map[string]any{"exp": exp, "aud": fmt.Sprint("other", n)})))
		codes[graph.CodeOf(err)]++
	}
	if codes[graph.CodeUnauthenticated] != 20 || codes[graph.CodeRateLimited] != 980 {
		t.Errorf("codes %v", codes)
	}
	if _, err := d.Authenticate(request("192.0.2.1:5", used)); err != nil {
		t.Errorf("a token that was accepted before: %v", err)
	}
	d.advance(time.Second)
	if c, err := d.Authenticate(request("192.0.2.1:5", token(map[string]any{"exp": exp, "sub": "late"}))); err != nil || c.Tenant != "acme" {
		t.Errorf("a new token of a client of the address: %+v, %v", c, err)
	}
	if n := strings.Count(log.String(), "another audience"); n != 20 || strings.Contains(log.String(), "eyJ") {
		t.Errorf("the log names the reason %d times:\n%s", n, log.String())
	}
	if _, err := d.Authenticate(request("192.0.2.9:5", "a.b.c")); graph.CodeOf(err) != graph.CodeUnauthenticated {
		t.Errorf("no token: %v", err)
	}
	cookie := request("192.0.2.9:5", "")
	cookie.AddCookie(&http.Cookie{Name: auth.CookieName, Value: used})
	if _, err := d.Authenticate(cookie); graph.CodeOf(err) != graph.CodeUnauthenticated {
		t.Errorf("a token in the cookie: %v", err)
	}
}

// What is held under a token ends when it expires, 60 seconds after its time.
func TestHeldEndsWithItsToken(t *testing.T) {
	options, token := withTokens(t, nil)
	d := newDoor(t, options)
	text := token(map[string]any{"exp": d.clock().Add(time.Hour).Unix()})
	c, err := d.Authenticate(request("192.0.2.1:5", text))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	d.Hold(c, func() { close(ended) })
	d.advance(time.Hour + 59*time.Second)
	if _, err := d.Authenticate(request("192.0.2.1:5", text)); err != nil {
		t.Errorf("before its time: %v", err)
	}
	select {
	case <-ended:
		t.Error("ended too early")
	default:
	}
	d.advance(time.Second)
	<-ended
	if _, err := d.Authenticate(request("192.0.2.1:5", text)); graph.CodeOf(err) != graph.CodeUnauthenticated {
		t.Errorf("after its time: %v", err)
	}
}

func TestSignIn(t *testing.T) {
	d := newDoor(t)
	_, text := d.key(t, access.MemoryRead)
	post := func(key string) *http.Response {
		r := httptest.NewRequest(http.MethodPost, "/signin", strings.NewReader(url.Values{"key": {key}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		d.SignIn(w, r)
		return w.Result()
	}
	wrong := post("wrong")
	// With the policy no-referrer a browser would send the form with "Origin: null", which is refused.
	if wrong.StatusCode != http.StatusUnauthorized || len(wrong.Cookies()) != 0 || wrong.Header.Get("Referrer-Policy") != "same-origin" {
		t.Errorf("a wrong key: %d, %v", wrong.StatusCode, wrong.Cookies())
	}
	right := post(" " + text + "\n")
	if right.StatusCode != http.StatusSeeOther || len(right.Cookies()) != 2 {
		t.Fatalf("a right key: %d, %v", right.StatusCode, right.Cookies())
	}
	c := right.Cookies()[0]
	if c.Name != "__Host-somnograph" || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" {
		t.Errorf("cookie %+v", c)
	}
	pages := d.Pages("/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("explorer")) }))
	for want, cookie := range map[int]*http.Cookie{http.StatusOK: c, http.StatusSeeOther: {Name: c.Name, Value: "wrong"}} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(cookie)
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("the explorer with %q: %d, want %d", cookie.Value[:5], w.Code, want)
		}
	}
	// GraphiQL sends to the form, and the form back to GraphiQL, to no other page that a request names.
	w := httptest.NewRecorder()
	ide := d.Pages("/graphiql", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("GraphiQL is shown without a key") }))
	ide.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/graphiql/", nil))
	if to := w.Header().Get("Location"); w.Code != http.StatusSeeOther || to != "/signin?to=%2Fgraphiql" {
		t.Errorf("GraphiQL without a key: %d %s", w.Code, to)
	}
	for query, want := range map[string]string{
		"": "/", "?to=/graphiql": "/graphiql", "?to=%2F%3Ft%3D5%23m": "/?t=5#m", "?to=https://evil.example": "/", "?to=//evil.example": "/", "?to=/%5Cevil.example": "/",
		"?to=javascript:alert(1)": "/", "?to=/export": "/",
	} {
		r := httptest.NewRequest(http.MethodPost, "/signin"+query, strings.NewReader(url.Values{"key": {text}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		d.SignIn(w, r)
		if to := w.Header().Get("Location"); to != want {
			t.Errorf("a sign-in at %q leads to %q, want %q", query, to, want)
		}
		w = httptest.NewRecorder()
		d.SignIn(w, httptest.NewRequest(http.MethodGet, "/signin"+query, nil))
		if body := w.Body.String(); strings.Contains(body, "{{") || strings.Contains(body, "evil") || strings.Contains(body, "to=%2Fgraphiql") != (want == "/graphiql") {
			t.Errorf("the form of %q: %s", query, body)
		}
	}
	out := httptest.NewRecorder()
	d.SignIn(out, httptest.NewRequest(http.MethodGet, "/signin?out", nil))
	if cookies := out.Result().Cookies(); len(cookies) != 2 || cookies[0].MaxAge >= 0 || cookies[1].MaxAge >= 0 {
		t.Errorf("signing out: %v", cookies)
	}
}
