package mcp_test

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestBadArgumentsNameTheField(t *testing.T) {
	c := start(t).connect("/mcp", nil)
	for _, x := range []struct {
		tool string
		args object
		want string
	}{
		{"recall", object{}, "query: is required"},
		{"recall", object{"query": "  "}, "query: must not be empty"},
		{"recall", object{"query": 7}, "query: must be a string"},
		{"recall", object{"query": "x", "limit": 0}, "limit: must be a whole number from 1 to 50"},
		{"recall", object{"query": "x", "limit": 2.5}, "limit: must be a whole number"},
		{"recall", object{"query": "x", "asOf": "early last summer"}, "asOf: must be a date such as 2026-03-02 or 2026-03, a time such as"},
		{"remember", object{"text": "x", "until": "a few days from now"}, "until: must be a date"},
		{"remember", object{"text": "The pontoon is closed.", "until": "2020-03-01"}, "INVALID_REQUEST: until: must be in the future"},
		{"remember", object{"text": "The pontoon is closed.", "until": "yesterday"}, "INVALID_REQUEST: until: must be in the future"},
		{"recall", object{"query": "x", "topK": 3}, "topK: is no argument of this tool, which has query, limit"},
		{"recall", object{"query": "x", "allProjects": "yes"}, "allProjects: must be true or false"},
		{"remember", object{"text": strings.Repeat("long ", 10_000)}, "LIMIT_EXCEEDED: text: "},
		{"correct", object{"id": "7", "text": "x"}, "id: must be the id of a memory"},
		{"correct", object{"id": "01a209ca-8dc0-7000-85a1-d67174f617f3", "text": "x"}, "MEMORY_NOT_FOUND: id: "},
		{"history", object{}, "id: or subject is required"},
		{"history", object{"id": "x", "subject": "y"}, "subject: can't be combined with id"},
		{"forget", object{}, "ids: or subject is required"},
		{"forget", object{"ids": "x"}, "ids: must be a list of strings"},
		{"forget", object{"ids": []string{"x"}}, "ids.0: must be the id of a memory"},
		{"session", object{"action": "open"}, "action: must be one of observe, close"},
		{"session", object{"action": "observe"}, "role: is required"},
		{"graphql", object{}, "query: or describe is required"},
		{"graphql", object{"describe": []string{"Nothing"}}, "describe.0: is no type of the schema"},
		{"graphql", object{"query": "{ nothing }"}, "Cannot query field"},
	} {
		c.refused(x.tool, x.args, x.want)
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "nothing"}); err == nil || !strings.Contains(err.Error(), `unknown tool "nothing"`) {
		t.Errorf("an unknown tool: %v", err)
	}
}

// An argument under a wrong name is named, with what it may stand for, also where a required one is missing.
func TestAnUnknownArgumentIsNamed(t *testing.T) {
	c := start(t).connect("/mcp", nil)
	for _, x := range []struct {
		tool string
		args object
		want string
	}{
		{"remember", object{"txt": "The gate is open."}, "INVALID_REQUEST: txt: is no argument of this tool, which has text, quote, asked, allProjects, until, private; did you mean text?"},
		{"remember", object{"content": "The gate is open."}, "content: is no argument of this tool, which has text, quote, asked, allProjects, until, private; text is required"},
		{"remember", object{"text": "x", "Until": "tomorrow"}, "did you mean until?"},
		{"recall", object{"querry": "gate"}, "did you mean query?"},
		{"recall", object{"query": "gate", "asof": "today"}, "did you mean asOf?"},
		{"recall", object{"query": "gate", "topK": 3}, "topK: is no argument of this tool, which has query, limit, asOf, allProjects"},
		{"correct", object{"id": "x", "txt": "y"}, "txt: is no argument of this tool, which has id, text, reason; did you mean text?"},
		{"context", object{"token": 200}, "did you mean tokens?"},
		{"history", object{"subjct": "Ana"}, "did you mean subject?"},
		{"forget", object{"id": "x"}, "did you mean ids?"},
		{"session", object{"action": "observe", "txt": "x"}, "did you mean text?"},
		{"graphql", object{"variable": object{}}, "did you mean variables?"},
	} {
		c.refused(x.tool, x.args, x.want)
	}
}
