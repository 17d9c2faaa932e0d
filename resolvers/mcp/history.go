package mcp

import (
	"context"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

var historyTool = tool{
	name: "history", readOnly: true,
	about: "How knowledge changed: every version of a memory (id), or the facts about someone or something (subject), now or at a date.",
	params: []param{
		{name: "id", kind: text},
		{name: "subject", kind: text, about: `such as "Atlas project"; "user" for the user`},
		{name: "asOf", kind: asOf, about: "with subject"},
	},
	call: (*Service).history,
}

func (s *Service) history(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	id, subject := graph.ID(a.text("id")), a.text("subject")
	switch {
	case id == "" && subject == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "or subject is required")
	case id != "" && subject != "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "subject", "can't be combined with id")
	case id != "" && !a.at("asOf").IsZero():
		return nil, graph.FieldError(graph.CodeInvalidRequest, "asOf", "needs subject; every version of an id is listed with its times")
	case id != "":
		return s.versions(ctx, p, id)
	}
	return s.facts(ctx, p, subject, a)
}

// versions lists the versions of a memory, oldest first.
func (s *Service) versions(ctx context.Context, p *place, id graph.ID) (*sdk.CallToolResult, error) {
	if _, err := s.visible(ctx, p, id); err != nil {
		return nil, err
	}
	list, err := s.config.Verbs.Lineage(ctx, p.caller, id, 0, 0)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 { // it was erased
		return nil, graph.FieldError(graph.CodeMemoryNotFound, "id", "no memory has this id")
	}
	var b strings.Builder
	for _, v := range list {
		fmt.Fprintf(&b, "- version %d, recorded %s", v.Version, v.RecordedAt.UTC().Format("2006-01-02 15:04"))
		if !v.SupersededAt.IsZero() {
			fmt.Fprintf(&b, ", replaced %s", v.SupersededAt.UTC().Format("2006-01-02 15:04"))
		}
		if v.Reason != "" {
			fmt.Fprintf(&b, ", because %s", quoted(v.Reason))
		}
		fmt.Fprintf(&b, " id=%s: %s\n", v.Memory.ID, contentOf(v.Memory))
	}
	return said("%s", b.String()), nil
}

// facts lists what is believed about a subject, and what was believed before.
func (s *Service) facts(ctx context.Context, p *place, subject string, a arguments) (*sdk.CallToolResult, error) {
	list, err := s.config.Verbs.Facts(ctx, p.caller, engine.FactsInput{
		Subject: subject, User: p.user, Namespaces: p.namespaces(), IncludePast: a.at("asOf").IsZero(), First: 50,
		Access: engine.Access{AsOf: graph.AsOf{Valid: a.at("asOf")}},
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return said("%sNothing is known about %s.", a.asOf(), quoted(subject)), nil
	}
	var b strings.Builder
	b.WriteString(a.asOf())
	for _, f := range list {
		negated := ""
		if f.State.Negated {
			negated = "not "
		}
		fmt.Fprintf(&b, "- %s from %s", quoted(f.State.Subject+" | "+negated+f.State.Predicate+" | "+f.State.Object), f.ValidFrom.UTC().Format("2006-01-02"))
		if !f.ValidTo.IsZero() {
			fmt.Fprintf(&b, " to %s", f.ValidTo.UTC().Format("2006-01-02"))
		}
		if !f.Current {
			b.WriteString(" [PAST]")
		}
		if f.MemoryView != nil {
			fmt.Fprintf(&b, " id=%s", f.MemoryView.ID)
		}
		b.WriteString("\n")
	}
	return said("%s", b.String()), nil
}
