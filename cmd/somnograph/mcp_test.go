package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// The suites of test/clients/mcp test the command with an agent's client.
func TestMCPRefusesWrongFlags(t *testing.T) {
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"--profile", "tiny"}, "--profile must be full or minimal"},
		{[]string{"--namespace", "a b"}, "--namespace must be"},
		{[]string{"now"}, "takes no argument"},
		{[]string{"--addr", "::"}, `somnograph: "http://::" is not the address of a server`},
		{[]string{"--addr", "127.0.0.1:1"}, "somnograph: no server answers at 127.0.0.1:1; start one with"},
		{[]string{"--addr", "127.0.0.1:1", "--data", t.TempDir()}, "--data and --addr exclude each other"},
		{[]string{"--data", os.DevNull}, "somnograph: can't create the data directory"},
	} {
		_, errs, code := output(t, append([]string{"mcp"}, x.args...)...)
		if !strings.Contains(errs, x.want) || code == exitOK || strings.Contains(errs, "transport") {
			t.Errorf("mcp %v: code %d, %q, want %q", x.args, code, errs, x.want)
		}
	}
}

// What keeps the command from a server is said in one sentence: whoever configures an agent sees nothing else.
func TestMCPSaysWhyItIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data") // made by the command, so that no other user can read it
	key := strings.TrimSpace(succeed(t, "keys", "create", "--scopes", "memory:read", "--user", "ana", "--data", dir))
	s := start(t, dir, "--auth", "keys")
	for want, x := range map[string]struct {
		key  string
		args []string
	}{
		"somnograph: the server asks for a key: set SOMNOGRAPH_KEY in the environment of the agent": {"", nil},
		"somnograph: the server does not accept the key in SOMNOGRAPH_KEY":                          {"sgk_wrong", nil},
		"somnograph: FORBIDDEN: user: the credentials belong to another user":                       {key, []string{"--user", "bo"}},
	} {
		for _, where := range [][]string{{"--addr", s.url}, {"--data", dir}} {
			cmd := command(t, slices.Concat([]string{"mcp"}, where, x.args)...)
			cmd.Env = append(cmd.Env, "SOMNOGRAPH_KEY="+x.key)
			out, err := cmd.CombinedOutput()
			if err == nil || string(out) != want+"\n" {
				t.Errorf("%v %v: %v, %q, want %q", where, x.args, err, out, want)
			}
		}
	}
}

// A key is offered the resources of MCP that it may read.
func TestResourcesAreOfferedByTheKey(t *testing.T) {
	dir := t.TempDir()
	whole, user, writer := newKey(t, dir, "--scopes", "memory:read"), newKey(t, dir, "--scopes", "memory:read", "--user", "ana"), newKey(t, dir, "--scopes", "memory:write", "--user", "ana")
	s := start(t, dir, "--auth", "keys")
	for _, x := range []struct {
		key            client.CreatedAPIKey
		report, schema bool
	}{{whole, true, true}, {user, false, true}, {writer, false, false}} {
		status, _, text := s.post("/mcp", "application/json", `{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{}}`, x.key.Key)
		if status != 200 || strings.Contains(text, "report/latest") != x.report || strings.Contains(text, "://schema") != x.schema {
			t.Errorf("%v is offered %d %s", x.key.APIKey.Scopes, status, text)
		}
	}
}
