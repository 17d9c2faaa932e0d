package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// The addresses of resources.
const (
	memoryPrefix  = "somnograph://memory/"
	lineagePrefix = "somnograph://lineage/"
	reportURI     = "somnograph://report/latest"
	schemaURI     = "somnograph://schema"
)

const jsonType = "application/json"

// addResources adds the resources to a server.
func (s *Service) addResources(server *sdk.Server) {
	server.AddResource(&sdk.Resource{URI: reportURI, Name: "report", Description: "The morning report of the last sleep", MIMEType: jsonType}, s.read(s.readReport))
	server.AddResource(&sdk.Resource{URI: schemaURI, Name: "schema", Description: "The GraphQL schema of the graphql tool", MIMEType: "application/graphql"}, s.read(s.readSchema))
	server.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: memoryPrefix + "{id}", Name: "memory", Description: "One memory", MIMEType: jsonType}, s.read(s.readMemory))
	server.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: lineagePrefix + "{id}", Name: "lineage", Description: "Every version of a memory", MIMEType: jsonType}, s.read(s.readLineage))
}

// readable leaves out of the lists of resources what the caller may not read. The morning report is about the whole tenant.
func (s *Service) readable(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil {
			return result, err
		}
		switch list := result.(type) {
		case *sdk.ListResourcesResult:
			c, shown := placeOf(ctx).caller, *list
			shown.Resources = slices.DeleteFunc(slices.Clone(list.Resources), func(r *sdk.Resource) bool {
				return !s.mayRead(c) || r.URI == reportURI && c.WholeTenant() != nil
			})
			return &shown, nil
		case *sdk.ListResourceTemplatesResult:
			shown := *list
			if !s.mayRead(placeOf(ctx).caller) {
				shown.ResourceTemplates = []*sdk.ResourceTemplate{}
			}
			return &shown, nil
		}
		return result, nil
	}
}

func (s *Service) mayRead(c engine.Caller) bool {
	return s.config.MayRead == nil || s.config.MayRead(c)
}

// resourceReader reads a resource.
type resourceReader func(ctx context.Context, p *place, uri string) (*sdk.ResourceContents, error)

// read returns the handler of a resource.
func (s *Service) read(fn resourceReader) sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		ctx, cancel := context.WithTimeout(ctx, callTime)
		defer cancel()
		p := placeOf(ctx)
		contents, err := s.readCounted(ctx, p, req.Params.URI, fn)
		if err != nil {
			e := s.publicError(ctx, "resources/read", err)
			if e.Code == graph.CodeMemoryNotFound || e.Code == graph.CodeInvalidRequest {
				return nil, sdk.ResourceNotFoundError(req.Params.URI)
			}
			return nil, e
		}
		contents.URI = req.Params.URI
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}, nil
	}
}

// readCounted reads a resource as one of the caller's queries.
func (s *Service) readCounted(ctx context.Context, p *place, uri string, fn resourceReader) (*sdk.ResourceContents, error) {
	if err := s.admit(ctx, p, Call{Tool: Resources}); err != nil {
		return nil, err
	}
	leave, err := s.enterQuery(ctx, p)
	if err != nil {
		return nil, err
	}
	defer leave(0) // after an error or a panic
	contents, err := fn(ctx, p, uri)
	if err == nil {
		leave(len(contents.Text))
	}
	return contents, err
}

// memoryBody is a memory as a resource.
type memoryBody struct {
	ID         graph.ID   `json:"id"`
	Text       string     `json:"text"`
	Type       graph.Type `json:"type"`
	Status     string     `json:"status"`
	Version    int        `json:"version"`
	Namespace  string     `json:"namespace"`
	User       string     `json:"user,omitempty"`
	Project    string     `json:"project,omitempty"`
	SaidBy     string     `json:"saidBy"`
	OccurredAt time.Time  `json:"occurredAt"`
	RecordedAt time.Time  `json:"recordedAt"`
	ReplacedAt *time.Time `json:"replacedAt,omitempty"`
	Reason     string     `json:"reason,omitempty"`
}

// bodyOf is a memory without what a reader does not see: a resource is read by a model.
func bodyOf(m *engine.View) memoryBody {
	b := memoryBody{
		ID: m.ID, Text: prompt.Clean(m.Content), Type: m.Type, Status: string(m.State.Status), Version: m.Version, Namespace: m.Namespace, User: prompt.Clean(graph.UserOf(m.User)),
		Project: prompt.Clean(m.Project), SaidBy: string(m.SourceKind), OccurredAt: m.OccurredAt.UTC(), RecordedAt: m.RecordedAt.UTC(), Reason: prompt.Clean(m.Reason),
	}
	if m.Unavailable != nil {
		b.Text = ""
	}
	return b
}

func (s *Service) readMemory(ctx context.Context, p *place, uri string) (*sdk.ResourceContents, error) {
	m, err := s.visible(ctx, p, graph.ID(strings.TrimPrefix(uri, memoryPrefix)))
	if err != nil {
		return nil, err
	}
	return jsonContents(bodyOf(m))
}

func (s *Service) readLineage(ctx context.Context, p *place, uri string) (*sdk.ResourceContents, error) {
	id := graph.ID(strings.TrimPrefix(uri, lineagePrefix))
	if _, err := s.visible(ctx, p, id); err != nil {
		return nil, err
	}
	list, err := s.config.Verbs.Lineage(ctx, p.caller, id, 0, 0)
	if err != nil {
		return nil, err
	}
	bodies := make([]memoryBody, len(list))
	for i, v := range list {
		bodies[i] = bodyOf(v.Memory)
		if !v.SupersededAt.IsZero() {
			at := v.SupersededAt.UTC()
			bodies[i].ReplacedAt = &at
		}
	}
	return jsonContents(bodies)
}

// readReport returns the last completed sleep; null before the first.
func (s *Service) readReport(ctx context.Context, p *place, _ string) (*sdk.ResourceContents, error) {
	list, _, err := s.config.Verbs.SleepReports(ctx, p.caller, 10, "")
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		if r.Complete && !r.DryRun {
			return jsonContents(reportBody(r))
		}
	}
	return jsonContents(nil)
}

// reportBody is a morning report as a resource.
func reportBody(r engine.SleepReport) map[string]any {
	return map[string]any{
		"id": r.ID, "kind": r.Kind, "startedAt": r.StartedAt.UTC(), "completedAt": r.CompletedAt.UTC(), "reinforced": r.Reinforced,
		"archived": r.Pruned, "merged": r.Deduplicated, "promoted": r.Promoted, "engraved": r.Engraved, "replayed": r.Dreamed,
		"consolidated": r.Consolidated, "derived": r.Derived, "tokensSaved": r.TokensSaved, "toReview": r.Review,
	}
}

func (s *Service) readSchema(context.Context, *place, string) (*sdk.ResourceContents, error) {
	return &sdk.ResourceContents{MIMEType: "application/graphql", Text: s.config.Schema}, nil
}

func jsonContents(v any) (*sdk.ResourceContents, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return &sdk.ResourceContents{MIMEType: jsonType, Text: string(raw)}, nil
}
