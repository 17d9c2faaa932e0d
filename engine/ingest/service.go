package ingest

import (
	"context"
	"sync"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Service writes memories: it reads their text, compares them with what is known, and
// commits them through one writer per tenant.
type Service struct {
	*workspace.Space
	reader      models.Reader // may be nil
	engraver    Engraver
	commitHooks []commitHook
	tenants     *workspace.PerTenant[tenant]
}

// Engraver keeps permanent memories.
type Engraver interface {
	// EngraveSuccessor engraves v where it has just replaced an engram, and says so in v.
	EngraveSuccessor(ctx context.Context, t *workspace.Tenant, v *workspace.View)
}

// Committed is told what became of drafts, in the order of their commits.
type commitHook func(t *workspace.Tenant, drafts []*Draft, results []RememberResult)

// New makes the service and registers its background work. Reader may be nil.
func New(ws *workspace.Space, reader models.Reader, engraver Engraver) *Service {
	svc := &Service{Space: ws, reader: reader, engraver: engraver, tenants: workspace.NewPerTenant(newTenant)}
	for _, run := range []func(*tenant){svc.runWriter, svc.runDecisions, svc.runExpiry, svc.runReader} {
		ws.AddWorker(func(t *workspace.Tenant) { run(svc.tenants.Of(t)) })
	}
	return svc
}

// OnCommit registers a function that is told of every commit. Call it before the first
// tenant is opened.
func (svc *Service) OnCommit(hook commitHook) { svc.commitHooks = append(svc.commitHooks, hook) }

// tenant is what the service keeps in memory about one tenant.
type tenant struct {
	*workspace.Tenant
	writes    chan *write    // to the writer
	decisions chan *decision // on their way to the writer
	unread    chan graph.ID  // memories that wait for the language model
	core      sync.Mutex     // one change of the core memories at a time
}

func newTenant(t *workspace.Tenant) *tenant {
	return &tenant{Tenant: t, writes: make(chan *write), decisions: make(chan *decision), unread: make(chan graph.ID, maxUnread)}
}

func (svc *Service) open(ctx context.Context, scope graph.Scope) (*tenant, error) {
	return svc.tenants.Open(ctx, svc.Space, scope)
}
