package mcp_test

import "testing"

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
