package resolvers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/somnograph/somnograph/resolvers"
)

// The suites of test/clients: the audits of graphql-http, and the clients of graphql-ws and
// graphql-sse with every close code.
func TestClients(t *testing.T) {
	dir := filepath.Join("..", "test", "clients")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		t.Skip("run npm ci in test/clients first")
	}
	open := start(t)
	guarded := start(t, func(c *resolvers.Config) {
		c.Authenticate = bearer
		c.Times.Init = 200 * time.Millisecond
		c.Limits.Operations = 2
	})
	files, err := filepath.Glob(filepath.Join(dir, "*.test.mjs"))
	if err != nil || len(files) != 3 {
		t.Fatalf("found %v, %v; want three suites", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter=tap", "--test-timeout=20000", filepath.Base(file))
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "SOMNOGRAPH_URL="+open.http.URL+"/graphql", "SOMNOGRAPH_GUARDED_URL="+guarded.http.URL+"/graphql")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
