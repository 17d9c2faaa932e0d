package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/graph"
)

var graphqlTool = tool{
	name: "graphql", destructive: true,
	about: "Anything else the memory API can do (pin, tasks, timeline, sleep, relations). Use describe first: Query, Mutation or a type returns its definition.",
	params: []param{
		{name: "query", kind: text},
		{name: "variables", kind: object},
		{name: "describe", kind: texts, about: "names of types"},
	},
	call: (*Service).graphql,
}

// maxAnswer is the size in bytes above which the answer of an operation is refused, because it
// would fill the model's context.
const maxAnswer = 64 << 10

// graphql passes an operation to the GraphQL endpoint, with the credentials of the request, so
// that all of its limits apply. It reaches the part of memory that the URL says.
func (s *Service) graphql(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if names := a.texts("describe"); len(names) > 0 {
		return s.describe(names)
	}
	if strings.TrimSpace(a.text("query")) == "" {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "query", "or describe is required")
	}
	body := map[string]any{"query": a.text("query")}
	if v, there := a["variables"]; there {
		body["variables"] = v
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/graphql", bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"Authorization", "Cookie", "Traceparent"} {
		if v := p.header.Values(name); len(v) > 0 {
			r.Header[name] = v
		}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	w := &answer{header: http.Header{}}
	s.config.GraphQL.ServePart(w, r, p.namespace, p.user, p.caller.Agent)
	if w.body.Len() > maxAnswer {
		return nil, graph.FieldError(graph.CodeLimitExceeded, "query", "has an answer of %d bytes, more than %d: select fewer fields or items", w.body.Len(), maxAnswer)
	}
	result := said("%s", bytes.TrimSpace(w.body.Bytes()))
	var reply struct {
		Errors []json.RawMessage `json:"errors"`
	}
	result.IsError = json.Unmarshal(w.body.Bytes(), &reply) != nil || len(reply.Errors) > 0
	return result, nil
}

// answer holds a response in memory.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *answer) Header() http.Header         { return w.header }
func (w *answer) WriteHeader(status int)      { w.status = status }
func (w *answer) Write(b []byte) (int, error) { return w.body.Write(b) }

// describe returns the definitions of types.
func (s *Service) describe(names []string) (*sdk.CallToolResult, error) {
	var b strings.Builder
	for i, name := range names {
		found, known := s.definitions[name]
		if !known {
			return nil, graph.FieldError(graph.CodeInvalidRequest, fmt.Sprintf("describe.%d", i), "is no type of the schema; Query and Mutation list the operations")
		}
		b.WriteString(found)
	}
	return said("%s", b.String()), nil
}

// definitions splits a schema into its top-level definitions by name. Each begins with its
// description and ends before the next.
func definitions(sdl string) map[string]string {
	out := map[string]string{}
	var part []string
	name := ""
	flush := func() {
		if name != "" {
			out[name] += strings.Join(part, "\n") + "\n"
		}
		part, name = nil, ""
	}
	open := false // within a definition with braces
	for _, line := range strings.Split(sdl, "\n") {
		words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" {(=@|", r) })
		if !open && len(words) > 0 && words[0] == "extend" {
			words = words[1:]
		}
		begins := !open && len(words) > 1 && slices.Contains([]string{"type", "input", "enum", "scalar", "union", "interface"}, words[0])
		if begins {
			name = words[1]
		}
		if open || begins || strings.HasPrefix(strings.TrimSpace(line), `"`) || len(part) > 0 && strings.TrimSpace(line) != "" {
			part = append(part, line)
		}
		switch {
		case begins && strings.Contains(line, "{") && !strings.Contains(line, "}"):
			open = true
		case open && strings.HasPrefix(line, "}"):
			open = false
			flush()
		case begins:
			flush()
		case !open && strings.TrimSpace(line) == "":
			part = nil
		}
	}
	return out
}
