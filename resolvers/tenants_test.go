package resolvers_test

import (
	"bytes"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// A server administrator makes, limits and deletes a tenant. Deleting it revokes its keys and erases its memories, and nothing
// else.
func TestTenants(t *testing.T) {
	w := enginetest.New(t)
	keys, err := access.NewKeys(w.Store, bytes.Repeat([]byte{7}, access.MinPepper), w.Engine.Now, rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	tenants := access.NewTenants(w.Store, w.Engine.Now, time.Now, rand.NewChaCha8([32]byte{2}))
	c := engine.Loopback()
	s := over(t, w, func(rc *resolvers.Config) {
		rc.Keys, rc.Tenants = keys, tenants
		rc.Authenticate = func(*http.Request) (engine.Caller, error) { return c, nil }
	})
	refused := func(query, field string) {
		t.Helper()
		if a := s.ask(query, nil); a.code() != string(graph.CodeInvalidRequest) || a.field() != field {
			t.Errorf("%s: %s", query, a.Body)
		}
	}
	const create = `mutation { createTenant(input: {name: "acme", title: "Acme Ltd", quotas: {memories: 10, bytes: 5000000000, costPerMinute: 600}}) { name title status keys memories quotas { memories bytes costPerMinute } } }`
	a := s.must(create, nil)
	if got := string(a.Body); !strings.Contains(got, `{"name":"acme","title":"Acme Ltd","status":"ACTIVE","keys":0,"memories":0,"quotas":{"memories":10,"bytes":5e+09,"costPerMinute":600}}`) {
		t.Errorf("%s", got)
	}
	refused(create, "name")
	refused(`mutation { createTenant(input: {name: "b", quotas: {bytes: 1.5}}) { name } }`, "quotas.bytes")
	refused(`mutation { setTenantQuotas(name: "acme", quotas: {memories: 0}) { name } }`, "quotas.memories")
	refused(`mutation { deleteTenant(name: "acme", confirm: "acm") { name } }`, "confirm")
	refused(`mutation { deleteTenant(name: "default", confirm: "default") { name } }`, "name")
	if a := s.ask(`mutation { setTenantQuotas(name: "nobody", quotas: {}) { name } }`, nil); a.code() != string(graph.CodeMemoryNotFound) {
		t.Errorf("%s", a.Body)
	}
	key, text, err := keys.Create(t.Context(), access.Input{Tenant: "acme", Owner: "o", Scopes: []access.Scope{access.MemoryRead, access.MemoryAdmin}})
	if err != nil {
		t.Fatal(err)
	}
	kept := s.remember("The heron nests at the weir.", nil)
	first := c
	c = engine.Caller{Tenant: "acme", Name: "o", Grant: 1, Admin: true, Scopes: access.AllScopes[:5]}
	s.remember("The winch of acme sticks.", nil)
	if a := s.must(`{ tenant { name keys memories bytes } memories { nodes { content } } }`, nil); !strings.Contains(string(a.Body), `{"name":"acme","keys":1,"memories":1,"bytes":25}`) || strings.Contains(string(a.Body), "heron") {
		t.Errorf("%s", a.Body)
	}
	if a := s.ask(`{ tenants { name } }`, nil); a.code() != string(graph.CodeForbidden) {
		t.Errorf("a tenant's administrator lists tenants: %s", a.Body)
	}
	c.User = "ana"
	if a := s.ask(`{ tenant { name } }`, nil); a.code() != string(graph.CodeForbidden) {
		t.Errorf("a user's key sees the size of the tenant: %s", a.Body)
	}
	c = first
	if a := s.must(`mutation { deleteTenant(name: "acme", confirm: "acme") { status memories keys receipt } }`, nil); !strings.Contains(string(a.Body), `"status":"DELETED","memories":0,"keys":0,"receipt":"`) {
		t.Errorf("%s", a.Body)
	}
	if _, err := keys.Check(t.Context(), text); graph.CodeOf(err) != graph.CodeUnauthenticated {
		t.Errorf("key %s of a deleted tenant: %v", key.ID, err)
	}
	a = s.must(`{ tenants { name status } memory(id: "`+kept+`") { content } }`, nil)
	if !strings.Contains(string(a.Body), `[{"name":"default","status":"ACTIVE"},{"name":"acme","status":"DELETED"}]`) || !strings.Contains(string(a.Body), "heron") {
		t.Errorf("%s", a.Body)
	}
}

// A user, an agent or namespaces that are given but empty make no key: it would be one for everything.
func TestAKeyForNothingIsRefused(t *testing.T) {
	w := enginetest.New(t)
	keys, err := access.NewKeys(w.Store, bytes.Repeat([]byte{7}, access.MinPepper), w.Engine.Now, rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	s := over(t, w, func(rc *resolvers.Config) { rc.Keys = keys })
	for field, empty := range map[string]string{"user": `""`, "agent": `""`, "namespaces": `[]`} {
		a := s.ask(`mutation { createApiKey(input: {scopes: [MEMORY_READ], `+field+`: `+empty+`}) { key } }`, nil)
		if a.code() != string(graph.CodeInvalidRequest) || a.field() != field {
			t.Errorf("%s: %s", field, a.Body)
		}
	}
	if all, err := keys.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("keys were made: %v, %v", all, err)
	}
	s.must(`mutation { createApiKey(input: {scopes: [MEMORY_READ], user: null, agent: null, namespaces: null}) { key } }`, nil)
}
