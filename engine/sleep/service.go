package sleep

import (
	"context"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/workspace"
)

// Options configure the sleeps of a tenant.
type Options struct {
	// Automatic configures automatic sleeps; nil: a tenant sleeps only on request.
	Automatic *Automatic
	// Batch is the number of steps per transaction. The default is 64.
	Batch int
	// RenewEvery is the interval at which a sleep renews its lease, which lasts a minute.
	// The default is 20 s.
	RenewEvery time.Duration
	// EngraveWaits are the waits before further attempts to engrave a memory that the
	// recess refused. The default is 0, 1, 5, 30 and 60 s.
	EngraveWaits []time.Duration
}

func (o Options) withDefaults() Options {
	if o.Automatic != nil {
		a := o.Automatic.WithDefaults()
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

// Service plans, runs, reports and rolls back sleeps.
type Service struct {
	*workspace.Space
	options Options
	serial  Serial
	groups  *grouping.Service
	tenants *workspace.PerTenant[tenant]

	clusters patterns.Clusters
}

// New creates the service and registers its background work. Call [Service.UseSerial]
// before the first sleep.
func New(ws *workspace.Space, groups *grouping.Service, o Options) *Service {
	svc := &Service{Space: ws, groups: groups, clusters: patterns.Grouped(groups), options: o.withDefaults(), tenants: workspace.NewPerTenant(ws, func(t *workspace.Tenant) *tenant { return &tenant{Tenant: t} })}
	svc.tenants.AddWorkers(svc.runAutomatic)
	return svc
}

// UseSerial sets the Serial that runs the transactions of sleeps.
func (svc *Service) UseSerial(s Serial) { svc.serial = s }

// UseClusters replaces the clusters of package grouping, from which patterns are drawn. Call it before
// the first sleep.
func (svc *Service) UseClusters(c patterns.Clusters) { svc.clusters = c }

// openWhole opens the tenant of a caller that sees all of it.
func (svc *Service) openWhole(ctx context.Context, c workspace.Caller) (*tenant, error) {
	if err := c.WholeTenant(); err != nil {
		return nil, err
	}
	return svc.tenants.Open(ctx, c)
}

// tenant is the in-memory state of the service for one tenant.
type tenant struct {
	*workspace.Tenant

	mu       sync.Mutex // guards running
	running  *sleepRun  // the sleep in this process; nil: none
	progress workspace.Broadcast[Progress]
	reports  workspace.Broadcast[Report]
	watchers watchers // used with several servers; see watch.go
}
