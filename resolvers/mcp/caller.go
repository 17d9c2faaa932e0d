package mcp

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/invisible"
)

// place is where a request reads and writes: what its credentials and its URL say.
type place struct {
	caller    engine.Caller
	namespace string // empty: writes go where writes says, reads see all that the caller may see
	user      string
	project   string
	agent     string
	session   string
	private   bool // what the tools and hooks write here is private
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
	q, err := parameters(r.URL)
	if err != nil {
		return nil, err
	}
	p := &place{
		caller: c, namespace: strings.TrimSuffix(r.PathValue("namespace"), "/"), user: q.Get("user"), project: q.Get("project"),
		agent: q.Get("agent"), session: q.Get("session"), header: r.Header,
	}
	if p.user == "" {
		p.user = c.User
	}
	if p.namespace != "" && !graph.ValidNamespace(p.namespace) {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "namespace", "in the path: %s", graph.NamespaceRule)
	}
	if c.User != "" && p.user != c.User {
		return nil, graph.FieldError(graph.CodeForbidden, "user", "the credentials belong to another user")
	}
	for name, value := range map[string]string{"user": p.user, "project": p.project, "agent": p.agent, "session": p.session} {
		if len(value) > graph.MaxName {
			return nil, graph.FieldError(graph.CodeLimitExceeded, name, "has %d bytes, more than %d", len(value), graph.MaxName)
		}
	}
	switch private := q.Get("private"); private {
	case "", "false":
	case "true":
		if err := mayKeepPrivate(c, "take private=true out of the URL, or use a key with an agent"); err != nil {
			return nil, err
		}
		p.private = true
	default:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "private", "must be true or false")
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
	p.actAs(p.agent)
	return p, nil
}

// actAs sets the agent of the connection. Where the credentials belong to nobody, it reads what that
// agent keeps private, as it writes it.
func (p *place) actAs(agent string) {
	p.agent = agent
	if p.caller.User == "" && p.caller.Agent == "" && graph.ValidOwnerName(agent) && !invisible.Nothing(agent) {
		p.caller.Agent = agent
	}
}

// parameters reads the query of a URL. A misspelt name would widen what the agent sees, so none is passed over.
func parameters(u *url.URL) (url.Values, error) {
	q, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "query", "of the URL is malformed")
	}
	known := []string{"user", "project", "agent", "session", "private", "profile"}
	for _, name := range slices.Sorted(maps.Keys(q)) {
		switch {
		case !slices.Contains(known, name):
			return nil, graph.FieldError(graph.CodeInvalidRequest, name, "is no parameter of this URL, which takes %s", strings.Join(known, ", "))
		case len(q[name]) > 1:
			return nil, graph.FieldError(graph.CodeInvalidRequest, name, "is given twice")
		case q.Get(name) == "":
			return nil, graph.FieldError(graph.CodeInvalidRequest, name, "must not be empty")
		}
	}
	return q, nil
}

// namespaces are those that reads see; nil: all that the caller may see.
func (p *place) namespaces() []string {
	if p.namespace == "" {
		return nil
	}
	return []string{p.namespace}
}

// writes is the namespace of new memories: that of the URL, or the only one that the credentials grant.
func (p *place) writes() string {
	switch {
	case p.namespace != "":
		return p.namespace
	case len(p.caller.Namespaces) == 1:
		return p.caller.Namespaces[0]
	}
	return "default"
}

// keeps reports whether what a call writes is private, and whose it is.
func (p *place) keeps(a arguments) (private bool, agent string) {
	private = p.private || a.yes("private")
	if private && p.caller.Agent != "" {
		return true, p.caller.Agent // what another one keeps private could not be read
	}
	return private, p.agent
}

// mayKeepPrivate returns FORBIDDEN for credentials of a user without an agent: what they keep private nobody could read. remedy says what to do.
func mayKeepPrivate(c engine.Caller, remedy string) error {
	if c.User == "" || c.Agent != "" {
		return nil
	}
	return graph.FieldError(graph.CodeForbidden, "private", "can't be true with these credentials, which belong to a user and to no agent: %s", remedy)
}

// covers reports whether a memory lies in the namespace and belongs to the user of the request,
// or to nobody, and no other agent keeps it private from the user. The engine checks the credentials; this checks what the URL narrows
// further.
func (p *place) covers(m *engine.View) bool {
	if p.namespace != "" && m.Namespace != p.namespace {
		return false
	}
	user, agent := graph.SplitOwner(m.User)
	return p.user == "" || (user == "" || user == p.user) && (agent == "" || agent == p.caller.Agent)
}
