package engine

import (
	"context"
)

// Audit returns the rows of the tenant's audit that match, the newest first, and whether there are
// more. Callers that see only a part of the tenant get FORBIDDEN.
func (e *Engine) Audit(ctx context.Context, c Caller, f AuditFilter) (_ []AuditEntry, more bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "audit")
	defer end(&err)
	if err := c.WholeTenant(); err != nil {
		return nil, false, err
	}
	return e.ws.Audit.List(ctx, c.Scope(), f)
}

// Record begins a call for the audit that is none of the verbs of the engine, because it changes what
// belongs to the server, such as API keys and tenants. A row is durable before it returns. If there is
// none, within is cancelled. end ends the call with the error that it returns.
func (e *Engine) Record(ctx context.Context, c Caller, verb string) (within context.Context, end func(*error)) {
	return e.ws.BeginServerCall(ctx, c, verb)
}

// VerifyAudit checks the tenant's audit.
func (e *Engine) VerifyAudit(ctx context.Context, c Caller) (_ *AuditCheck, err error) {
	ctx, end := e.ws.Begin(ctx, c, "auditCheck")
	defer end(&err)
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	return e.ws.Audit.Verify(ctx, c.Scope())
}
