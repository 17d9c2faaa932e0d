package resolvers

import (
	"context"
	"math"
	"slices"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// Tenants makes, lists, limits and deletes tenants. [access.Tenants] implements it.
type Tenants interface {
	Create(ctx context.Context, in access.TenantInput) (*access.Tenant, error)
	List(ctx context.Context) ([]*access.Tenant, error)
	SetQuotas(ctx context.Context, name graph.Tenant, q access.Quotas) (*access.Tenant, error)
	BeginDelete(ctx context.Context, name graph.Tenant) (*access.Tenant, error)
	FinishDelete(ctx context.Context, name graph.Tenant, receipt graph.ID) (*access.Tenant, error)
}

// requireTenants returns Tenants, or UNAVAILABLE if there are none.
func (r *resolverRoot) requireTenants(ctx context.Context) (Tenants, error) {
	if err := caller(ctx).Require(access.ServerAdmin, "", "managing tenants"); err != nil {
		return nil, err
	}
	if r.tenants == nil || r.keys == nil {
		return nil, graph.Errorf(graph.CodeUnavailable, "this server keeps no tenants: a cluster needs a pepper-file")
	}
	return r.tenants, nil
}

func (r queryResolver) Tenants(ctx context.Context) ([]*gql.Tenant, error) {
	tenants, err := r.requireTenants(ctx)
	if err != nil {
		return nil, err
	}
	all, err := tenants.List(ctx)
	if err != nil {
		return nil, err
	}
	// The default tenant has an entry only if it was given a key or quotas.
	if first := engine.Loopback().Tenant; !slices.ContainsFunc(all, func(t *access.Tenant) bool { return t.Name == first }) {
		all = append([]*access.Tenant{{Name: first}}, all...)
	}
	keys, err := r.keys.List(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*gql.Tenant, len(all))
	for i, t := range all {
		if out[i], err = r.encodeTenant(ctx, t, keys); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r queryResolver) Tenant(ctx context.Context) (*gql.Tenant, error) {
	c := caller(ctx)
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	mine := &access.Tenant{Name: c.Tenant}
	var keys []*access.Key
	if r.tenants != nil && r.keys != nil {
		all, err := r.tenants.List(ctx)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(all, func(t *access.Tenant) bool { return t.Name == c.Tenant }); i >= 0 {
			mine = all[i]
		}
		if keys, err = r.keys.List(ctx); err != nil {
			return nil, err
		}
	}
	return r.encodeTenant(ctx, mine, keys)
}

func (r mutationResolver) CreateTenant(ctx context.Context, input gql.CreateTenantInput) (_ *gql.Tenant, err error) {
	ctx, end := r.verbs.Record(ctx, caller(ctx), "createTenant")
	defer end(&err)
	tenants, err := r.requireTenants(ctx)
	if err != nil {
		return nil, err
	}
	quotas, err := decodeQuotas(input.Quotas)
	if err != nil {
		return nil, err
	}
	t, err := tenants.Create(ctx, access.TenantInput{Name: graph.Tenant(input.Name), Title: valueOr(input.Title, ""), Quotas: quotas})
	if err != nil {
		return nil, err
	}
	return r.encodeTenant(ctx, t, nil)
}

func (r mutationResolver) SetTenantQuotas(ctx context.Context, name string, quotas gql.TenantQuotasInput) (_ *gql.Tenant, err error) {
	ctx, end := r.verbs.Record(ctx, caller(ctx), "setTenantQuotas")
	defer end(&err)
	tenants, err := r.requireTenants(ctx)
	if err != nil {
		return nil, err
	}
	q, err := decodeQuotas(&quotas)
	if err != nil {
		return nil, err
	}
	t, err := tenants.SetQuotas(ctx, graph.Tenant(name), q)
	if err != nil {
		return nil, err
	}
	keys, err := r.keys.List(ctx)
	if err != nil {
		return nil, err
	}
	return r.encodeTenant(ctx, t, keys)
}

func (r mutationResolver) DeleteTenant(ctx context.Context, name, confirm string) (_ *gql.Tenant, err error) {
	ctx, end := r.verbs.Record(ctx, caller(ctx), "deleteTenant")
	defer end(&err)
	tenants, err := r.requireTenants(ctx)
	switch {
	case err != nil:
		return nil, err
	case confirm != name:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "confirm", "must repeat the name of the tenant: all of its memories are erased")
	case graph.Tenant(name) == engine.Loopback().Tenant:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "name", "is the server's first tenant, which can't be deleted: forget erases its memories")
	case graph.Tenant(name) == caller(ctx).Tenant:
		return nil, graph.FieldError(graph.CodeInvalidRequest, "name", "is the tenant of your own credential: use that of another one")
	}
	t, err := tenants.BeginDelete(ctx, graph.Tenant(name))
	if err != nil {
		return nil, err
	}
	keys, err := r.keys.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if k.Tenant == t.Name && k.RevokedAt.IsZero() {
			if _, err := r.keys.Revoke(ctx, k.ID); err != nil {
				return nil, err
			}
		}
	}
	if t.Receipt == "" {
		receipt, err := r.verbs.EraseTenant(ctx, caller(ctx), t.Name)
		if err != nil {
			return nil, err
		}
		if t, err = tenants.FinishDelete(ctx, t.Name, receipt.ID); err != nil {
			return nil, err
		}
	}
	return r.encodeTenant(ctx, t, nil)
}

