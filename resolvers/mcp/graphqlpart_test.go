package mcp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/resolvers"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// The tool graphql reaches the part of memory that the URL says, and nothing else.
func TestGraphQLToolStaysInThePartOfTheURL(t *testing.T) {
	s := start(t)
	all := s.connect("/mcp", nil)
	write := func(content, user, namespace string) string {
		text := all.ok("graphql", object{
			"query":     "mutation($i: RememberInput!) { remember(input: $i) { memory { id } } }",
			"variables": object{"i": object{"content": content, "consent": "EXPLICIT", "user": user, "namespace": namespace}},
		})
		_, after, _ := strings.Cut(text, `"id":"`)
		return after[:36]
	}
	hers, his, shared := write("Ana's boat is red.", "ana", "boats"), write("Bo's boat is green.", "bo", "boats"), write("The quay is closed in May.", "", "boats")
	elsewhere := write("Ana's kite is blue.", "ana", "kites")
	c := s.connect("/mcp/boats?user=ana", nil)
	for id, seen := range map[string]bool{hers: true, shared: true, his: false, elsewhere: false} {
		if text, _ := c.call("graphql", object{"query": `{ memory(id: "` + id + `") { type } }`}); strings.Contains(text, `"type"`) != seen {
			t.Errorf("memory %s: %s", id, text)
		}
	}
	text := c.ok("graphql", object{"query": "{ memories(first: 10) { nodes { content } } }"})
	if strings.Contains(text, "green") || strings.Contains(text, "blue") || !strings.Contains(text, "red") {
		t.Errorf("the list: %s", text)
	}
	for _, input := range []string{`user: "bo"`, `namespace: "kites"`, `ids: ["` + his + `"]`} {
		c.call("graphql", object{"query": `mutation { forget(input: {` + input + `}) { status } }`})
	}
	for _, id := range []string{his, elsewhere} {
		if text := all.ok("graphql", object{"query": `{ memory(id: "` + id + `") { content } }`}); !strings.Contains(text, "boat is green") && !strings.Contains(text, "kite is blue") {
			t.Errorf("it was erased: %s", text)
		}
	}
}

// The user of a URL gives a key that belongs to nobody no right to erase what is the user's, and shows nothing that agents keep private
// about the user but that of its own agent.
func TestTheUserOfTheURLGivesNoRights(t *testing.T) {
	admin := true
	s := start(t, func(c *mcp.Config) {
		authenticate := func(*http.Request) (engine.Caller, error) {
			c := engine.Caller{Tenant: "default", Name: "app", Grant: 0.5, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite}, Admin: admin}
			return c, nil
		}
		c.Authenticate, c.GraphQL = authenticate, resolvers.NewHandler(resolvers.Config{Verbs: c.Verbs.(resolvers.Verbs), Authenticate: authenticate})
	})
	hers := id(t, s.connect("/mcp?user=ana", nil).ok("remember", object{"text": "Ana has a red boat."}))
	private := id(t, s.connect("/mcp?user=ana&agent=zz", nil).ok("remember", object{"text": "Ana owes the harbour 40 crowns.", "private": true}))
	admin = false
	c := s.connect("/mcp?user=ana", nil)
	for _, input := range []string{`user: "ana"`, `ids: ["` + hers + `"]`, `namespace: "default"`} {
		c.refused("graphql", object{"query": `mutation { forget(input: {` + input + `}) { receipt { id } } }`}, "requires the scope")
	}
	seen := func(c *client, id string) []bool {
		text, _ := c.call("graphql", object{"query": `{ memory(id: "` + id + `") { type } }`})
		_, failed := c.call("history", object{"id": id})
		return []bool{strings.Contains(text, `"type"`), !failed}
	}
	for path, want := range map[string]bool{"/mcp?user=ana": false, "/mcp?user=ana&agent=aa": false, "/mcp?user=ana&agent=zz": true} {
		c := s.connect(path, nil)
		if got := seen(c, private); got[0] != want || got[1] != want {
			t.Errorf("%s: graphql and history show what is private: %v", path, got)
		}
		if got := seen(c, hers); !got[0] || !got[1] {
			t.Errorf("%s: graphql and history show the user's: %v", path, got)
		}
	}
}
