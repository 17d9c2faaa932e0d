package workspace

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
)

// sealAfter is how long rows of the audit wait to be sealed together. They are sealed within a
// second.
const sealAfter = 500 * time.Millisecond

// runAudit seals the rows of a tenant until Close.
func (ws *Space) runAudit(t *Tenant) {
	wake := ws.Audit.Wake(t.Scope)
	open := true // an earlier process may have left rows
	var failing Failing
	for {
		if open {
			if !ws.Pause(sealAfter) {
				break
			}
		} else {
			select {
			case <-ws.Ctx.Done():
			case <-wake:
			}
			if !ws.Pause(sealAfter) {
				break
			}
		}
		again, err := ws.Audit.Seal(ws.Ctx, t.Scope)
		if err == nil {
			failing.Over()
		} else if ws.Ctx.Err() == nil {
			ws.Log.Log(ws.Ctx, failing.Level(err, slog.LevelError, time.Now()), "[AUDIT] rows can't be sealed; they are kept and sealed later", "tenant", t.Scope.Tenant, "error", err)
			again = ws.Pause(10 * sealAfter)
		}
		open = again
	}
	// What was counted since then is written before Close returns.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ws.Ctx), 5*time.Second)
	defer cancel()
	if err := ws.Audit.SealAll(ctx, t.Scope); err != nil {
		ws.Log.Warn("[AUDIT] rows are not sealed; the next start seals them", "tenant", t.Scope.Tenant, "error", err)
	}
}

// Begin begins a call of a verb for the audit, its span, the guards and the durations. end ends it with the
// error that it returns. If an alarm has halted the verb, the context is cancelled, so that nothing
// begins, and end replaces the error.
func (ws *Space) Begin(ctx context.Context, c Caller, verb string) (within context.Context, end func(*error)) {
	ctx, ended := ws.Probe.Verb(withVerb(ctx, verb), c.Tenant, verb)
	var call *audit.Call
	if ws.Audit != nil {
		call = audit.NewCall(c.Principal(), verb)
		ctx = audit.Enter(ctx, call)
	}
	refused := ws.Guards.Refuse(c.Tenant, verb)
	if refused != nil {
		halted, cancel := context.WithCancel(ctx)
		cancel()
		ctx = halted
	}
	began := ws.Elapsed()
	return ctx, func(err *error) {
		if refused != nil {
			*err = refused
		}
		if *err == nil && timedVerbs[verb] {
			ws.Durations.Add(c.Tenant, ws.Elapsed().Sub(began))
		}
		if call != nil {
			ws.endCall(ctx, c, call, *err)
		}
		ended(*err)
	}
}

// BeginServerCall is Begin for a call that changes what belongs to the server and not to the tenant of the
// caller, so that no transaction has both the change and the row. A row is written before. If that fails,
// the context is cancelled, so that nothing begins, and end returns the error.
func (ws *Space) BeginServerCall(ctx context.Context, c Caller, verb string) (within context.Context, end func(*error)) {
	ctx, ended := ws.Begin(ctx, c, verb)
	if ws.Audit == nil || ctx.Err() != nil {
		return ctx, ended
	}
	failed := ws.Audit.Begin(ctx, c.Scope(), audit.From(ctx))
	if failed == nil {
		return ctx, ended
	}
	halted, cancel := context.WithCancel(ctx)
	cancel()
	return halted, func(err *error) {
		*err = ws.PublicError(failed)
		ended(err)
	}
}

// BeginRequest begins a request to an API for the audit: a field, a tool or a route. end counts it by its own name, unless a verb
// was called within it, which has its own row.
func (ws *Space) BeginRequest(ctx context.Context, c Caller, name string) (within context.Context, end func(error)) {
	if ws.Audit == nil {
		return ctx, func(error) {}
	}
	call := audit.NewCall(c.Principal(), name)
	ctx = audit.With(ctx, call)
	return ctx, func(err error) {
		if !call.Entered() {
			ws.endCall(ctx, c, call, err)
		}
	}
}

// endCall ends a call, and opens its tenant, which writes the counts: a call that was refused has not
// opened it.
func (ws *Space) endCall(ctx context.Context, c Caller, call *audit.Call, err error) {
	if !ws.Audit.End(c.Scope(), call, err) {
		return
	}
	if _, err := ws.Tenant(context.WithoutCancel(ctx), c.Scope()); err != nil && !errors.Is(err, ErrClosing) {
		ws.Log.Debug("[AUDIT] a counted call waits until the tenant can be opened", "tenant", c.Tenant, "error", err)
	}
}

// Principal names the caller in the audit: the id of its credential, or its name.
func (c Caller) Principal() string {
	if c.Credential != "" {
		return c.Credential
	}
	return c.Name
}
