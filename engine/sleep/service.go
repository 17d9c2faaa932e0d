package sleep

import (
	"context"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Options say how a tenant sleeps.
type Options struct {
	// Automatic says when a tenant sleeps by itself; nil: only when it is asked to.
	Automatic *Automatic
	// Batch is how many steps one transaction carries. The default is 64.
	Batch int
	// Renew is how often a sleep renews its lease, which lasts a minute. The default is 20 s.
	RenewEvery time.Duration
	// EngraveWaits is how long a sleep waits before each attempt to engrave a memory that
	// the recess refused. The default is 0, 1, 5, 30 and 60 s.
	EngraveWaits []time.Duration
}

func (o Options) withDefaults() Options {
	if o.Automatic != nil {
		a := o.Automatic.withDefaults()
		o.Automatic = &a
	}
	if o.Batch == 0 {
		o.Batch = 64
	}
	if o.RenewEvery == 0 {
		o.RenewEvery = leaseDuration / 3
	}
	if o.EngraveWaits == nil {
		o.EngraveWaits = engraveWaits()
	}
	return o
}

// Serial runs jobs one at a time per tenant, between its writes.
type Serial interface {
	// RunExclusive runs job while nothing else is written, and returns its error.
	RunExclusive(ctx context.Context, t *workspace.Tenant, job func(ctx context.Context) error) error
}

// Service runs sleeps: it plans, carries out, reports and rolls back their steps.
type Service struct {
	*workspace.Space
	options Options
	serial  Serial
	tenants *workspace.PerTenant[tenant]
}

// New makes the service and registers its background work. Call [Service.UseSerial] before
// the first sleep.
func New(ws *workspace.Space, o Options) *Service {
	svc := &Service{Space: ws, options: o.withDefaults(), tenants: workspace.NewPerTenant(newTenant)}
	ws.AddWorker(func(t *workspace.Tenant) { svc.runAutomatic(svc.tenants.Of(t)) })
	return svc
}

// UseSerial sets what runs the transactions of sleeps between writes.
func (svc *Service) UseSerial(s Serial) { svc.serial = s }

// tenant is what the service keeps in memory about one tenant.
type tenant struct {
	*workspace.Tenant

	mu       sync.Mutex // guards running
	running  *sleepRun  // the sleep of this process; nil: none
	progress broadcast[Progress]
	reports  broadcast[Report]
	watchers watchers // with several servers; see watch.go
}

func newTenant(t *workspace.Tenant) *tenant { return &tenant{Tenant: t} }

func (svc *Service) open(ctx context.Context, scope graph.Scope) (*tenant, error) {
	return svc.tenants.Open(ctx, svc.Space, scope)
}
