package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
)

var contextTool = tool{
	name: "context", readOnly: true,
	about: "What to know before starting a task: standing rules, the project, matching memories, open tasks. Call it once at the start.",
	params: []param{
		{name: "query", kind: text, about: "the task"},
		{name: "tokens", kind: whole, min: 100, max: 20000, about: "budget, default 2000"},
	},
	call: (*Service).context,
}

// defaultTokens is the budget of a context that names none.
const defaultTokens = 2000

func (s *Service) context(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	r, err := s.config.Verbs.Context(ctx, p.caller, engine.ContextInput{
		Session: sessionOf(p, a), User: p.user, Project: p.project, Query: a.text("query"), Namespaces: p.namespaces(),
		TokenBudget: a.whole("tokens", defaultTokens),
	})
	if err != nil {
		return nil, renamed(err, map[string]string{"tokenBudget": "tokens"})
	}
	switch {
	case r.Text == "" && r.Truncated:
		return said("What is remembered does not fit into so few tokens."), nil
	case r.Text == "" && a.text("query") != "":
		return said("Nothing that is remembered is about this task."), nil
	case r.Text == "":
		return said("Nothing is remembered yet."), nil
	}
	return said("%s", r.Text), nil
}

// sessionOf is the conversation of a call: the argument, else the URL, else one for each agent.
func sessionOf(p *place, a arguments) string {
	if s := a.text("session"); s != "" {
		return s
	}
	if p.session != "" {
		return p.session
	}
	return "mcp " + p.agent
}
