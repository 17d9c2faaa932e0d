package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
)

// DefaultMaxContent is the limit of a memory's content in bytes where Options set none.
const DefaultMaxContent = 32 << 10

// DefaultNamespace is the namespace of what names none.
const DefaultNamespace = "default"

// Options are what an Engine works with. Store, Index, Embedder, Clock and Rand are
// required.
type Options struct {
	Store    graph.Store
	Index    Index
	Embedder models.Embedder
	Reranker models.Reranker // orders the best hits of ACCURATE searches; nil: none does
	// OpenModel opens another embedding model, for a move to it, with what closes it; nil:
	// there is no such move.
	OpenModel func(ctx context.Context, spec ModelSpec) (models.Embedder, func(), error)
	Chat      models.Chat   // decides where the rules are in doubt, and shortens summaries; nil: the rules alone
	Reader    models.Reader // names what the rules do not see in new memories; nil: the rules alone
	Recess    Recess        // nil: nothing is ever engraved
	Clock     Clock
	Rand      io.Reader // randomness of ids; used under a lock
	Logger    *slog.Logger
	// MaxContent is the largest content in bytes, at most graph.MaxContent.
	// The default is DefaultMaxContent.
	MaxContent int
	// Retry is how long the engine waits before it embeds again what was stored
	// while the embedder was away. The default is 5 s.
	Retry time.Duration
	// EngraveWaits is how long a sleep waits before each further attempt to engrave what
	// the recess refused. The default is 0, 1, 5, 30 and 60 s.
	EngraveWaits []time.Duration
	// Sweep is how often memories whose time to live ran out are written down as
	// EXPIRED, and how often conversations are looked at that went idle; reads know
	// of expiry at once. The default is 30 s.
	Sweep time.Duration
	// Automatic says when a tenant sleeps of itself; nil: only when it is asked to.
	Automatic *Automatic
	// SleepBatch is how many steps of a sleep one transaction carries. The default is 64.
	SleepBatch int
	// Renew is how often a sleep renews its lease, which lasts a minute. The default is 20 s.
	Renew time.Duration
	// Leans are further parts that the server leans on, by the names that health gives them.
	Leans map[string]Readiness
	// SessionIdle is how long a turn stays in L0 when nothing follows it in its
	// conversation. The default is 30 min.
	SessionIdle time.Duration
}

// Engine carries out the verbs. All methods are safe for concurrent use.
type Engine struct {
	store      graph.Store
	index      Index
	embedder   models.Embedder
	reranker   models.Reranker                                                            // may be nil
	openModel  func(ctx context.Context, spec ModelSpec) (models.Embedder, func(), error) // may be nil
	chat       models.Chat                                                                // may be nil
	reader     models.Reader                                                              // may be nil
	recess     Recess                                                                     // may be nil
	clock      Clock
	log        *slog.Logger
	maxContent int
	retry      time.Duration
	sweep      time.Duration
	sleepBatch int
	renew      time.Duration
	automatic  *Automatic

	engraveWaits []time.Duration
	leans        map[string]Readiness

	sessionIdle time.Duration

	recalls  *recalls
	readings *readings
	hitsKept *keptMemories
	front    foreground // who waits for an answer
	damage   damage
	holder   string // who holds the leases that this engine takes

	idMu sync.Mutex
	ids  *graph.IDSource

	// The rooms add to these before the first tenant is opened.
	workers    []Worker
	followers  []Follower
	forgetters []func(t *tenant)
	committed  []func(t *tenant, drafts []*draft, results []RememberResult)

	mu      sync.Mutex
	tenants map[graph.Tenant]*tenant
	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	done    sync.WaitGroup
	closed  bool
}

