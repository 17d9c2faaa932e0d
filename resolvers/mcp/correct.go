package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

var correctTool = tool{
	name: "correct", minimal: true,
	about: "Replace a memory that is outdated or wrong. The old version stays in its history.",
	params: []param{
		{name: "id", kind: text, required: true},
		{name: "text", kind: text, required: true, about: "what is true now"},
		{name: "reason", kind: text},
	},
	call: (*Service).correct,
}

func (s *Service) correct(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if _, err := s.visible(ctx, p, graph.ID(a.text("id"))); err != nil {
		return nil, err
	}
	r, err := s.config.Verbs.Supersede(ctx, p.caller, engine.SupersedeInput{ID: graph.ID(a.text("id")), Content: a.text("text"), Reason: a.text("reason")})
	if err != nil {
		return nil, renamed(err, map[string]string{"content": "text"})
	}
	return said("Corrected: id=%s is version %d and replaces id=%s.", r.Memory.ID, r.Memory.Version, r.Previous.ID), nil
}

// visible returns a memory that the request may touch, or MEMORY_NOT_FOUND.
func (s *Service) visible(ctx context.Context, p *place, id graph.ID) (*engine.View, error) {
	if !id.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be the id of a memory, as recall prints it")
	}
	m, err := s.config.Verbs.Memory(ctx, p.caller, id, engine.Access{})
	if err != nil {
		return nil, err
	}
	if m == nil || !p.covers(m) {
		return nil, graph.FieldError(graph.CodeMemoryNotFound, "id", "no memory has this id")
	}
	return m, nil
}
