package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// Tenants by the command line, through a running server: quotas hold for its keys, and a deleted tenant's key is refused.
func TestTenantsCommand(t *testing.T) {
	dir := t.TempDir()
	admin := newKey(t, dir, "--scopes", "server:admin").Key
	s := start(t, dir, "--auth", "keys")
	t.Setenv("SOMNOGRAPH_KEY", admin)
	t.Setenv("SOMNOGRAPH_ADDR", s.url)
	run := func(want int, args ...string) string {
		t.Helper()
		out, errs, code := output(t, args...)
		if code != want {
			t.Fatalf("%v: code %d\n%s%s", args, code, out, errs)
		}
		return out + errs
	}
	run(0, "tenants", "create", "acme", "--title", "Acme Ltd", "--memories", "1")
	if out := run(1, "tenants", "create", "acme"); !strings.Contains(out, "name of a tenant already") {
		t.Errorf("%s", out)
	}
	run(2, "tenants", "create", "b", "--memories", "0")
	run(2, "tenants", "delete", "acme", "--confirm", "acm")
	var made client.CreatedAPIKey
	if err := json.Unmarshal([]byte(run(0, "keys", "create", "--json", "--tenant", "acme", "--scopes", "memory:read,memory:write,memory:share")), &made); err != nil {
		t.Fatal(err)
	}
	acme := s.withKey(made.Key)
	remember(t, acme, "The winch of acme sticks.")
	var out struct{ Remember any }
	err := acme.Do(t.Context(), `mutation { remember(input: {content: "The ferry leaves at noon.", consent: EXPLICIT}) { memory { id } } }`, nil, &out)
	if err == nil || !strings.Contains(err.Error(), "quota is 1") {
		t.Errorf("above the quota: %v", err)
	}
	run(0, "tenants", "quotas", "acme", "--bytes", "1000")
	remember(t, acme, "The ferry leaves at noon.")
	if out := run(0, "tenants", "list"); !strings.Contains(out, "Acme Ltd") || !strings.Contains(out, "1000") {
		t.Errorf("%s", out)
	}
	run(0, "keys", "create", "--tenant", "acme", "--scopes", "memory:read", "--user", "olga-sander", "--owner", "payroll")
	if out := run(0, "tenants", "delete", "acme", "--confirm", "acme"); !strings.Contains(out, "receipt") {
		t.Errorf("%s", out)
	}
	// Nothing names its people: neither its keys nor its title.
	if out := run(0, "keys", "list"); strings.Contains(out, "acme") || strings.Contains(out, "olga-sander") || strings.Contains(out, "payroll") {
		t.Errorf("%s", out)
	}
	if out := run(0, "tenants", "list"); strings.Contains(out, "Acme Ltd") || !strings.Contains(out, "acme") {
		t.Errorf("%s", out)
	}
	if status, _, body := s.get("/graphql?query={whoami{name}}", "Authorization", "Bearer "+made.Key); status != http.StatusUnauthorized {
		t.Errorf("the key of a deleted tenant: %d %s", status, body)
	}
	if out := run(1, "keys", "create", "--tenant", "acme", "--scopes", "memory:read"); !strings.Contains(out, "deleted") {
		t.Errorf("%s", out)
	}
}
