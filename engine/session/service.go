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
	tenants     *workspace.PerTenant[tenant]
}

// New creates the service and registers its background workers. The turns of a
// conversation stay in L0 until no turn has arrived for the time idle.
func New(ws *workspace.Space, in *ingest.Service, idle time.Duration) *Service {
	svc := &Service{Space: ws, ingest: in, sessionIdle: idle, tenants: workspace.NewPerTenant(newTenant)}
	for _, run := range []func(*tenant){svc.runBuffer, svc.runIdle} {
		ws.AddWorker(func(t *workspace.Tenant) { run(svc.tenants.Of(t)) })
	}
	ws.AddFollower(svc.applyChanges)
	in.OnCommit(func(t *workspace.Tenant, drafts []*ingest.Draft, results []ingest.RememberResult) {
		svc.tenants.Of(t).noteCommitted(drafts, results)
	})
	return svc
}

// tenant is the in-memory state of the service for one tenant.
type tenant struct {
	*workspace.Tenant
	buffer *sessionBuffer // L0
}

func newTenant(t *workspace.Tenant) *tenant { return &tenant{t, newBuffer()} }

func (svc *Service) open(ctx context.Context, scope graph.Scope) (*tenant, error) {
	return svc.tenants.Open(ctx, svc.Space, scope)
}
