package upkeep

import (
	"context"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// OpenModel opens an embedding model and returns it with a function that releases it.
type OpenModel func(ctx context.Context, spec ModelSpec) (models.Embedder, func(), error)

// Engraver retries engravings.
type Engraver interface {
	// RetryEngrave engraves a memory that the recess refused, if the gates are still open.
	RetryEngrave(ctx context.Context, t *workspace.Tenant, m *graph.Memory) error
}

// Service does the work that remains after writes: it embeds waiting memories, keeps dead
// letters, and moves a tenant to another embedding model.
type Service struct {
	*workspace.Space
	openModel OpenModel                          // may be nil
	ceilingOf func(ModelSpec) *workspace.Ceiling // may be nil
	engraver  Engraver
	tenants   *workspace.PerTenant[tenant]
}

// New creates the service and registers its background work. If open is nil, a tenant can't
// move to another model. ceilingOf says which memories may be sent to a model; nil: all.
func New(ws *workspace.Space, open OpenModel, ceilingOf func(ModelSpec) *workspace.Ceiling, engraver Engraver) *Service {
	svc := &Service{Space: ws, openModel: open, ceilingOf: ceilingOf, engraver: engraver, tenants: workspace.NewPerTenant(ws, func(t *workspace.Tenant) *tenant { return &tenant{Tenant: t} })}
	svc.tenants.AddWorkers(svc.runPending, svc.runClaims)
	return svc
}

// tenant is the in-memory state of the service for one tenant.
type tenant struct {
	*workspace.Tenant
	refused attemptCounts // by the embedder
	outage  outage
	reembed reembedProgress
}
