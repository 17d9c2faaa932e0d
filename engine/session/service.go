package session

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Service keeps the turns of conversations in L0, moves them to L1, and tracks tasks.
type Service struct {
	*workspace.Space
	ingest      *ingest.Service
	sessionIdle time.Duration
	turnHooks   []func(t *workspace.Tenant, turn *graph.Memory)
	tenants     *workspace.PerTenant[tenant]
}

// New creates the service and registers its background workers. The turns of a
// conversation stay in L0 until no turn has arrived for the time idle.
func New(ws *workspace.Space, in *ingest.Service, idle time.Duration) *Service {
	svc := &Service{Space: ws, ingest: in, sessionIdle: idle, tenants: workspace.NewPerTenant(ws, newTenant)}
	svc.tenants.AddWorkers(svc.runBuffer, svc.runIdle)
	ws.AddFollower(svc.applyChanges)
	in.OnCommit(func(t *workspace.Tenant, drafts []*ingest.Draft, results []ingest.RememberResult) {
		svc.noteCommitted(svc.tenants.Of(t), drafts, results)
	})
	return svc
}

// OnTurn registers a function that is called for each observed turn after it is committed, in the
// order of the commits, also for turns that other servers observed. Call it before the first tenant
// is opened.
func (svc *Service) OnTurn(hook func(t *workspace.Tenant, turn *graph.Memory)) {
	svc.turnHooks = append(svc.turnHooks, hook)
}

// hear notes the speaker of a committed turn and calls the hooks.
func (svc *Service) hear(t *tenant, turn *graph.Memory) {
	t.buffer.hear(turn)
	for _, hook := range svc.turnHooks {
		hook(t.Tenant, turn)
	}
}

// Heard reports whether a conversation that matches had a turn since the instant, and whether a
// user spoke in one of them.
func (svc *Service) Heard(ctx context.Context, wt *workspace.Tenant, match func(workspace.Conversation) bool, since time.Time) (observed, person bool, err error) {
	t := svc.tenants.Of(wt)
	if err := svc.load(ctx, t); err != nil {
		return false, false, err
	}
	observed, person = t.buffer.heard(match, since)
	return observed, person, nil
}

// tenant is the in-memory state of the service for one tenant.
type tenant struct {
	*workspace.Tenant
	buffer *sessionBuffer // L0
}

func newTenant(t *workspace.Tenant) *tenant { return &tenant{t, newBuffer()} }
