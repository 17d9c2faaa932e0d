package mcp_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// The directory of a hook is looked at on this machine only for a caller without authentication, whatever the name of a principal.
func TestAPrincipalNamedLoopbackReadsNoDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(dir, "a", "b")
	s := start(t, func(c *mcp.Config) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) {
			return engine.Caller{Tenant: "default", Name: engine.Loopback().Name, User: "loopback", Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}, Credential: "k"}, nil
		}
	})
	if text, status := s.hook("/hooks/claude-code", payload(t, "UserPromptSubmit", object{"prompt": "The winch needs grease.", "cwd": sub})); status != http.StatusOK {
		t.Fatal(status, text)
	}
	page, err := s.Memories(t.Context(), engine.Loopback(), engine.ListInput{User: "loopback", Access: engine.Access{IncludeImplicit: true}})
	if err != nil || len(page.Memories) != 1 {
		t.Fatal(page, err)
	}
	if p := page.Memories[0].Project; p != sub {
		t.Errorf("the server looked for a repository: %q", p)
	}
}