// New makes an engine over an open store and index. It finishes erasures that a
// crash interrupted and takes up what waits for an embedding. *MixedModels where a tenant
// was embedded with another model.
func New(ctx context.Context, o Options) (*Engine, error) {
	switch {
	case o.Store == nil, o.Index == nil, o.Embedder == nil, o.Clock == nil, o.Rand == nil:
		return nil, errors.New("engine: Store, Index, Embedder, Clock and Rand are required")
	case o.MaxContent < 0 || o.MaxContent > graph.MaxContent:
		return nil, fmt.Errorf("engine: MaxContent must be 0 to %d", graph.MaxContent)
	}
	if o.MaxContent == 0 {
		o.MaxContent = DefaultMaxContent
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Retry == 0 {
		o.Retry = 5 * time.Second
	}
	if o.EngraveWaits == nil {
		o.EngraveWaits = engraveWaits()
	}
	if o.Sweep == 0 {
		o.Sweep = 30 * time.Second
	}
	if o.Automatic != nil {
		a := o.Automatic.withDefaults()
		o.Automatic = &a
	}
	if o.SleepBatch == 0 {
		o.SleepBatch = 64
	}
	if o.Renew == 0 {
		o.Renew = leaseFor / 3
	}
	if o.SessionIdle == 0 {
		o.SessionIdle = 30 * time.Minute
	}
	e := &Engine{
		store: o.Store, index: o.Index, embedder: o.Embedder, reranker: o.Reranker, chat: o.Chat, reader: o.Reader, openModel: o.OpenModel, recess: o.Recess, clock: o.Clock, ids: graph.NewIDSource(o.Rand),
		log: o.Logger, maxContent: o.MaxContent, retry: o.Retry, sweep: o.Sweep, sleepBatch: o.SleepBatch, renew: o.Renew, automatic: o.Automatic, sessionIdle: o.SessionIdle,
		engraveWaits: o.EngraveWaits, leans: o.Leans,
		recalls: newRecalls(), readings: newReadings(), hitsKept: newKeptMemories(), tenants: map[graph.Tenant]*tenant{},
	}
	e.workers = append(e.workers, e.runFollow, e.runWriter, e.runDecisions, e.runPending, e.runExpiry, e.runBuffer, e.runIdle, e.runReader, e.runAutomatic)
	e.followers = append(e.followers, e.heedTurns)
	e.forgetters = append(e.forgetters, func(t *tenant) { t.examples.forget() })
	e.committed = append(e.committed, func(t *tenant, drafts []*draft, results []RememberResult) { t.entered(drafts, results) })
	name, err := e.newID(e.Now())
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	e.holder = string(name)
	e.ctx, e.cancel = context.WithCancel(context.WithoutCancel(ctx))
	names, err := o.Store.Tenants(ctx)
	if err != nil {
		return nil, fmt.Errorf("engine: list tenants: %w", err)
	}
	for _, name := range names {
		if err := e.keepModel(ctx, graph.Scope{Tenant: name}); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		t, err := e.tenant(ctx, graph.Scope{Tenant: name})
		if err != nil {
			return nil, err
		}
		// What is away, as the recess may be, takes nothing else with it: the next erasure,
		// sleep or rollback finishes first what waits.
		if err := e.resumeForget(ctx, t); unfinished(err) {
			return nil, fmt.Errorf("engine: finish an interrupted erasure: %w", err)
		} else if err != nil {
			e.log.Error("[RTBF] an interrupted erasure waits", "tenant", t.scope.Tenant, "error", err)
		}
		if err := e.resumeRollback(ctx, t); unfinished(err) {
			return nil, fmt.Errorf("engine: finish an interrupted rollback: %w", err)
		} else if err != nil {
			e.log.Error("[SLEEP] an interrupted rollback waits", "tenant", t.scope.Tenant, "error", err)
		}
		t.wakePending()
	}
	return e, nil
}

// unfinished reports whether an error is more than that something is away.
func unfinished(err error) bool { return err != nil && graph.CodeOf(err) != graph.CodeUnavailable }

// Close waits for writes under way and ends the background work. It closes neither
// the store nor the index. A second Close is a no-op.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil
	}
	e.closed = true
	e.mu.Unlock()
	e.cancel()
	ended := make(chan struct{})
	go func() { e.done.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("engine: background work did not end in time: %w", ctx.Err())
	}
}

// errClosing is the error of work that begins after Close.
var errClosing = graph.Errorf(graph.CodeUnavailable, "the server is shutting down")

// Worker runs in the background for one tenant until Close.
type Worker func(t *tenant)

// Follower applies to what it keeps in memory the changes that any server made to the
// memories ids. It is called only where other servers have the store open.
type Follower func(ctx context.Context, t *tenant, ids []graph.ID) error

