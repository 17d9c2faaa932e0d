package graph

import "regexp"

// Tenant is the owner of a separate graph; no call crosses tenants.
type Tenant string

// Scope says where a call may read and write. Every store method takes one, so
// that no call can omit the tenant.
type Scope struct {
	Tenant Tenant
}

var tenantPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// Validate returns an INVALID_REQUEST error unless the tenant is 1 to 64
// letters, digits, underscores or hyphens.
func (s Scope) Validate() error {
	if !tenantPattern.MatchString(string(s.Tenant)) {
		return FieldError(CodeInvalidRequest, "tenant", "must be 1 to 64 letters, digits, _ or -")
	}
	return nil
}

var namespacePattern = regexp.MustCompile(`^[A-Za-z0-9_]{1,64}$`)

// ValidNamespace reports whether name is 1 to 64 letters, digits or underscores.
func ValidNamespace(name string) bool { return namespacePattern.MatchString(name) }
