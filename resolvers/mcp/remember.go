package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"

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
		{name: "until", kind: until, about: "when it stops being true"},
		{name: "private", kind: yesNo, about: "only you see it"},
	},
	call: (*Service).remember,
}

func (s *Service) remember(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	in := engine.RememberInput{
		Content: a.text("text"), Consent: graph.ConsentImplicit, Namespace: p.writes(), User: p.user, Session: p.session, Project: p.project,
		SourceKind: graph.FromAssistant, ValidTo: a.at("until"),
	}
	if a.yes("asked") {
		in.Consent = graph.ConsentExplicit
	}
	if a.yes("allProjects") {
		in.Project = ""
	}
	in.Private, in.Agent = p.keeps(a)
	invented := false
	if quote := strings.TrimSpace(a.text("quote")); quote != "" {
		turn, heard, err := s.turnWith(ctx, p, quote)
		if err != nil {
			return nil, err
		}
		about := map[string]string{"quote": quote}
		if turn != nil && (in.Private || graph.AgentOf(turn.User) == "") { // who sees the memory may not learn of a private turn
			about["turn"] = string(turn.ID)
		}
		raw, err := json.Marshal(about)
		if err != nil {
			return nil, err
		}
		if invented = heard && turn == nil; invented {
			raw = nil
		} else {
			in.SourceKind = graph.FromUser
		}
		in.Meta = raw
	}
	r, err := s.config.Verbs.Remember(ctx, p.caller, in)
	if e := (*graph.Error)(nil); errors.As(err, &e) && e.Field == "validTo" { // the tool has no time since when it is true
		return nil, graph.FieldError(e.Code, "until", "must be in the future: for what is already over, omit it and say in the text when it ended")
	}
	if err != nil {
		return nil, renamed(err, map[string]string{"content": "text", "meta": "quote"})
	}
	text := s.rememberedText(ctx, p, r)
	if end := a.at("until"); !end.IsZero() && r.DuplicateOf == "" {
		text += "\nIt is true until " + end.UTC().Format(time.RFC3339) + "."
	}
	if invented {
		text += "\nNo turn of the user in this session has the quote: it counts as your conclusion."
	}
	if m := r.Memory; m != nil && m.SourceKind == graph.FromAssistant && engine.StatesRule(m.Memory) {
		text += "\nIt is stored as your conclusion. To make it a standing rule, give the user's own words as quote."
	}
	return said("%s", text), nil
}

// maxTurns is the number of the last memories of a session in which a quote is searched.
const maxTurns = 200

// turnWith returns the last turn of the user in the session of the connection that contains a quote;
// nil: there is none. heard reports whether the session has turns of the user at all: without
// them nothing can be compared.
func (s *Service) turnWith(ctx context.Context, p *place, quote string) (turn *engine.View, heard bool, err error) {
	if p.session == "" {
		return nil, false, nil
	}
	page, err := s.config.Verbs.Memories(ctx, p.caller, engine.ListInput{
		Namespaces: []string{p.writes()}, User: p.user, Session: p.session, First: maxTurns, Descending: true,
		Statuses: []graph.Status{graph.Active, graph.Superseded, graph.Consolidated}, Access: engine.Access{IncludeImplicit: true},
	})
	if err != nil {
		return nil, false, err
	}
	for _, v := range page.Memories {
		if v.SourceKind != graph.FromUser || bytes.Contains(v.Meta, []byte(`"quote"`)) || v.Unavailable != nil {
			continue // what an agent wrote down for the user is no turn
		}
		heard = true
		if strings.Contains(foldedQuote(v.Content), foldedQuote(quote)) {
			return v, true, nil
		}
	}
	return nil, heard, nil
}

// foldedQuote returns the words of a text in lower case, without marks around them.
func foldedQuote(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}), " ")
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
