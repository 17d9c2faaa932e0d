package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/internal/certtest"
	"github.com/somnograph/somnograph/internal/dgraphtest"
	"github.com/somnograph/somnograph/internal/redistest"
)

// A server works with a Dgraph with access control and a Redis with a password that both
// require TLS and client certificates.
func TestServeOverGuardedServers(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	files, err := certtest.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := dgraphtest.StartGuarded(t.Context(), t.TempDir(), files)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	const secret = "a password of redis"
	redisServer := redistest.StartGuarded(t, files, secret)
	t.Setenv("SOMNOGRAPH_DGRAPH_LOGIN_PASSWORD", dgraphtest.Password)
	t.Setenv("SOMNOGRAPH_REDIS_PASSWORD", secret)
	over := []string{
		"--store", "dgraph", "--dgraph", cluster.Addr, "--dgraph-login-user", dgraphtest.User,
		"--dgraph-tls-ca", files.CA, "--dgraph-tls-cert", files.Cert, "--dgraph-tls-key", files.Key,
		"--redis-addr", redisServer.Addr, "--redis-tls-ca", files.CA, "--redis-tls-cert", files.Cert, "--redis-tls-key", files.Key,
	}
	first, second := start(t, t.TempDir(), over...), start(t, t.TempDir(), over...)
	id := remember(t, first.client(), "The winch sticks again.")
	finds(t, first, "winch", id)
	compare(t, second.client(), map[string]string{id: "The winch sticks again."})
	for _, s := range []*server{first, second} {
		var out struct {
			Health struct {
				Status  string
				Details json.RawMessage
			}
		}
		if err := s.client().Do(t.Context(), `{health{status details}}`, nil, &out); err != nil || strings.Contains(string(out.Health.Details), `"away"`) {
			t.Errorf("health is %+v, %v", out.Health, err)
		}
		s.stop()
		if log := s.log.String(); strings.Contains(log, secret) || strings.Contains(log, dgraphtest.Password) {
			t.Error("a password is in the log")
		}
	}
}
