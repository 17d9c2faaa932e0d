package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/somnograph/somnograph/engine/erasure"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/session"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/upkeep"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// DefaultMaxContent is the limit of a memory's content in bytes where Options set none.
const DefaultMaxContent = 32 << 10

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
	dependencies map[string]Readiness
	ws           *workspace.Space
	ingest       *ingest.Service
	session      *session.Service
	recall       *recall.Service
	sleep        *sleep.Service
	erasure      *erasure.Service
	upkeep       *upkeep.Service
}

// New makes an engine over an open store and index. It finishes erasures and rollbacks that
// a crash interrupted, and embeds what waits. *MixedModels where a tenant was embedded with
// another model.
func New(ctx context.Context, o Options) (*Engine, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	ws, err := workspace.New(ctx, workspace.Options{
		Store: o.Store, Index: o.Index, Embedder: o.Embedder, Chat: o.Chat, Recess: o.Recess, Clock: o.Clock,
		Rand: o.Rand, Log: o.Logger, MaxContent: o.MaxContent, Retry: o.Retry, Sweep: o.Sweep,
	})
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	e := &Engine{ws: ws, dependencies: o.Leans}
	e.sleep = sleep.New(ws, sleep.Options{Automatic: o.Automatic, Batch: o.SleepBatch, RenewEvery: o.Renew, EngraveWaits: o.EngraveWaits})
	e.ingest = ingest.New(ws, o.Reader, e.sleep)
	e.sleep.UseSerial(e.ingest)
	e.session = session.New(ws, e.ingest, o.SessionIdle)
	e.recall = recall.New(ws, o.Reranker, e.session)
	e.erasure = erasure.New(ws, e.sleep, e.ingest, e.session, e.recall)
	e.upkeep = upkeep.New(ws, o.OpenModel, e.sleep)
	if err := e.openTenants(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

func (o Options) withDefaults() (Options, error) {
	switch {
	case o.Store == nil, o.Index == nil, o.Embedder == nil, o.Clock == nil, o.Rand == nil:
		return o, errors.New("engine: Store, Index, Embedder, Clock and Rand are required")
	case o.MaxContent < 0 || o.MaxContent > graph.MaxContent:
		return o, fmt.Errorf("engine: MaxContent must be 0 to %d", graph.MaxContent)
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
	if o.Sweep == 0 {
		o.Sweep = 30 * time.Second
	}
	if o.SessionIdle == 0 {
		o.SessionIdle = 30 * time.Minute
	}
	return o, nil
}

// openTenants opens every tenant of the store and finishes what a crash interrupted.
func (e *Engine) openTenants(ctx context.Context) error {
	names, err := e.ws.Store.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("engine: list tenants: %w", err)
	}
	for _, name := range names {
		if err := e.upkeep.CheckModel(ctx, graph.Scope{Tenant: name}); err != nil {
			return err
		}
	}
	for _, name := range names {
		t, err := e.ws.Tenant(ctx, graph.Scope{Tenant: name})
		if err != nil {
			return err
		}
		// A part that is away, as the recess may be, does not keep the server from starting: the
		// next erasure, sleep or rollback first finishes what was interrupted.
		if err := e.erasure.ResumeForget(ctx, t); workspace.Unfinished(err) {
			return fmt.Errorf("engine: finish an interrupted erasure: %w", err)
		} else if err != nil {
			e.ws.Log.Error("[RTBF] an interrupted erasure waits", "tenant", name, "error", err)
		}
		if err := e.sleep.ResumeRollback(ctx, t); workspace.Unfinished(err) {
			return fmt.Errorf("engine: finish an interrupted rollback: %w", err)
		} else if err != nil {
			e.ws.Log.Error("[SLEEP] an interrupted rollback waits", "tenant", name, "error", err)
		}
		t.WakePending()
	}
	return nil
}

// Close waits for writes under way and ends the background work. It closes neither the
// store nor the index. A second Close does nothing.
func (e *Engine) Close(ctx context.Context) error { return e.ws.Close(ctx) }

// Ready returns nil when reads and writes would work now.
func (e *Engine) Ready(ctx context.Context) error { return e.ws.Ready(ctx) }

// Adopt switches the tenants that were embedded anew with the model to it, and returns how
// many it switched. Call it before the index and an engine are opened over the store.
func SwitchModel(ctx context.Context, store graph.Store, model string, now time.Time) (switched int, err error) {
	return upkeep.SwitchModel(ctx, store, model, now)
}
