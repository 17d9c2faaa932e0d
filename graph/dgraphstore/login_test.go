package dgraphstore

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/certtest"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// expires is when a token expires.
func expires(t *testing.T, token string) time.Time {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("not a token of three parts: %d", len(parts))
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	var claims struct{ Exp int64 }
	if err := json.Unmarshal(b, &claims); err != nil || claims.Exp == 0 {
		t.Fatalf("a token without an end: %v", err)
	}
	return time.Unix(claims.Exp, 0)
}

// clientTLS is the TLS configuration of a client of a cluster with access control.
func clientTLS(t *testing.T, files certtest.Files) *tls.Config {
	t.Helper()
	c, err := files.ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An expired login is renewed, also after its refresh token has expired, and no caller
// notices.
func TestExpiredLoginIsRenewed(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	files, err := certtest.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	guarded, err := dgraphtest.StartGuarded(t.Context(), t.TempDir(), files, "access-ttl=2s", "refresh-ttl=4s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := guarded.Stop(); err != nil {
			t.Error(err)
		}
	})
	s, err := Open(t.Context(), []string{guarded.Addr}, Options{
		RetryFor: waitLimit, Login: &Login{User: dgraphtest.User, Password: dgraphtest.Password}, TLS: clientTLS(t, files),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	sc := scope(t)
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	var held string
	for i := range 3 {
		if _, err := s.Update(ctx, sc, func(tx graph.Tx) error { return add(tx) }); err != nil {
			t.Fatalf("write %d: %v", i+1, err)
		}
		if n := counter(t, s, sc); n != byte(i+1) {
			t.Errorf("after %d writes the counter is %d", i+1, n)
		}
		jwt := s.alphas[0].client.GetJwt()
		if jwt.AccessJwt == held {
			t.Error("the login was not made again")
		}
		held = jwt.AccessJwt
		until := expires(t, jwt.AccessJwt) // the first time only this one expires
		if i > 0 {
			until = expires(t, jwt.RefreshJwt)
		}
		select { // Dgraph's clock decides
		case <-time.After(time.Until(until) + time.Second):
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		}
	}
}
