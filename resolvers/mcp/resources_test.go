package mcp_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// A caller is offered the resources that it may read, and no others.
func TestOfferedResourcesAreReadable(t *testing.T) {
	tenant := engine.Loopback().Tenant
	read, write := []access.Scope{access.MemoryRead}, []access.Scope{access.MemoryWrite}
	callers := map[string]engine.Caller{
		"whole":     {Tenant: tenant, Name: "whole", Scopes: read},
		"user":      {Tenant: tenant, Name: "user", User: "ana", Scopes: read},
		"namespace": {Tenant: tenant, Name: "namespace", Namespaces: []string{"boats"}, Scopes: read},
		"writer":    {Tenant: tenant, Name: "writer", Scopes: write},
		"loopback":  engine.Loopback(),
	}
	s := start(t, func(c *mcp.Config) {
		c.Authenticate = func(r *http.Request) (engine.Caller, error) { return callers[r.URL.Query().Get("session")], nil }
		c.MayRead = func(c engine.Caller) bool { return c.May(access.MemoryRead) }
	})
	for name, want := range map[string]string{"whole": "report schema", "loopback": "report schema", "user": "schema", "namespace": "schema", "writer": ""} {
		c := s.connect("/mcp?session="+name, nil)
		list, err := c.ListResources(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var offered []string
		for _, r := range list.Resources {
			offered = append(offered, r.Name)
			if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI}); err != nil {
				t.Errorf("%s is offered %s: %v", name, r.URI, err)
			}
		}
		slices.Sort(offered)
		templates, err := c.ListResourceTemplates(t.Context(), nil)
		if err != nil || len(templates.ResourceTemplates) == 0 != (want == "") || list.CacheScope != "private" || templates.CacheScope != "private" {
			t.Errorf("%s: the templates are %v (%s, %s), %v", name, templates.ResourceTemplates, list.CacheScope, templates.CacheScope, err)
		}
		if got := strings.Join(offered, " "); got != want {
			t.Errorf("%s is offered %q, want %q", name, got, want)
		}
	}
}
