package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// TenantSize is what a tenant holds.
type TenantSize = workspace.Size

// Audience says who sees a memory that was private.
type Audience = ingest.Audience

// The audiences.
const (
	ToUser = ingest.ToUser
	ToTeam = ingest.ToTeam
)

// TenantSize returns how many memories a tenant holds and how many bytes of content they have. It may
// count them in the store.
func (e *Engine) TenantSize(ctx context.Context, name graph.Tenant) (TenantSize, error) {
	return e.ws.SizeOf(ctx, name)
}

// EraseTenant removes the webhooks and API keys of a tenant, and erases all of its memories with what was derived
// from them. It keeps no anonymised copies. Nothing is written for callers of the tenant from then on: a write that is under way is
// erased, or refused. c is the administrator of the server for whom it is done; it
// may be called again after an error.
func (e *Engine) EraseTenant(ctx context.Context, c Caller, name graph.Tenant) (*graph.Receipt, error) {
	owner := workspace.Loopback()
	owner.Tenant, owner.Name, owner.Credential = name, c.Name, c.Credential
	t, err := e.ws.Tenant(ctx, owner.Scope())
	if err != nil {
		return nil, err
	}
	if err := t.Update(ctx, graph.CloseTenant); err != nil {
		return nil, e.ws.PublicError(err)
	}
	hooks, err := e.Webhooks(ctx, owner)
	if err != nil && graph.CodeOf(err) != graph.CodeUnavailable { // a server that sends none
		return nil, err
	}
	for _, w := range hooks {
		if _, err := e.DeleteWebhook(ctx, owner, w.ID); err != nil {
			return nil, err
		}
	}
	return e.Forget(ctx, owner, ForgetInput{Tenant: true, AllKeys: true})
}

// Share shows a private memory to its user or to everybody in the tenant.
func (e *Engine) Share(ctx context.Context, c Caller, id graph.ID, with Audience) (_ *RememberResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "share")
	defer end(&err)
	return e.ingest.Share(ctx, c, id, with)
}

// AdmitImport returns LIMIT_EXCEEDED if the quotas of an empty tenant do not admit that many memories
// with that many bytes of content.
func (e *Engine) AdmitImport(ctx context.Context, name graph.Tenant, memories, bytes int64) error {
	return e.ws.Admits(ctx, name, workspace.Size{Memories: memories, Bytes: bytes})
}

// Recount makes the size of a tenant be counted again, after an import.
func (e *Engine) Recount(ctx context.Context, name graph.Tenant) error {
	t, err := e.ws.Tenant(ctx, graph.Scope{Tenant: name})
	if err == nil {
		t.Recount()
	}
	return err
}
