package session

import (
	"time"

	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/workspace"
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
	svc := &Service{Space: ws, ingest: in, sessionIdle: idle, tenants: workspace.NewPerTenant(ws, newTenant)}
	svc.tenants.AddWorkers(svc.runBuffer, svc.runIdle)
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
