package access

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/graph"
)

// Quotas limit a tenant. Zero means no limit.
type Quotas struct {
	Memories int64 // memories that are not erased
	Bytes    int64 // of their content, as UTF-8
	// CostPerMinute is the rate limit of the tenant in units of cost, instead of that of the server. As
	// many can be spent at once.
	CostPerMinute int
}

// maxQuota is the largest quota: 2^53, up to which a Float of GraphQL is exact.
const maxQuota = 1 << 53

func (q Quotas) validate() error {
	for field, n := range map[string]int64{"quotas.memories": q.Memories, "quotas.bytes": q.Bytes, "quotas.costPerMinute": int64(q.CostPerMinute)} {
		if n < 0 || n > maxQuota {
			return graph.FieldError(graph.CodeInvalidRequest, field, "must be a whole number of 1 or more, or null for no limit")
		}
	}
	return nil
}

// Tenant is a tenant that a server administrator made, or that got its first API key.
type Tenant struct {
	Name  graph.Tenant
	Title string // for people; may be empty
	Quotas
	CreatedAt time.Time // UTC, milliseconds
	DeletedAt time.Time // when its deletion began; zero: it is not deleted
	Receipt   graph.ID  // of the erasure of its memories; empty: there is none yet
}

// Deleted reports whether the tenant is deleted, or its deletion has begun. Its credentials are
// refused.
func (t *Tenant) Deleted() bool { return t != nil && !t.DeletedAt.IsZero() }

// TenantInput describes a tenant to make. Name is required.
type TenantInput struct {
	Name   graph.Tenant
	Title  string
	Quotas Quotas
}

// tenant checks the input and makes a tenant of it.
func (in TenantInput) tenant(at time.Time) (*Tenant, error) {
	if err := validTenant("name", in.Name); err != nil {
		return nil, err
	}
	if len(in.Title) > maxText || !utf8.ValidString(in.Title) || slices.ContainsFunc([]rune(in.Title), unicode.IsControl) {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "title", "must have at most %d bytes and no control characters", maxText)
	}
	if err := in.Quotas.validate(); err != nil {
		return nil, err
	}
	return &Tenant{Name: in.Name, Title: in.Title, Quotas: in.Quotas, CreatedAt: graph.Millis(at)}, nil
}

// validTenant returns INVALID_REQUEST unless a caller's tenant can have the name.
func validTenant(field string, name graph.Tenant) error {
	if s := (graph.Scope{Tenant: name}); s.IsServer() || s.Validate() != nil {
		return graph.FieldError(graph.CodeInvalidRequest, field, "must be 1 to 64 letters, digits, _ or -")
	}
	return nil
}

// tenantRow is a tenant as the Data of its note; docs/formats/tenant.md.
type tenantRow struct {
	Name          string   `json:"name"`
	Title         string   `json:"title,omitempty"`
	Memories      int64    `json:"memories,omitempty"`
	Bytes         int64    `json:"bytes,omitempty"`
	CostPerMinute int      `json:"costPerMinute,omitempty"`
	Created       int64    `json:"created"` // milliseconds since 1970, as the next
	Deleted       int64    `json:"deleted,omitempty"`
	Receipt       graph.ID `json:"receipt,omitempty"`
}

func encodeTenant(t *Tenant) (json.RawMessage, error) {
	return json.Marshal(tenantRow{
		Name: string(t.Name), Title: t.Title, Memories: t.Memories, Bytes: t.Bytes, CostPerMinute: t.CostPerMinute,
		Created: millis(t.CreatedAt), Deleted: millis(t.DeletedAt), Receipt: t.Receipt,
	})
}

func decodeTenant(n *graph.Note) (*Tenant, error) {
	var r tenantRow
	if err := json.Unmarshal(n.Data, &r); err != nil || r.Name == "" {
		return nil, fmt.Errorf("%w: the tenant of the note %s can't be read", graph.ErrIntegrity, n.ID)
	}
	return &Tenant{
		Name: graph.Tenant(r.Name), Title: r.Title, Quotas: Quotas{r.Memories, r.Bytes, r.CostPerMinute},
		CreatedAt: instant(r.Created), DeletedAt: instant(r.Deleted), Receipt: r.Receipt,
	}, nil
}
