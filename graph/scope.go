package graph

import (
	"regexp"
	"strings"
)

// Tenant is the owner of a separate graph; no call crosses tenants.
type Tenant string

// Scope says where a call may read and write. Every store method takes one, so
// that no call can omit the tenant.
type Scope struct {
	Tenant Tenant
	Sight  Sight // what reads show; writes, [Feed.Head] and [Feed.Wait] ignore it
}

// Whole is the scope with everything in its tenant visible.
func (s Scope) Whole() Scope { return Scope{Tenant: s.Tenant} }

// serverTenant is the tenant of ServerScope. No caller's tenant can have this name.
const serverTenant Tenant = "$server"

// ServerScope returns the scope of what belongs to the server and to none of its tenants: the
// API keys and the server's alarms. Store.Tenants does not list it, and only the packages that keep
// them use it.
func ServerScope() Scope { return Scope{Tenant: serverTenant} }

// IsServer reports whether the scope is [ServerScope].
func (s Scope) IsServer() bool { return s.Tenant == serverTenant }

var tenantPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Validate returns an INVALID_REQUEST error unless the tenant is 1 to 64
// letters, digits, underscores or hyphens, or that of [ServerScope].
func (s Scope) Validate() error {
	if !s.IsServer() && !tenantPattern.MatchString(string(s.Tenant)) {
		return FieldError(CodeInvalidRequest, "tenant", "must be 1 to 64 letters, digits, _ or -")
	}
	return nil
}

// NamespaceRule says which namespaces are valid.
const NamespaceRule = "must be 1 to 128 of A-Z a-z 0-9 _ - . / : @, and no part between slashes may be empty, one dot or two dots"

var namespacePattern = regexp.MustCompile(`^[A-Za-z0-9_./:@-]{1,128}$`)

// ValidNamespace reports whether name follows [NamespaceRule]. So a UUID, an e-mail address and
// "app/dev" are namespaces, and none of them climbs out of a directory or a URL.
func ValidNamespace(name string) bool {
	if !namespacePattern.MatchString(name) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." {
			return false
		}
	}
	return true
}

// NamespaceError is the INVALID_REQUEST error for a field that breaks [NamespaceRule].
func NamespaceError(field string) *Error { return FieldError(CodeInvalidRequest, field, NamespaceRule) }
