package graph

import "regexp"

// Tenant is the owner of a separate graph; no call crosses tenants.
type Tenant string

// Scope says where a call may read and write. Every store method takes one, so
// that no call can omit the tenant.
type Scope struct {
	Tenant Tenant
}

// serverTenant is the tenant of ServerScope. No caller's tenant can have this name.
const serverTenant Tenant = "$server"

// ServerScope returns the scope of what belongs to the server and to none of its tenants: the
// API keys. Store.Tenants does not list it, and only the package that keeps the keys uses it.
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

var namespacePattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)

// ValidNamespace reports whether name is 1 to 64 letters, digits or underscores.
func ValidNamespace(name string) bool { return namespacePattern.MatchString(name) }
