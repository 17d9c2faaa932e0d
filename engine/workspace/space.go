package workspace

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/breaker"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/graph"
)

// DefaultNamespace is the namespace of a request without one.
const DefaultNamespace = "default"

// Options configure a Space. Store, Index, Embedder, Clock, Rand and Log are required.
type Options struct {
	Store      graph.Store
	Index      Index
	Embedder   models.Embedder
	Chat       models.Chat // may be nil
	Ceilings   Ceilings    // which memories the models may be sent
	Recess     Recess      // nil: no engraving
	Erasures   Erasures    // nil: none are recorded outside the store
	Map        Map         // positions of the explorer's map; nil: none are saved
	AuditKeys  audit.Keys  // keys of the audit; nil: none is kept
	Clock      Clock
	Rand       io.Reader // source of random ids; used under a lock
	Log        *slog.Logger
	MaxContent int // largest content in bytes
	// DefaultConsent is the consent of a write that names none, in a namespace without a default of
	// its own: IMPLICIT or NONE; empty: the write is refused.
	DefaultConsent graph.Consent
	// Quotas returns the quotas of a tenant; nil: there are none.
	Quotas func(context.Context, graph.Tenant) access.Quotas
	Probe  *telemetry.Probe // spans and measurements; nil: none
	Retry  time.Duration    // interval between attempts of background work
	Sweep  time.Duration    // interval of the checks for expired memories; the longest wait of WaitFor
}

// Space holds the resources of all services: the store, the index, the models, the clock, and
// the state of each tenant. Its methods are safe for concurrent use.
type Space struct {
	Options

	Audit       *audit.Log // nil: none is kept
	Breakers    breaker.Set
	SearchSlots *searchSlots
	Readings    *ReadingCache
	Said        *SaidCache
	HitCache    *hitCache
	Foreground  ForegroundLoad // running requests
	Damage      damagedEngrams
	Guards      Guards           // restrictions of alarms
	Durations   Durations        // of reads
	Elapsed     func() time.Time // the clock of Durations
	Holder      string           // this process's name as a lease holder
	Returned    Returned         // what older data brought back of tenants that the store does not have

	storeBreaker *breaker.Breaker

	idMu sync.Mutex
	ids  *graph.IDSource

	// Services register these before the first tenant is opened.
	workers    []func(*Tenant) // background work for one tenant, each until Close
	followers  []Follower
	forgetters []Forgetter

	mu      sync.Mutex
	tenants map[graph.Tenant]*Tenant
	Ctx     context.Context // ends on Close
	cancel  context.CancelFunc
	done    sync.WaitGroup
	closed  bool
}

// New makes a Space. It opens no tenant.
func New(ctx context.Context, o Options) (*Space, error) {
	ws := &Space{
		Elapsed: time.Now,
		Options: o, SearchSlots: newSearchSlots(time.Now), Readings: newReadingCache(), Said: newSaidCache(), HitCache: newHitCache(),
		ids: graph.NewIDSource(o.Rand), tenants: map[graph.Tenant]*Tenant{},
	}
	ws.newBreakers()
	for _, model := range []any{o.Embedder, o.Chat} {
		if b := models.BreakerOf(model); b != nil {
			ws.AddBreaker(b)
		}
	}
	ws.workers = []func(*Tenant){ws.runFollow}
	name, err := ws.NewID(ws.Now())
	if err != nil {
		return nil, err
	}
	ws.Holder = string(name)
	if o.AuditKeys != nil {
		ws.Audit = audit.New(audit.Options{Store: o.Store, Keys: o.AuditKeys, Now: ws.Now, NewID: ws.NewID, Log: o.Log})
		ws.workers = append(ws.workers, ws.runAudit)
	}
	ws.Ctx, ws.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if !ws.Exclusive() {
		ws.done.Go(func() { ws.Every(outageEvery, func() { ws.followOutage() }) })
	}
	return ws, nil
}

// Close waits for running writes and stops the background work. It does not close the store or
// the index. A second Close does nothing.
func (ws *Space) Close(ctx context.Context) error {
	ws.mu.Lock()
	if ws.closed {
		ws.mu.Unlock()
		return nil
	}
	ws.closed = true
	ws.mu.Unlock()
	ws.cancel()
	ended := make(chan struct{})
	go func() { ws.done.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("engine: background work did not end in time: %w", ctx.Err())
	}
}

// Follower updates in-memory state after any server changed the memories ids. It is called
// only if other servers have the store open.
type Follower func(ctx context.Context, t *Tenant, ids []graph.ID) error

// Forgetter removes a tenant's texts from in-memory state.
type Forgetter func(t *Tenant)

// AddFollower registers a follower. Call it before the first tenant is opened.
func (ws *Space) AddFollower(f Follower) { ws.followers = append(ws.followers, f) }

// AddForgetter registers a forgetter. Call it before the first tenant is opened.
func (ws *Space) AddForgetter(f Forgetter) { ws.forgetters = append(ws.forgetters, f) }

// Spawn runs work in the background; Close waits for it. It fails only after Close.
func (ws *Space) Spawn(work func()) error {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.closed {
		return ErrClosing
	}
	ws.done.Go(work)
	return nil
}

// Exclusive reports whether no other process can have the store open. If it is true, a lease
// with another holder belongs to a process that has ended.
func (ws *Space) Exclusive() bool {
	_, shared := ws.Store.(graph.Shared)
	return !shared
}

// Ready returns nil if reads and writes are possible.
func (ws *Space) Ready(ctx context.Context) error { return ws.Store.Ready(ctx) }

// Now returns the time of the server's clock, in milliseconds, UTC.
func (ws *Space) Now() time.Time { return graph.Millis(ws.Clock.Now()) }

// NewID makes the id of a node with the given transaction time.
func (ws *Space) NewID(at time.Time) (graph.ID, error) {
	ws.idMu.Lock()
	defer ws.idMu.Unlock()
	return ws.ids.New(at)
}

// Unfinished reports whether err is an error other than an unavailable part.
func Unfinished(err error) bool { return err != nil && graph.CodeOf(err) != graph.CodeUnavailable }

// PerTenant holds a service's own state of each tenant. It is safe for concurrent use.
type PerTenant[T any] struct {
	space *Space
	mu    sync.Mutex
	of    map[*Tenant]*T // by the whole tenant
	new   func(*Tenant) *T
}

// NewPerTenant makes a PerTenant that calls new on the first access to a tenant.
func NewPerTenant[T any](ws *Space, new func(*Tenant) *T) *PerTenant[T] {
	return &PerTenant[T]{space: ws, of: map[*Tenant]*T{}, new: new}
}

// Of returns the state of a tenant, which is that of [Tenant.Whole].
func (p *PerTenant[T]) Of(t *Tenant) *T {
	t = t.Whole()
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.of[t]
	if s == nil {
		s = p.new(t)
		p.of[t] = s
	}
	return s
}

// AddWorkers registers background work for every tenant, which runs until Close. Call it before
// the first tenant is opened.
func (p *PerTenant[T]) AddWorkers(work ...func(*T)) {
	for _, run := range work {
		p.space.workers = append(p.space.workers, func(t *Tenant) { run(p.Of(t)) })
	}
}

// Open opens the tenant of a caller and returns its state, which is that of [Tenant.Whole].
func (p *PerTenant[T]) Open(ctx context.Context, c Caller) (*T, error) {
	t, err := p.space.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	return p.Of(t), nil
}
