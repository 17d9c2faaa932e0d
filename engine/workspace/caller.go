package workspace

import (
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/internal/invisible"
)

// WholeTenant returns FORBIDDEN if the caller sees only a part of the tenant.
func (c Caller) WholeTenant() error {
	if !c.Sight().Whole() {
		return graph.Errorf(graph.CodeForbidden, "the operation concerns the whole tenant, and the credentials grant only a part of it")
	}
	return nil
}

// Caller is the authenticated principal of a request. [Loopback] is the caller without
// authentication.
type Caller struct {
	Tenant      graph.Tenant
	Name        string            // the principal, for provenance
	User        string            // claim: reads and writes only this user's memories and those without a user; empty: any
	Namespaces  []string          // granted; empty: all
	Consents    []graph.Consent   // of the memories that it may read; empty: all
	Sensitivity graph.Sensitivity // the highest that it may read; empty: any
	Grant       float64           // highest authority it may write with, [0,1]
	Sources     bool              // each source it names is a principal of its own, with full authority
	Admin       bool
	Scopes      []access.Scope // what it may do; Admin includes MEMORY_ADMIN
	Agent       string         // agent of writes that name none; empty: none
	Credential  string         // id of the credential; empty: there is none
	Narrowed    bool           // User is a limit that the request set: it gives no right to erase what is the user's
	Until       time.Time      // when the credential expires; zero: never
	Stands      func() bool    // reports whether what the credential rests on is still valid, such as the key that signed a token; nil: nothing has to be asked
}

// May reports whether the caller has a scope.
func (c Caller) May(s access.Scope) bool {
	return access.Grants(c.Scopes, s) || c.Admin && access.Grants([]access.Scope{access.MemoryAdmin}, s)
}

// Require returns FORBIDDEN unless the caller has the scope. field is the argument at fault,
// empty for none.
func (c Caller) Require(s access.Scope, field, what string) error {
	if c.May(s) {
		return nil
	}
	return graph.FieldError(graph.CodeForbidden, field, "%s requires the scope %s", what, s)
}

// Loopback is the caller of a server without authentication: the default tenant,
// everything granted.
func Loopback() Caller {
	return Caller{Tenant: "default", Name: "loopback", Grant: 1, Sources: true, Admin: true, Scopes: access.AllScopes}
}

// MayWriteFor returns FORBIDDEN if the caller may not write what belongs to the user. What belongs
// to nobody, the empty user, is seen by everybody and needs MEMORY_SHARE.
func (c Caller) MayWriteFor(user string) *graph.Error {
	if user != "" || c.May(access.MemoryShare) {
		return nil
	}
	return graph.FieldError(graph.CodeForbidden, "user", "is empty: writing what belongs to nobody requires the scope %s", access.MemoryShare)
}

// Keyed returns the request of a verb under an idempotency key; none without a key. The key belongs to the
// principal, its agent and the user of the credential, so that nobody can use or probe the keys of another.
// Without authentication, principals share their keys.
func (c Caller) Keyed(verb, key string, input any) Keyed {
	if key == "" {
		return Keyed{}
	}
	k := Keyed{Key: verb + ":" + key, Digest: digest(input)}
	if c.Sources {
		return k
	}
	mark := c.principal("request")
	k.Key = verb + ":" + mark + ":" + key
	if c.User != "" {
		k.Former = k.Key
		k.Key = verb + ":" + graph.PrincipalMark(mark, c.User) + ":" + key
	}
	return k
}

// Owns is the mark of what belongs to the principal and the agent of the caller, such as a receipt: that of a
// private memory is not for other agents. The salt makes the marks of one principal differ. It is 16 bytes of a SHA-256 in hex.
func (c Caller) Owns(salt graph.ID) string { return c.principal(string(salt)) }

func (c Caller) principal(salt string) string { return graph.PrincipalMark(salt, c.owner()) }

// owner names the principal and its agent.
func (c Caller) owner() string {
	if c.Agent == "" {
		return c.Name
	}
	return c.Agent + "\x00" + c.Name
}

// Sight returns what the caller may read.
func (c Caller) Sight() graph.Sight {
	s := graph.Sight{Namespaces: c.Namespaces, User: c.User, Consents: c.Consents, Sensitivity: c.Sensitivity}
	switch {
	case !c.Admin:
		s.Receipts, s.Agent = c.owner(), c.Agent
	case len(c.Namespaces) > 0:
		s.Receipts, s.Administers = c.owner(), true
	}
	if c.User != "" { // also of an administrator: what its agent keeps private is the agent's
		s.Agent = c.Agent
	}
	return s
}

// Reads is the owner as whom the caller reads for a user; empty: for nobody in particular. The
// credential of an agent reads with what the agent keeps private about the user.
func (c Caller) Reads(user string) string {
	if user != "" && c.Agent != "" {
		return graph.PrivateOwner(user, c.Agent)
	}
	return user
}

// Scope returns the store scope of the caller: its tenant and its sight.
func (c Caller) Scope() graph.Scope { return graph.Scope{Tenant: c.Tenant, Sight: c.Sight()} }

// AllowedNamespaces returns the requested namespaces if all of them are granted. No request
// means all granted namespaces.
func (c Caller) AllowedNamespaces(asked []string) ([]string, error) {
	for _, n := range asked {
		if !graph.ValidNamespace(n) {
			return nil, graph.NamespaceError("namespaces")
		}
		if len(c.Namespaces) > 0 && !slices.Contains(c.Namespaces, n) {
			return nil, graph.FieldError(graph.CodeForbidden, "namespaces", "the credentials do not grant this namespace")
		}
	}
	if len(asked) == 0 {
		return c.Namespaces, nil
	}
	return asked, nil
}

// Sees reports whether the caller may read memories of the user in the namespace.
func (c Caller) Sees(namespace, user string) bool { return c.Sight().Owner(namespace, user) }

// SeesDoc reports whether the caller may read a memory that the index has.
func (c Caller) SeesDoc(d *index.Doc) bool {
	s := c.Sight()
	return s.Owner(d.Namespace, d.User) && s.Class(d.Consent, d.Sensitivity)
}

// AllowedUsers returns the owners that a filter may select for this caller; nil: any.
func (c Caller) AllowedUsers(asked string) ([]string, error) {
	switch {
	case !graph.ValidOwnerName(asked):
		return nil, InvalidOwner("user")
	case asked == "":
		return c.Sight().Users(), nil
	case c.User != "" && asked != c.User:
		return nil, graph.FieldError(graph.CodeForbidden, "user", "the credentials belong to another user")
	}
	if own := c.Reads(asked); own != asked {
		return []string{asked, own}, nil
	}
	return []string{asked}, nil
}

// ValidOwner reports whether a user or an agent may own what is written: empty, or a name that a reader sees.
func ValidOwner(name string) bool {
	return graph.ValidOwnerName(name) && (name == "" || !invisible.Nothing(name))
}

// InvalidOwner is the INVALID_REQUEST error for a user or an agent that no name may be.
func InvalidOwner(field string) *graph.Error {
	return graph.FieldError(graph.CodeInvalidRequest, field, "must have a character that a reader sees, and not the control character U+001F")
}
