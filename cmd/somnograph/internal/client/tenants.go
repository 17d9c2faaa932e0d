package client

import (
	"context"
	"time"
)

// Quotas limit a tenant, as in GraphQL; nil: no limit.
type Quotas struct {
	Memories      *float64 `json:"memories"` // whole numbers
	Bytes         *float64 `json:"bytes"`
	CostPerMinute *float64 `json:"costPerMinute"`
}

// Tenant describes a tenant, as GraphQL does.
type Tenant struct {
	Name      string     `json:"name"`
	Title     *string    `json:"title"`
	Status    string     `json:"status"`
	Quotas    Quotas     `json:"quotas"`
	Memories  int        `json:"memories"`
	Bytes     float64    `json:"bytes"`
	Keys      int        `json:"keys"`
	CreatedAt *time.Time `json:"createdAt"`
	DeletedAt *time.Time `json:"deletedAt"`
	Receipt   *string    `json:"receipt"`
}

const tenantFields = `{ name title status quotas { memories bytes costPerMinute } memories bytes keys createdAt deletedAt receipt }`

// CreateTenant makes a tenant.
func (c *Client) CreateTenant(ctx context.Context, name, title string, q Quotas) (*Tenant, error) {
	in := map[string]any{"name": name, "quotas": q}
	if title != "" {
		in["title"] = title
	}
	var out struct{ CreateTenant *Tenant }
	err := c.Do(ctx, `mutation($input: CreateTenantInput!) { createTenant(input: $input) `+tenantFields+` }`, map[string]any{"input": in}, &out)
	return out.CreateTenant, err
}

// Tenants lists the tenants of the server.
func (c *Client) Tenants(ctx context.Context) ([]Tenant, error) {
	var out struct{ Tenants []Tenant }
	err := c.Do(ctx, `{ tenants `+tenantFields+` }`, nil, &out)
	return out.Tenants, err
}

// SetTenantQuotas replaces the quotas of a tenant.
func (c *Client) SetTenantQuotas(ctx context.Context, name string, q Quotas) (*Tenant, error) {
	var out struct{ SetTenantQuotas *Tenant }
	err := c.Do(ctx, `mutation($name: ID!, $quotas: TenantQuotasInput!) { setTenantQuotas(name: $name, quotas: $quotas) `+tenantFields+` }`,
		map[string]any{"name": name, "quotas": q}, &out)
	return out.SetTenantQuotas, err
}

// DeleteTenant deletes a tenant and erases its memories.
func (c *Client) DeleteTenant(ctx context.Context, name string) (*Tenant, error) {
	var out struct{ DeleteTenant *Tenant }
	err := c.Do(ctx, `mutation($name: ID!) { deleteTenant(name: $name, confirm: $name) `+tenantFields+` }`, map[string]any{"name": name}, &out)
	return out.DeleteTenant, err
}