// spawn runs work in the background; Close waits for it. It fails only after Close.
func (e *Engine) spawn(work func()) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return errClosing
	}
	e.done.Go(work)
	return nil
}

// Now is the present of the server's clock, in milliseconds, UTC.
func (e *Engine) Now() time.Time { return graph.Millis(e.clock.Now()) }

// Ready answers nil when reads and writes would work now.
func (e *Engine) Ready(ctx context.Context) error { return e.store.Ready(ctx) }

// newID makes the id of a node recorded at the instant.
func (e *Engine) newID(at time.Time) (graph.ID, error) {
	e.idMu.Lock()
	defer e.idMu.Unlock()
	return e.ids.New(at)
}

// tenant is what the engine keeps in memory about one tenant.
type tenant struct {
	engine    *Engine
	scope     graph.Scope
	writes    chan *write    // to the writer, see writer.go
	decisions chan *decision // on their way to it, see decisions.go
	pending   chan struct{}  // wakes the embedding of what waits, see pending.go
	unread    chan graph.ID  // wait for the model that reads, see reader.go
	buffer    *buffer        // L0, see ring.go
	core      sync.Mutex     // one change of the core at a time
	erasing   sync.Mutex     // one erasure at a time
	sleep     asleep         // see asleep.go
	asked     topics         // since the last sleep
	refused   tries          // by the embedder, see deadletters.go
	echoes    *echoes        // what recall served lately, see echo.go

	reembed  reembedder // see reembed.go
	examples examples   // what was marked irrelevant, see feedback.go

	opened time.Time // when this process opened the tenant

	pace pace // of its writes, see late.go

	followed *followed // of the feed, where others write too; see follow.go

	mu    sync.Mutex
	acked graph.Cursor // last change that a write of ours was acknowledged with
	last  time.Time    // last recorded instant; no clock runs behind it
}

// tenant opens the working state of a tenant, once.
func (e *Engine) tenant(ctx context.Context, scope graph.Scope) (*tenant, error) {
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errClosing
	}
	if t := e.tenants[scope.Tenant]; t != nil {
		return t, nil
	}
	t := &tenant{engine: e, scope: scope, writes: make(chan *write), decisions: make(chan *decision), pending: make(chan struct{}, 1), unread: make(chan graph.ID, unread), buffer: newBuffer(), echoes: newEchoes()}
	err := e.store.View(ctx, scope, func(r graph.Reader) (err error) { t.last, err = r.LastRecorded(); return err })
	if err != nil {
		return nil, fmt.Errorf("engine: open tenant: %w", err)
	}
	if t.acked, err = e.store.Head(ctx, scope); err != nil {
		return nil, fmt.Errorf("engine: open tenant: %w", err)
	}
	e.tenants[scope.Tenant] = t
	t.followed, t.opened = newFollowed(t.acked), e.Now()
	for _, run := range e.workers {
		e.done.Go(func() { run(t) })
	}
	return t, nil
}

// Now is the present for a write. It is never before an instant that was recorded earlier.
func (t *tenant) Now() time.Time {
	n := t.engine.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if n.Before(t.last) {
		n = t.last
	}
	t.last = n
	return n
}

// acknowledge remembers that a write reached the cursor, so that searches see it.
func (t *tenant) acknowledge(c graph.Cursor) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acked = max(t.acked, c)
}

func (t *tenant) cursor() graph.Cursor {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.acked
}

// View runs one read transaction.
func (t *tenant) View(ctx context.Context, fn func(graph.Reader) error) error {
	return t.engine.store.View(ctx, t.scope, fn)
}

// Update runs one transaction and acknowledges it.
func (t *tenant) Update(ctx context.Context, fn func(graph.Tx) error) error {
	c, err := t.engine.store.Update(ctx, t.scope, fn)
	if err != nil {
		return err
	}
	if c != 0 {
		t.acknowledge(c)
	}
	return nil
}

// Current waits until the index has every acknowledged write of the tenant. It does not
// wait for writes that the index cannot read while the store is away.
func (t *tenant) Current(ctx context.Context) error {
	reach := t.engine.reach(ctx)
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(reach, cancel)()
	err := t.engine.index.WaitFor(within, t.scope, t.cursor())
	if err != nil && ctx.Err() == nil && reach.Err() != nil {
		return errBehind
	}
	return err
}
