package workspace

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// WholeTenant answers FORBIDDEN where the caller sees only a part of the tenant.
func (c Caller) WholeTenant() error {
	if c.User != "" || len(c.Namespaces) > 0 {
		return graph.Errorf(graph.CodeForbidden, "sleep is for the whole tenant; the credentials grant a part of it")
	}
	return nil
}

// Caller is who asks, as the credentials say. Loopback without authentication is
// [Loopback].
type Caller struct {
	Tenant     graph.Tenant
	Name       string   // the principal, for provenance
	User       string   // claim: sees and writes only this user's memories and those without a user; empty: any
	Namespaces []string // granted; empty: all
	Grant      float64  // highest authority it may write with, [0,1]
	Sources    bool     // each source it names is a principal of its own, believed fully
	Admin      bool
}

// Loopback is the caller of a server without authentication: the default tenant,
// everything granted.
func Loopback() Caller {
	return Caller{Tenant: "default", Name: "loopback", Grant: 1, Sources: true, Admin: true}
}

// Scope is the tenant of the caller as the store names it.
func (c Caller) Scope() graph.Scope { return graph.Scope{Tenant: c.Tenant} }

// AllowedNamespaces are those asked for, all of them granted; none asked for means all granted.
func (c Caller) AllowedNamespaces(asked []string) ([]string, error) {
	for _, n := range asked {
		if !graph.ValidNamespace(n) {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "namespaces", "must be 1 to 64 letters, digits or underscores")
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

// Sees reports whether the caller may see what belongs to the user in the namespace.
func (c Caller) Sees(namespace, user string) bool {
	if len(c.Namespaces) > 0 && !slices.Contains(c.Namespaces, namespace) {
		return false
	}
	return c.User == "" || user == "" || user == c.User
}

// AllowedUsers is the list of owners a filter may name for this caller; nil means any.
func (c Caller) AllowedUsers(asked string) ([]string, error) {
	switch {
	case asked == "" && c.User == "":
		return nil, nil
	case asked == "":
		return []string{"", c.User}, nil
	case c.User != "" && asked != c.User:
		return nil, graph.FieldError(graph.CodeForbidden, "user", "the credentials belong to another user")
	}
	return []string{asked}, nil
}
