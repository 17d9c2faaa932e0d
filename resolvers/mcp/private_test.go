package mcp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// What an agent remembers as private is seen by that agent, and not by its user or another agent.
func TestPrivateMemoriesAreSeenByTheirAgent(t *testing.T) {
	// The path /mcp?project=NAME says which credential calls.
	callers := map[string]engine.Caller{}
	for name, agent := range map[string]string{"bot": "bot", "crow": "crow", "user": ""} {
		callers[name] = engine.Caller{
			Tenant: engine.Loopback().Tenant, Name: name, User: "ana", Agent: agent, Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite},
		}
	}
	s := start(t, func(c *mcp.Config) {
		c.Authenticate = func(r *http.Request) (engine.Caller, error) { return callers[r.URL.Query().Get("project")], nil }
	})
	bot, crow, user := s.connect("/mcp?project=bot", nil), s.connect("/mcp?project=crow", nil), s.connect("/mcp?project=user", nil)
	private := id(t, bot.ok("remember", object{"text": "Ana prefers short answers about the ferry.", "private": true, "allProjects": true}))
	shared := id(t, bot.ok("remember", object{"text": "Ana takes the ferry at nine.", "allProjects": true}))
	for name, c := range map[string]*client{"bot": bot, "crow": crow, "user": user} {
		text := c.ok("recall", object{"query": "What about Ana and the ferry?"})
		if strings.Contains(text, private) != (name == "bot") || !strings.Contains(text, shared) {
			t.Errorf("%s recalls %q", name, text)
		}
		if name != "bot" {
			c.refused("history", object{"id": private}, "MEMORY_NOT_FOUND")
		}
	}
	user.refused("remember", object{"text": "Ana likes herons.", "private": true}, "FORBIDDEN: agent: ")
	bot.refused("remember", object{"text": "Ana likes herons.", "private": "yes"}, "private: must be true or false")
}
