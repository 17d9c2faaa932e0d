package mcp

import (
	"context"
	"net/http"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// place is where a request reads and writes: what its credentials and its URL say.
type place struct {
	caller    engine.Caller
	namespace string // empty: writes go to default, reads see all that the caller may see
	user      string
	project   string
	agent     string
	session   string
	minimal   bool
	header    http.Header // of the request, for the credentials of the graphql tool
}

type placeKey struct{}

func withPlace(ctx context.Context, p *place) context.Context {
	return context.WithValue(ctx, placeKey{}, p)
}

// placeOf returns the place of a request. Every request has one: ServeHTTP sets it before
// anything runs.
func placeOf(ctx context.Context) *place { return ctx.Value(placeKey{}).(*place) }

// newPlace reads the URL of a request. The error names the part at fault.
func newPlace(c engine.Caller, r *http.Request) (*place, error) {
	q := r.URL.Query()
	p := &place{
		caller: c, namespace: r.PathValue("namespace"), user: q.Get("user"), project: q.Get("project"),
		agent: q.Get("agent"), session: q.Get("session"), header: r.Header,
	}
	if p.user == "" {
		p.user = c.User
	}
	if p.namespace != "" && !graph.ValidNamespace(p.namespace) {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "namespace", "in the path: percent-encoded, and decoded it %s", graph.NamespaceRule)
	}
	if c.User != "" && p.user != c.User {
		return nil, graph.FieldError(graph.CodeForbidden, "user", "the credentials belong to another user")
	}
	for name, value := range map[string]string{"user": p.user, "project": p.project, "agent": p.agent, "session": p.session} {
		if len(value) > graph.MaxName {
			return nil, graph.FieldError(graph.CodeLimitExceeded, name, "has %d bytes, more than %d", len(value), graph.MaxName)
		}
	}
	switch profile := q.Get("profile"); profile {
	case "", "full":
	case "minimal":
		p.minimal = true
	default:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "profile", "must be full or minimal")
	}
	if _, err := c.AllowedNamespaces(p.namespaces()); err != nil {
		return nil, err
	}
	return p, nil
}

// namespaces are those that reads see; nil: all that the caller may see.
func (p *place) namespaces() []string {
	if p.namespace == "" {
		return nil
	}
	return []string{p.namespace}
}

// writes is the namespace of new memories.
func (p *place) writes() string {
	if p.namespace == "" {
		return "default"
	}
	return p.namespace
}

// covers reports whether a memory lies in the namespace and belongs to the user of the request,
// or to nobody. The engine checks the credentials; this checks what the URL narrows further.
func (p *place) covers(m *engine.View) bool {
	return (p.namespace == "" || m.Namespace == p.namespace) && (p.user == "" || m.User == "" || m.User == p.user)
}
