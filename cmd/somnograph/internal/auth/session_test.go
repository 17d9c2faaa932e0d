package auth

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
)

// A session lasts 24 hours, or until the token of its sign-in expires if that is earlier.
func TestASessionLastsADay(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close() // until the keys of an issuer were read, a session may rest on any
	issuers, err := oidc.ParseIssuers(fmt.Sprintf("{issuer: %s, audience: memory, tenant: acme, client-id: memory}", gone.URL))
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(issuers[0])
	if err != nil {
		t.Fatal(err)
	}
	basis := oidc.Basis{Config: fmt.Sprintf("%x", sha256.Sum256(config))}
	began := time.Date(2026, 11, 26, 6, 0, 0, 0, time.UTC)
	var passed atomic.Int64 // the verifier reads the clock in the background
	clock := func() time.Time { return began.Add(time.Duration(passed.Load())) }
	tokens, err := oidc.New(oidc.Options{Issuers: issuers, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer tokens.Close()
	a, err := New(Options{Now: clock, Tokens: tokens, Pepper: make([]byte, access.MinPepper)})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for expires, want := range map[time.Duration]time.Duration{time.Hour: time.Hour, 30 * 24 * time.Hour: 24 * time.Hour} {
		passed.Store(0)
		text, err := a.sessionText(engine.Caller{Tenant: "acme", Name: "ana", Until: began.Add(expires)}, gone.URL, basis)
		if err != nil {
			t.Fatal(err)
		}
		for at, valid := range map[time.Duration]bool{0: true, want - time.Second: true, want: false} {
			passed.Store(int64(at))
			if _, ok := a.inSession(text); ok != valid {
				t.Errorf("a token of %v: after %v the session holds: %v, want %v", expires, at, ok, valid)
			}
		}
	}
}
