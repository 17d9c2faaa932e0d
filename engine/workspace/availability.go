package workspace

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

// ErrStoreUnavailable is the error of a write that has not begun because the store is away.
var ErrStoreUnavailable = graph.Errorf(graph.CodeUnavailable, "the store (STORE) does not answer; nothing was written")

// errOutcomeUnknown is the error of a write that was under way when the store stopped
// answering.
var errOutcomeUnknown = graph.Errorf(graph.CodeUnavailable, "the store (STORE) fell silent; the write may still have been committed: ask again under the same idempotency key")

// errIndexBehind is the error where the index lacks the last acknowledged writes and cannot
// read them.
var errIndexBehind = fmt.Errorf("%w: the index waits for what was written last", graph.ErrUnavailable)

// StoreAlive returns a context that ends when the store cannot be reached. A caller without a
// deadline gets one that never ends: it waits for the store. ADR 49.
func (ws *Space) StoreAlive(ctx context.Context) context.Context {
	if _, bounded := ctx.Deadline(); bounded {
		return graph.Alive(ws.Store)
	}
	return context.Background()
}
