package mcp

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// Verbs are the verbs of the engine that the tools call. *engine.Engine implements them and
// documents the methods.
type Verbs interface {
	Now() time.Time
	Search(ctx context.Context, c engine.Caller, in engine.SearchInput) (*engine.SearchResult, error)
	Context(ctx context.Context, c engine.Caller, in engine.ContextInput) (*prompt.Result, error)
	Facts(ctx context.Context, c engine.Caller, in engine.FactsInput) ([]engine.ClaimView, error)
	Memory(ctx context.Context, c engine.Caller, id graph.ID, a engine.Access) (*engine.View, error)
	Memories(ctx context.Context, c engine.Caller, in engine.ListInput) (*engine.ListResult, error)
	Lineage(ctx context.Context, c engine.Caller, id graph.ID, first, afterVersion int) ([]engine.Version, error)
	SleepReports(ctx context.Context, c engine.Caller, first int, after graph.ID) ([]engine.SleepReport, bool, error)
	Events(ctx context.Context, c engine.Caller, after graph.Cursor, fromNow bool, namespaces []string) (<-chan engine.Event, error)
	MorningReports(ctx context.Context, c engine.Caller, after graph.ID) (<-chan engine.SleepReport, error)

	Remember(ctx context.Context, c engine.Caller, in engine.RememberInput) (*engine.RememberResult, error)
	Supersede(ctx context.Context, c engine.Caller, in engine.SupersedeInput) (*engine.SupersedeResult, error)
	Forget(ctx context.Context, c engine.Caller, in engine.ForgetInput) (*graph.Receipt, error)
	Observe(ctx context.Context, c engine.Caller, in engine.Observation) (*engine.Observed, error)
	CloseSession(ctx context.Context, c engine.Caller, session, namespace string) (*engine.SessionReport, error)
}

var _ Verbs = (*engine.Engine)(nil)
