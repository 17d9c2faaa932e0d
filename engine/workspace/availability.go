package workspace

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/graph"
)

// errGone is what a write answers that nobody has begun.
var ErrStoreUnavailable = graph.Errorf(graph.CodeUnavailable, "the store (STORE) does not answer; nothing was written")

// errAdrift is what a write answers that was on its way when the store fell silent.
var errOutcomeUnknown = graph.Errorf(graph.CodeUnavailable, "the store (STORE) fell silent; the write may still have been committed: ask again under the same idempotency key")

// errBehind says that the index lacks what was acknowledged last, and that it can't be read.
var errIndexBehind = fmt.Errorf("%w: the index waits for what was written last", graph.ErrUnavailable)

// StoreAlive ends while the store can't be reached, for who has a deadline and would rather hear
// of it; who has none waits. ADR 49.
func (ws *Space) StoreAlive(ctx context.Context) context.Context {
	if _, bounded := ctx.Deadline(); bounded {
		return graph.Alive(ws.Store)
	}
	return context.Background()
}
