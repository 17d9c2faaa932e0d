package mcp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
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
	user.refused("remember", object{"text": "Ana likes herons.", "private": true}, "FORBIDDEN: private: can't be true with these credentials, which belong to a user and to no agent: without private the user")
	bot.refused("remember", object{"text": "Ana likes herons.", "private": "yes"}, "private: must be true or false")
}

// Turns of a conversation are private where the call or the URL says so, and so are the tasks in them.
func TestPrivateTurnsAreSeenByTheirAgent(t *testing.T) {
	callers := map[string]engine.Caller{}
	for name, agent := range map[string]string{"bot": "bot", "crow": "crow", "user": ""} {
		callers[name] = engine.Caller{
			Tenant: engine.Loopback().Tenant, Name: name, User: "ana", Agent: agent, Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite},
		}
	}
	s := start(t, func(c *mcp.Config) {
		c.Authenticate = func(r *http.Request) (engine.Caller, error) { return callers[r.URL.Query().Get("project")], nil }
	})
	bot, crow, user := s.connect("/mcp?project=bot&session=talk", nil), s.connect("/mcp?project=crow&session=talk", nil), s.connect("/mcp?project=user&session=talk", nil)
	quiet := s.connect("/mcp?project=bot&session=talk&private=true", nil)
	bot.ok("session", object{"action": "observe", "role": "user", "text": "I must repaint the zuqoru boat before Friday.", "private": true})
	quiet.ok("session", object{"action": "observe", "role": "user", "text": "The zuqoru boat lies at pier nine."})
	quiet.ok("remember", object{"text": "The zuqoru boat is blue.", "allProjects": true})
	for event, more := range map[string]object{"UserPromptSubmit": {"prompt": "Where is the oar of the zuqoru boat?"}, "Stop": {"last_assistant_message": "The zuqoru oar is in the shed."}} {
		more["session_id"] = "talk"
		if text, status := s.hook("/hooks/claude-code?project=bot&private=true", payload(t, event, more)); status != http.StatusOK {
			t.Fatalf("%s: %d %s", event, status, text)
		}
	}
	bot.ok("session", object{"action": "close"})
	for name, c := range map[string]*client{"bot": bot, "crow": crow, "user": user} {
		text := c.ok("recall", object{"query": "zuqoru boat", "limit": 20}) + c.ok("context", object{"query": "zuqoru boat"})
		for _, word := range []string{"repaint", "pier nine", "blue", "shed"} {
			if strings.Contains(text, word) != (name == "bot") {
				t.Errorf("%s reads %q: %v in %s", name, word, name != "bot", text)
			}
		}
		if name != "bot" {
			c.refused("session", object{"action": "close"}, "MEMORY_NOT_FOUND")
		}
	}
	user.refused("session", object{"action": "observe", "role": "user", "text": "Herons.", "private": true}, "FORBIDDEN: private: can't be true with these credentials, which belong to a user and to no agent: without private the user")
	// A memory for others that quotes a private turn does not name the turn.
	made := id(t, bot.ok("remember", object{"text": "The zuqoru boat needs paint.", "quote": "I must repaint the zuqoru boat", "allProjects": true}))
	v, err := s.Engine.Memory(t.Context(), callers["user"], graph.ID(made), engine.Access{})
	if err != nil || strings.Contains(string(v.Meta), "turn") {
		t.Errorf("the quoting memory: %+v, %v", v, err)
	}
}

// Without keys the agent of the URL sees what it keeps private about the user of the URL, and another
// agent does not.
func TestPrivateMemoriesWithoutKeys(t *testing.T) {
	s := start(t)
	const here = "/mcp/desk?user=nia&agent=cursor"
	private := id(t, s.connect(here, nil).ok("remember", object{"text": "Nia dislikes the new desk.", "private": true}))
	for path, sees := range map[string]bool{here: true, "/mcp/desk?user=nia&agent=crow": false, "/mcp/desk?user=nia": false, "/mcp/desk?user=omar&agent=cursor": false} {
		if text := s.connect(path, nil).ok("recall", object{"query": "Which desk does Nia dislike?"}); strings.Contains(text, private) != sees {
			t.Errorf("%s recalls %q", path, text)
		}
	}
}

// A URL that asks for what its credentials can never do is refused at once, with what a person has to change.
func TestPrivateInTheURLNeedsAnAgent(t *testing.T) {
	caller := engine.Caller{Tenant: engine.Loopback().Tenant, Name: "key", Grant: .8, Scopes: []access.Scope{access.MemoryRead, access.MemoryWrite, access.MemoryShare}}
	s := start(t, func(c *mcp.Config) {
		c.Authenticate = func(*http.Request) (engine.Caller, error) { return caller, nil }
	})
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for _, x := range []struct{ user, agent, query, want string }{
		{"ana", "", "?private=true", "FORBIDDEN: private: can't be true with these credentials, which belong to a user and to no agent: take private=true out of the URL"},
		{"ana", "", "?private=true&agent=bot", "FORBIDDEN: private: can't be true"}, // the URL gives no right
		{"ana", "", "?private=false", ""},
		{"ana", "bot", "?private=true", ""},
		{"", "", "?private=true", ""},
		{"", "bot", "?private=true", ""},
	} {
		caller.User, caller.Agent = x.user, x.agent
		status := http.StatusOK
		if x.want != "" {
			status = http.StatusForbidden
		}
		if got, text := s.post("/mcp"+x.query, hello); got != status || !strings.HasPrefix(text, x.want) {
			t.Errorf("%+v: %d %q", x, got, text)
		}
		if text, got := s.hook("/hooks/claude-code"+x.query, payload(t, "Stop", map[string]any{"session_id": "talk", "last_assistant_message": "The oar is in the shed."})); got != status || !strings.HasPrefix(text, x.want) {
			t.Errorf("%+v: the hook answers %d %q", x, got, text)
		}
	}
}

// A parameter without a value is none that somebody meant to give.
func TestEmptyParametersAreRefused(t *testing.T) {
	s := start(t)
	for _, name := range []string{"agent", "user", "project", "session", "private", "profile"} {
		if status, text := s.post("/mcp?"+name+"=", "{}"); status != http.StatusBadRequest || !strings.HasPrefix(text, "INVALID_REQUEST: "+name+": must not be empty") {
			t.Errorf("%s: %d %q", name, status, text)
		}
	}
}
