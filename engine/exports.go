package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// ErrErasedMeanwhile is why an erasure ended an export.
var ErrErasedMeanwhile = workspace.ErrErasedMeanwhile

// BeginExport returns the context of a call that sends the caller's tenant as of its beginning. An
// erasure ends it, with ErrErasedMeanwhile as its cause, and waits for end.
func (e *Engine) BeginExport(ctx context.Context, c Caller) (exporting context.Context, end func(), err error) {
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, nil, err
	}
	return t.BeginExport(ctx)
}

// StatesRule reports whether a memory states a standing rule ("Always answer in Welsh"). Those of people
// and of the system are in every context.
func StatesRule(m *graph.Memory) bool { return recall.IsRule(m) }