// decodeQuotas reads quotas. Null is no limit; nothing else is below 1.
func decodeQuotas(in *gql.TenantQuotasInput) (q access.Quotas, err error) {
	if in == nil {
		return q, nil
	}
	whole := func(field string, p *float64) int64 {
		switch {
		case p == nil || err != nil:
			return 0
		case !(*p >= 1 && *p <= 1<<53) || *p != math.Trunc(*p):
			err = graph.FieldError(graph.CodeInvalidRequest, "quotas."+field, "must be a whole number of 1 or more, or null for no limit")
			return 0
		}
		return int64(*p)
	}
	float := func(p *int) *float64 {
		if p == nil {
			return nil
		}
		f := float64(*p)
		return &f
	}
	q.Memories, q.Bytes = whole("memories", float(in.Memories)), whole("bytes", in.Bytes)
	q.CostPerMinute = int(whole("costPerMinute", float(in.CostPerMinute)))
	return q, err
}

// encodeTenant describes a tenant with its size and the number of its valid keys among keys.
func (r *resolverRoot) encodeTenant(ctx context.Context, t *access.Tenant, keys []*access.Key) (*gql.Tenant, error) {
	out := &gql.Tenant{
		Name: string(t.Name), Title: nullable[string](t.Title), Status: gql.TenantStatusActive, Quotas: &gql.TenantQuotas{},
		CreatedAt: nullableTime(t.CreatedAt), DeletedAt: nullableTime(t.DeletedAt), Receipt: nullable[string](string(t.Receipt)),
	}
	switch {
	case t.Deleted() && t.Receipt != "":
		out.Status = gql.TenantStatusDeleted
	case t.Deleted():
		out.Status = gql.TenantStatusDeleting
	}
	if n := t.Quotas.Memories; n > 0 {
		v := int(n)
		out.Quotas.Memories = &v
	}
	if n := t.Quotas.Bytes; n > 0 {
		v := float64(n)
		out.Quotas.Bytes = &v
	}
	if n := t.Quotas.CostPerMinute; n > 0 {
		out.Quotas.CostPerMinute = &n
	}
	now := r.verbs.Now()
	for _, k := range keys {
		if k.Tenant == t.Name && k.Valid(now) {
			out.Keys++
		}
	}
	size, err := r.verbs.TenantSize(ctx, t.Name)
	if err != nil {
		return nil, err
	}
	out.Memories, out.Bytes = int(size.Memories), float64(size.Bytes)
	return out, nil
}
