package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/counted"
)

var forgetTool = tool{
	name: "forget", destructive: true,
	about: "Erase memories for good, with all versions, by ids or everything about a subject. The user must confirm. Prefer correct for what merely changed.",
	params: []param{
		{name: "ids", kind: texts},
		{name: "subject", kind: text, about: "name of whom or what they are about"},
		{name: "confirm", kind: text, about: "the code from the first call, once the user agreed"},
	},
	call: (*Service).forget,
}

// confirmation names the question that the client asks its user.
const confirmation = "confirm"

// codeDigits are the hexadecimal digits of the code that a model copies. It is no secret: whoever has it may erase only what the credentials let
// it erase. It only has to differ for another set of ids. The server makes the ids, so nobody can look for two sets with one code,
// and that a set changes into one with the same 64 bits by chance does not happen.
const codeDigits = 16

// forget erases in two steps. The first counts what would be erased and asks for confirmation:
// through the client, if it can ask its user, else by a code that the model passes on in a second
// call. The code is the beginning of the hash of the ids that the first step found, so that what was confirmed is
// what is erased. If the set has changed in between, the question is asked again.
func (s *Service) forget(ctx context.Context, p *place, a arguments, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	in, what, err := s.forgetInput(ctx, p, a)
	if err != nil {
		return nil, err
	}
	in.DryRun = true
	found, err := s.config.Verbs.Forget(ctx, p.caller, in)
	if err != nil {
		return nil, err
	}
	if found.Count == 0 && in.Subject != "" {
		return said("Nothing matches; nothing was erased. subject is the name of a person or thing that memories state something about, not a topic: "+
			"recall %s, and call forget with the ids of what is to go.%s", quoted(in.Subject), ownWords(p, in.Subject)), nil
	}
	if found.Count == 0 {
		return said("Nothing matches; nothing was erased."), nil
	}
	code := found.Hash[:codeDigits]
	if answer, asked := req.Params.InputResponses[confirmation].(*sdk.ElicitResult); asked && answer != nil && req.Params.RequestState == found.Hash {
		if ok, _ := answer.Content["erase"].(bool); answer.Action != "accept" || !ok {
			return said("The user did not agree; nothing was erased."), nil
		}
		return s.erase(ctx, p, in)
	}
	if a.text("confirm") == code {
		return s.erase(ctx, p, in)
	}
	question := fmt.Sprintf("Erase %s for good? %s", counted.Of(found.Count, "memory"), what)
	if asks(req) {
		return &sdk.CallToolResult{
			RequestState: found.Hash,
			InputRequests: sdk.InputRequestMap{confirmation: &sdk.ElicitParams{
				Mode: "form", Message: question,
				RequestedSchema: map[string]any{
					"type": "object", "required": []string{"erase"},
					"properties": map[string]any{"erase": map[string]any{"type": "boolean", "title": "Erase", "description": "This can't be undone."}},
				},
			}},
		}, nil
	}
	state := "Nothing was erased yet."
	if a.text("confirm") != "" {
		state = "Nothing was erased: confirm is not the code for what would be erased now."
	}
	return said("%s Ask the user: %s If they agree, call forget again with the same arguments and confirm=%s", state, question, code), nil
}

// asks reports whether the client can put a question to its user.
func asks(req *sdk.CallToolRequest) bool {
	c := req.ClientCapabilities()
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

func (s *Service) erase(ctx context.Context, p *place, in engine.ForgetInput) (*sdk.CallToolResult, error) {
	in.DryRun = false
	r, err := s.config.Verbs.Forget(ctx, p.caller, in)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("Erased %s. Receipt %s, hash %s.", counted.Of(r.Count, "memory"), r.ID, r.Hash)
	if r.Anonymised > 0 {
		text += fmt.Sprintf(" %d of them are safety-critical and kept in anonymous form.", r.Anonymised)
	}
	return said("%s", text), nil
}

// forgetInput reads what to erase, and says it in words for the user. The id of a memory stands for all its versions: a
// person who wants something forgotten does not mean its last wording. Memories outside of the namespace or of another user
// than the request's are not found.
func (s *Service) forgetInput(ctx context.Context, p *place, a arguments) (in engine.ForgetInput, what string, err error) {
	in.Subject = strings.TrimSpace(a.text("subject"))
	ids := a.texts("ids")
	if len(ids) == 0 && in.Subject == "" {
		return in, "", graph.FieldError(graph.CodeInvalidRequest, "ids", "or subject is required")
	}
	if len(ids) > 0 && in.Subject != "" {
		return in, "", graph.FieldError(graph.CodeInvalidRequest, "subject", "can't be combined with ids")
	}
	if len(ids) > maxForget {
		return in, "", graph.FieldError(graph.CodeLimitExceeded, "ids", "has %d items, more than %d", len(ids), maxForget)
	}
	if in.Subject != "" {
		in.Namespace, in.User = p.writes(), p.user
		return in, "Everything about " + quoted(in.Subject) + ". What only mentions it stays." + ownWords(p, in.Subject), nil
	}
	var shown []string
	for i, id := range ids {
		m, err := s.visible(ctx, p, graph.ID(id))
		if err != nil {
			return in, "", renamed(err, map[string]string{"id": fmt.Sprintf("ids.%d", i)})
		}
		if in.IDs, err = s.appendVersions(ctx, p, in.IDs, m.ID); err != nil {
			return in, "", err
		}
		if i < maxNamed {
			m.Content = cutBytes(m.Content, maxNamedBytes)
			shown = append(shown, contentOf(m))
		}
	}
	if what = strings.Join(shown, ", "); len(ids) > maxNamed {
		what += fmt.Sprintf(" and %d more", len(ids)-maxNamed)
	}
	return in, what + ", with all versions.", nil
}

// appendVersions appends the id of a memory and those of its other versions, each once.
func (s *Service) appendVersions(ctx context.Context, p *place, ids []graph.ID, id graph.ID) ([]graph.ID, error) {
	ids = append(ids, id)
	for after := 0; ; {
		page, err := s.config.Verbs.Lineage(ctx, p.caller, id, versionsPage, after)
		if err != nil {
			return nil, err
		}
		for _, v := range page {
			ids, after = append(ids, v.Memory.ID), v.Version
		}
		if len(page) < versionsPage {
			slices.Sort(ids)
			return slices.Compact(ids), nil
		}
	}
}

// versionsPage is how many versions of a memory are read at once.
const versionsPage = 200

// The question to the user names the first memories, by their first bytes.
const (
	maxNamed      = 3
	maxNamedBytes = 100
)

// maxForget is the largest number of ids of one call.
const maxForget = 100

// ownWords says which subject the statements of the user in the first person have, where the subject is "user" as for history; empty: there is
// nothing to say.
func ownWords(p *place, subject string) string {
	if p.user == "" || !strings.EqualFold(subject, "user") {
		return ""
	}
	return " What " + quoted(p.user) + " said in the first person has the subject " + quoted(p.user) + "."
}
