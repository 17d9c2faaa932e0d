package workspace

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

// ErrStoreUnavailable is the error of a write that did not begin because the store is
// unavailable.
var ErrStoreUnavailable = graph.Errorf(graph.CodeUnavailable, "the store (STORE) does not answer; nothing was written")

// errOutcomeUnknown is the error of a write that was running when the store stopped answering.
var errOutcomeUnknown = graph.Errorf(graph.CodeUnavailable, "the store (STORE) stopped answering; the write may have been committed: retry with the same idempotency key")

// errIndexBehind is the error of a read if the index lacks the last acknowledged writes and
// can't read them.
var errIndexBehind = fmt.Errorf("%w: the index does not have the latest writes yet", graph.ErrUnavailable)

// StoreAlive returns a context that ends when the store is unreachable. For a caller without a
// deadline it never ends: the caller waits for the store. ADR 49.
func (ws *Space) StoreAlive(ctx context.Context) context.Context {
	if _, bounded := ctx.Deadline(); bounded {
		return graph.Alive(ws.Store)
	}
	return context.Background()
}
