package access

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/graph"
)

// Scope is a right that a credential grants.
type Scope string

// The scopes.
const (
	MemoryRead   Scope = "MEMORY_READ"   // read what the credential sees
	MemoryWrite  Scope = "MEMORY_WRITE"  // write what belongs to the credential's user
	MemoryShare  Scope = "MEMORY_SHARE"  // write what belongs to nobody, which everybody sees
	MemoryCurate Scope = "MEMORY_CURATE" // expire, update, pin, resolve, confirm
	MemoryAdmin  Scope = "MEMORY_ADMIN"  // what concerns other users or the whole tenant; includes share and curate
	AuditRead    Scope = "AUDIT_READ"    // read the audit
	ServerAdmin  Scope = "SERVER_ADMIN"  // keys and tenants
)

// AllScopes lists the scopes in the order of the schema.
var AllScopes = []Scope{MemoryRead, MemoryWrite, MemoryShare, MemoryCurate, MemoryAdmin, AuditRead, ServerAdmin}

// String is the form of the command line and of tokens, such as memory:read.
func (s Scope) String() string { return strings.ToLower(strings.Replace(string(s), "_", ":", 1)) }

// ParseScope reads a scope in the form memory:read.
func ParseScope(text string) (Scope, bool) {
	i := slices.IndexFunc(AllScopes, func(s Scope) bool { return s.String() == text })
	if i < 0 {
		return "", false
	}
	return AllScopes[i], true
}

// ParseScopes reads scopes in the form memory:read. The error names the field at fault.
func ParseScopes(field string, texts []string) ([]Scope, error) {
	scopes := make([]Scope, len(texts))
	for i, text := range texts {
		s, known := ParseScope(strings.TrimSpace(text))
		if !known {
			return nil, graph.FieldError(graph.CodeInvalidRequest, field, "%q is not a scope: one of %s", text, Names(AllScopes))
		}
		scopes[i] = s
	}
	return scopes, nil
}

// Names joins scopes in the form memory:read with commas.
func Names(scopes []Scope) string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = s.String()
	}
	return strings.Join(names, ", ")
}

// Grants reports whether scopes include s: MEMORY_ADMIN includes MEMORY_SHARE and
// MEMORY_CURATE.
func Grants(scopes []Scope, s Scope) bool {
	if slices.Contains(scopes, s) {
		return true
	}
	return (s == MemoryShare || s == MemoryCurate) && slices.Contains(scopes, MemoryAdmin)
}
