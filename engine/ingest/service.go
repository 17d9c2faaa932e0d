package ingest

import (
	"context"
	"sync"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Service writes memories. It analyses their text, compares them with stored memories, and
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
	// EngraveSuccessor engraves v if v has just replaced an engram, and updates v.
	EngraveSuccessor(ctx context.Context, t *workspace.Tenant, v *workspace.View)
}

// EngraveSuccessors engraves what has replaced an engram by the results of a write: the memories of the results, and those that they
// repeat and confirm. Call it after the commit.
func (svc *Service) EngraveSuccessors(ctx context.Context, t *workspace.Tenant, results []RememberResult) {
	for i := range results {
		r := &results[i]
		if r.Error != nil || r.Memory == nil || len(r.Revised) == 0 {
			continue
		}
		v := r.Memory
		if r.DuplicateOf != "" && r.DuplicateOf != v.ID { // a turn that was merged
			v = &workspace.View{Memory: &graph.Memory{ID: r.DuplicateOf}}
		}
		svc.engraver.EngraveSuccessor(ctx, t, v)
	}
}

// commitHook receives the drafts of a commit and their results. Calls follow the order of
// the commits.
type commitHook func(t *workspace.Tenant, drafts []*Draft, results []RememberResult)

// New creates the service and registers its background workers. reader may be nil.
func New(ws *workspace.Space, reader models.Reader, engraver Engraver) *Service {
	svc := &Service{Space: ws, reader: reader, engraver: engraver, tenants: workspace.NewPerTenant(ws, newTenant)}
	svc.tenants.AddWorkers(svc.runWriter, svc.runDecisions, svc.runExpiry, svc.runReader, svc.runDoubts)
	return svc
}

// OnCommit registers a function that runs after every commit. Call it before the first
// tenant is opened.
func (svc *Service) OnCommit(hook commitHook) { svc.commitHooks = append(svc.commitHooks, hook) }

// tenant is the in-memory state of the service for one tenant.
type tenant struct {
	*workspace.Tenant
	writes    chan *write    // input of the writer
	decisions chan *decision // input of runDecisions
	unread    chan graph.ID  // memories queued for the language model
	doubts    chan doubt     // pairs of statements queued for it
	core      sync.Mutex     // serialises changes of the core memories
}

func newTenant(t *workspace.Tenant) *tenant {
	return &tenant{Tenant: t, writes: make(chan *write), decisions: make(chan *decision), unread: make(chan graph.ID, maxUnread), doubts: make(chan doubt, maxUnsettled)}
}
