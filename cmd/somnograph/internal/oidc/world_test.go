package oidc_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
)

// The keys of the tests. Making RSA keys is slow.
var (
	rsaKey   = sync.OnceValue(func() *rsa.PrivateKey { return must(rsa.GenerateKey(rand.Reader, 2048)) })
	otherRSA = sync.OnceValue(func() *rsa.PrivateKey { return must(rsa.GenerateKey(rand.Reader, 2048)) })
	ecKey    = sync.OnceValue(func() *ecdsa.PrivateKey { return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)) })
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// issuer publishes keys on loopback as an issuer does. A test makes its tokens.
type issuer struct {
	t   testing.TB
	url string

	mu      sync.Mutex
	keys    []jose.JSONWebKey
	down    bool
	fetches int // of the keys
	codes   int // that were sent to it
	more    map[string]any
}

func newIssuer(t testing.TB) *issuer {
	t.Helper()
	i := &issuer{t: t, keys: []jose.JSONWebKey{
		{Key: rsaKey().Public(), KeyID: "rsa", Algorithm: "RS256", Use: "sig"}, {Key: ecKey().Public(), KeyID: "ec", Algorithm: "ES256", Use: "sig"},
	}}
	s := httptest.NewServer(http.HandlerFunc(i.serve))
	t.Cleanup(s.Close)
	i.url = s.URL
	return i
}

func (i *issuer) serve(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.down {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	var v any
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		all := map[string]any{"issuer": i.url, "jwks_uri": i.url + "/keys", "authorization_endpoint": i.url + "/authorize", "token_endpoint": i.url + "/token"}
		maps.Copy(all, i.more)
		v = all
	case "/keys":
		i.fetches++
		v = jose.JSONWebKeySet{Keys: i.keys}
	default:
		if r.URL.Path == "/token" {
			i.codes++
		}
		http.NotFound(w, r)
		return
	}
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

// change changes the issuer under its lock.
func (i *issuer) change(f func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	f()
}

func (i *issuer) fetched() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetches
}

// world is a Verifier with a clock that a test moves, and what it logs.
type world struct {
	*oidc.Verifier
	issuer *issuer
	mu     sync.Mutex
	now    time.Time
	log    bytes.Buffer
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) advance(by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(by)
}

// Write implements io.Writer, for the log.
func (w *world) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(p)
}

func (w *world) logged() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.String()
}

// newWorld makes a Verifier for one issuer. settings are those of the issuer besides its URL.
func newWorld(t testing.TB, i *issuer, settings map[string]any, change ...func(*oidc.Options)) *world {
	t.Helper()
	w := &world{issuer: i, now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}
	all := map[string]any{"issuer": i.url, "audience": "memory", "tenant": "acme"}
	maps.Copy(all, settings)
	issuers, err := oidc.ParseIssuers(string(must(json.Marshal(all))))
	if err != nil {
		t.Fatal(err)
	}
	o := oidc.Options{Issuers: issuers, Now: w.clock, Logger: slog.New(slog.NewTextHandler(w, nil)), Every: time.Hour, Retry: time.Hour}
	for _, f := range change {
		f(&o)
	}
	if w.Verifier, err = oidc.New(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// claims are those of a token that is accepted, with changes; nil removes a claim.
func (w *world) claims(changes map[string]any) map[string]any {
	now := w.clock()
	c := map[string]any{
		"iss": w.issuer.url, "aud": "memory", "sub": "ana", "exp": now.Add(time.Hour).Unix(), "iat": now.Unix(), "scope": "openid memory:read memory:write",
	}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

// sign makes a token of a payload. key is the kid and the private key.
func sign(t testing.TB, alg jose.SignatureAlgorithm, kid string, key any, payload any, headers map[jose.HeaderKey]any) string {
	t.Helper()
	o := &jose.SignerOptions{ExtraHeaders: map[jose.HeaderKey]any{"typ": "JWT"}}
	maps.Copy(o.ExtraHeaders, headers)
	if kid != "" {
		o.ExtraHeaders["kid"] = kid
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, o)
	if err != nil {
		t.Fatal(err)
	}
	raw, is := payload.([]byte)
	if !is {
		raw = must(json.Marshal(payload))
	}
	return must(must(signer.Sign(raw)).CompactSerialize())
}

// token is a token of the issuer with changed claims.
func (w *world) token(t testing.TB, changes map[string]any) string {
	t.Helper()
	return sign(t, jose.RS256, "rsa", rsaKey(), w.claims(changes), nil)
}

// raw is a token of texts: a header, a payload and a signature.
func raw(header, payload string, signature []byte) string {
	e := base64.RawURLEncoding
	return e.EncodeToString([]byte(header)) + "." + e.EncodeToString([]byte(payload)) + "." + e.EncodeToString(signature)
}

// signedRaw is a token of texts with a right signature of RS256.
func signedRaw(header, payload string) string {
	text := raw(header, payload, nil)
	text = text[:len(text)-1]
	h := crypto.SHA256.New()
	h.Write([]byte(text))
	signature := must(rsa.SignPKCS1v15(rand.Reader, rsaKey(), crypto.SHA256, h.Sum(nil)))
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// secretFile writes a file that only its owner may read.
func secretFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
