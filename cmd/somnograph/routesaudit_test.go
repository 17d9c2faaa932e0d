package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// routesWithoutRows are the routes of the server that leave no row, and why.
var routesWithoutRows = map[string]string{
	"/signin/": "the steps of a sign-in at an issuer: its end has a row of the verb signIn, see TestSignInAtTheIssuer",
	"/":        "the files of the explorer: what they show comes from other routes", "/graphiql": "a file", "/graphiql/": "files",
}

// auditedRoutes are requests to the other routes, the verb of a caller that may call them, and of one that may not; empty: the route is for everybody.
var auditedRoutes = []struct{ path, contentType, body, verb, refused string }{
	{"/graphql", "application/json", `{"query":"{memories{nodes{id}}}"}`, "memories", "memories"},
	{"/viz/graph", "", "", "vizGraph", "vizGraph"},
	{"/export", "", "", "export", "export"},
	{"/import", "application/x-ndjson", "{}\n", "import", "import"},
	{"/backup", backup.MediaType, "", "backup", "backup"},
	{"/documents?path=a.md", "text/markdown", "# Winch\n\nThe winch sticks.\n", "ingest", "ingest"},
	{"/signin", "application/x-www-form-urlencoded", "", "signIn", ""},
	{"/hooks/claude-code", "application/json", `{"hook_event_name":"SessionStart","session_id":"s","source":"startup"}`, "context", "context"},
}

// toolArguments are arguments of the tools.
var toolArguments = map[string]string{
	"recall": `{"query":"winch"}`, "context": `{}`, "history": `{"subject":"winch"}`, "remember": `{"text":"The ferry leaves at noon."}`,
	"correct": `{"id":"019ca8a0-5208-7038-9351-be7b34b4f571","text":"The ferry leaves at one."}`, "forget": `{"subject":"winch"}`, "session": `{"action":"observe","role":"user","text":"The ferry is late.","session":"s"}`,
}

// Each route and each MCP tool leaves a row of its caller, also if that may not call it.
func TestEveryRouteLeavesARow(t *testing.T) {
	dir := t.TempDir()
	admin := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:share,memory:curate,memory:admin,audit:read")
	weak := newKey(t, dir, "--scopes", "audit:read")
	s := start(t, dir, "--auth", "keys")
	want := map[string]map[string]string{admin.APIKey.ID: {}, weak.APIKey.ID: {}} // by principal and verb: the outcome, empty for any
	tested := map[string]bool{}
	for _, x := range auditedRoutes {
		u, err := url.Parse(x.path)
		if err != nil {
			t.Fatal(err)
		}
		tested[u.Path] = true
		for _, key := range []client.CreatedAPIKey{admin, weak} {
			body := x.body
			if x.path == "/signin" {
				body = url.Values{"key": {key.Key}}.Encode()
			}
			if x.contentType == "" {
				s.get(x.path, "Authorization", "Bearer "+key.Key)
			} else {
				s.post(x.path, x.contentType, body, key.Key)
			}
		}
		want[admin.APIKey.ID][x.verb] = ""
		if x.refused != "" {
			want[weak.APIKey.ID][x.refused] = "FORBIDDEN"
		} else {
			want[weak.APIKey.ID][x.verb] = "OK"
		}
	}
	s.get("/signin?out", "Cookie", "__Host-somnograph="+admin.Key)
	want[admin.APIKey.ID]["signOut"] = "OK"
	for tool := range toolScopes {
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, toolArguments[tool])
		switch {
		case tool == mcp.Resources:
			call = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"somnograph://schema"}}`
		case tool == "graphql":
			continue // its operation is checked as one of /graphql
		case toolArguments[tool] == "":
			t.Errorf("the test has no arguments for the tool %s", tool)
		}
		s.post("/mcp", "application/json", call, weak.Key)
		want[weak.APIKey.ID][tool] = "FORBIDDEN"
	}
	s.post("/mcp", "application/json", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"winch"}}}`, admin.Key)
	want[admin.APIKey.ID]["search"] = "OK"
	c := s.withKey(admin.Key)
	for principal, verbs := range want {
		for verb, outcome := range verbs {
			found := false
			err := c.Audit(t.Context(), client.AuditFilter{Principal: principal, Verb: verb}, func(e client.AuditEntry) error {
				if e.Milliseconds <= 0 || e.Count < 1 || e.Outcome == "" {
					t.Errorf("an incomplete row %+v", e)
				}
				found = found || outcome == "" || e.Outcome == outcome
				return nil
			})
			if err != nil || !found {
				t.Errorf("%s of %s has no row with the outcome %q, %v", verb, principal, outcome, err)
			}
		}
	}
	s.stop()
	source, err := os.ReadFile("routes.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`mux\.Handle\("([^"]+)"`).FindAllStringSubmatch(string(source), -1) {
		if !tested[m[1]] && routesWithoutRows[m[1]] == "" {
			t.Errorf("no row of the route %s is tested, and it is not in the list of those without", m[1])
		}
	}
}

// A picture is drawn once for all who see the same. Each read of it is counted for who asked, and drawing it for nobody.
func TestReadsOfThePictureCountForWhoAsked(t *testing.T) {
	dir := t.TempDir()
	admin := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:share,memory:admin,audit:read")
	second := newKey(t, dir, "--scopes", "memory:read,memory:write,memory:share,memory:admin,audit:read")
	s := start(t, dir, "--auth", "keys")
	read := func(key, query string, want int) {
		t.Helper()
		if status, _, body := s.get("/viz/graph"+query, "Authorization", "Bearer "+key); status != want {
			t.Fatalf("%s: %d %s, want %d", query, status, body, want)
		}
	}
	s.post("/graphql", "application/json", `{"query":"mutation{remember(input:{content:\"The winch sticks.\",consent:EXPLICIT}){memory{id}}}"}`, admin.Key)
	read(admin.Key, "", 200)
	for _, query := range []string{"", "?format=arrow", "?format=arrow&table=edges"} {
		read(second.Key, query, 200)
	}
	read(second.Key, "?tile=7&map=7", 410)
	s.post("/graphql", "application/json", `{"query":"{vizGraph{total}}"}`, second.Key)
	got := map[string]int{}
	err := s.withKey(admin.Key).Audit(t.Context(), client.AuditFilter{}, func(e client.AuditEntry) error {
		if name := map[string]string{admin.APIKey.ID: "first ", second.APIKey.ID: "second "}[e.Principal]; name != "" {
			got[name+e.Verb+" "+e.Outcome] += e.Count
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(got, "first audit OK") // the list itself
	want := map[string]int{"first remember OK": 1, "first vizGraph OK": 1, "second vizGraph OK": 4, "second vizGraph INVALID_REQUEST": 1}
	if !maps.Equal(got, want) {
		t.Errorf("the audit has %v, want %v", got, want)
	}
	s.stop()
}

// noSecretsInAudit fails the test if a row that the key can read has a part of a secret. It returns the number of rows.
func (s *server) noSecretsInAudit(key string, secrets ...string) int {
	s.t.Helper()
	n := 0
	err := s.withKey(key).Audit(s.t.Context(), client.AuditFilter{}, func(e client.AuditEntry) error {
		n++
		row, err := json.Marshal(e)
		for _, secret := range secrets {
			if strings.Contains(string(row), secret) {
				s.t.Error("a row of the audit has a part of a key")
			}
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}
