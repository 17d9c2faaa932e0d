package mcp

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/counted"
)

var sessionTool = tool{
	name:  "session",
	about: "Record turns of this conversation (observe), or end it (close) so that its lasting parts are kept.",
	params: []param{
		{name: "action", kind: text, required: true, enum: []string{"observe", "close"}},
		{name: "role", kind: text, enum: []string{"user", "assistant", "tool"}, about: "of the turn"},
		{name: "text", kind: text, about: "the turn"},
		{name: "session", kind: text, about: "id of the conversation"},
		{name: "private", kind: yesNo, about: "only you see the turn"},
	},
	call: (*Service).session,
}

func (s *Service) session(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	session := sessionOf(p, a)
	if a.text("action") == "close" {
		r, err := s.config.Verbs.CloseSession(ctx, p.caller, session, p.writes())
		if err != nil {
			return nil, err
		}
		return said("Closed %s: %s stored, %s kept, %d expired.", quoted(session), counted.Of(len(r.Flushed), "turn"), counted.Of(len(r.Kept), "working memory"), len(r.Expired)), nil
	}
	for _, name := range []string{"role", "text"} {
		if a.text(name) == "" {
			return nil, graph.FieldError(graph.CodeInvalidRequest, name, "is required to observe a turn")
		}
	}
	in := engine.Observation{
		Session: session, Role: a.text("role"), Text: a.text("text"), Consent: graph.ConsentImplicit, Namespace: p.writes(),
		User: p.user, Project: p.project,
	}
	in.Private, in.Agent = p.keeps(a)
	seen, err := s.config.Verbs.Observe(ctx, p.caller, in)
	if err != nil {
		return nil, err
	}
	return said("%s", fmt.Sprintf("Observed: id=%s", seen.Memory.ID)), nil
}
