package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

var rememberTool = tool{
	name: "remember", minimal: true,
	about: "Store one fact, preference, decision, event or rule, as a sentence that is clear without this conversation.",
	params: []param{
		{name: "text", kind: text, required: true},
		{name: "quote", kind: text, about: "the user's own words that say it; omit for your own conclusions"},
		{name: "asked", kind: yesNo, about: "the user asked to remember it"},
		{name: "allProjects", kind: yesNo, about: "not only about this project"},
		{name: "until", kind: instant, about: "when it stops being true"},
	},
	call: (*Service).remember,
}

func (s *Service) remember(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	in := engine.RememberInput{
		Content: a.text("text"), Consent: graph.ConsentImplicit, Namespace: p.writes(), User: p.user, Session: p.session, Project: p.project,
		Agent: p.agent, SourceKind: graph.FromAssistant, ValidTo: a.at("until"),
	}
	if a.yes("asked") {
		in.Consent = graph.ConsentExplicit
	}
	if a.yes("allProjects") {
		in.Project = ""
	}
	if quote := strings.TrimSpace(a.text("quote")); quote != "" {
		raw, err := json.Marshal(map[string]string{"quote": quote})
		if err != nil {
			return nil, err
		}
		in.SourceKind, in.Meta = graph.FromUser, raw
	}
	r, err := s.config.Verbs.Remember(ctx, p.caller, in)
	if err != nil {
		return nil, renamed(err, map[string]string{"content": "text", "validTo": "until", "meta": "quote"})
	}
	return said("%s", rememberedText(r)), nil
}

// rememberedText says what became of a memory.
func rememberedText(r *engine.RememberResult) string {
	var b strings.Builder
	if r.DuplicateOf != "" {
		fmt.Fprintf(&b, "Known already, now stronger: id=%s", r.DuplicateOf)
	} else {
		fmt.Fprintf(&b, "Remembered: id=%s", r.Memory.ID)
	}
	for _, id := range r.ConflictsWith {
		fmt.Fprintf(&b, "\nIt disagrees with id=%s; use correct if the new one replaces it.", id)
	}
	return b.String()
}

// renamed gives the argument at fault the name that it has in the tool.
func renamed(err error, names map[string]string) error {
	e, ok := err.(*graph.Error)
	if !ok || names[e.Field] == "" {
		return err
	}
	copied := *e
	copied.Field = names[e.Field]
	return &copied
}
