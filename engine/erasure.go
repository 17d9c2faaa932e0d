package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/graph"
)

// Forget erases memories permanently from the store, the index, the feed's readers and every
// list, together with the memories derived from them.
func (e *Engine) Forget(ctx context.Context, c Caller, in ForgetInput) (r *graph.Receipt, err error) {
	ctx, end := e.ws.Begin(ctx, c, "forget")
	defer end(&err)
	if r, err = e.erasure.Forget(ctx, c, in); err == nil {
		telemetry.SpanOf(ctx).Count(r.Count)
	}
	return r, err
}

// ReplayErasures erases again what an import brought back of memories that were erased before.
// Call it after an import and before its answer; New does the same for every tenant. leftOut is how many
// memories the import left out because they were erased.
func (e *Engine) ReplayErasures(ctx context.Context, c Caller, leftOut int) error {
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return err
	}
	t.Returned.Import.Add(int64(leftOut))
	return e.erasure.Replay(audit.As(ctx, "replayErasures"), t)
}

// DeletionReceipt returns a receipt, or MEMORY_NOT_FOUND.
func (e *Engine) DeletionReceipt(ctx context.Context, c Caller, id graph.ID) (_ *graph.Receipt, err error) {
	ctx, end := e.ws.Begin(ctx, c, "deletionReceipt")
	defer end(&err)
	return e.erasure.DeletionReceipt(ctx, c, id)
}

// DeletionReceipts returns receipts, newest first; see [erasure.Service.Receipts].
func (e *Engine) DeletionReceipts(ctx context.Context, c Caller, in ReceiptsInput) (page []*graph.Receipt, more bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "deletionReceipts")
	defer end(&err)
	return e.erasure.Receipts(ctx, c, in)
}

// ErasureParts returns the state of an erasure in each store of the server; see
// [erasure.Service.ErasureParts].
func (e *Engine) ErasureParts(ctx context.Context, c Caller, receipt graph.ID) ([]ErasurePart, error) {
	return e.erasure.ErasureParts(ctx, c, receipt)
}

// ErasedKeys returns how many API keys of its user an erasure deleted; see [erasure.Service.ErasedKeys].
func (e *Engine) ErasedKeys(ctx context.Context, c Caller, receipt graph.ID) (int, error) {
	return e.erasure.ErasedKeys(ctx, c, receipt)
}

// ProveErasure returns the document that proves a completed erasure, as JSON, and the public key
// that checks it.
func (e *Engine) ProveErasure(ctx context.Context, c Caller, receipt graph.ID) (_ []byte, publicKey string, err error) {
	ctx, end := e.ws.Begin(ctx, c, "proveErasure")
	defer end(&err)
	return e.erasure.ProveErasure(ctx, c, receipt)
}

// ProofKey returns the public key that checks proofs of erasures of the tenant; empty: the server
// keeps no keys.
func (e *Engine) ProofKey(ctx context.Context, c Caller) (string, error) {
	return e.erasure.ProofKey(ctx, c)
}

// ReceiptIDs returns the erased ids of a receipt, ascending, after the id after.
func (e *Engine) ReceiptIDs(ctx context.Context, c Caller, receipt, after graph.ID, first int) (_ []graph.ID, err error) {
	ctx, end := e.ws.Begin(ctx, c, "receiptIDs")
	defer end(&err)
	return e.erasure.ReceiptIDs(ctx, c, receipt, after, first)
}

// ReleaseEngrams takes engrams back from the recess to L2 and returns the memories; others stay as
// they are.
func (e *Engine) ReleaseEngrams(ctx context.Context, c Caller, ids []graph.ID) (_ []*View, err error) {
	ctx, end := e.ws.Begin(ctx, c, "releaseEngrams")
	defer end(&err)
	return e.upkeep.ReleaseEngrams(ctx, c, ids)
}

// WithdrawSource withdraws the memories of a bad source and everything derived from them, in a
// namespace or, if none is named, in all namespaces that the caller sees.
func (e *Engine) WithdrawSource(ctx context.Context, c Caller, source, namespace, reason string, dryRun bool) (_ *Withdrawal, err error) {
	ctx, end := e.ws.Begin(ctx, c, "withdrawSource")
	defer end(&err)
	return e.erasure.WithdrawSource(ctx, c, source, namespace, reason, dryRun)
}
