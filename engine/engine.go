package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/document"
	"github.com/somnograph/somnograph/engine/entities"
	"github.com/somnograph/somnograph/engine/erasure"
	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/ingest"
	"github.com/somnograph/somnograph/engine/library"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/monitor"
	"github.com/somnograph/somnograph/engine/patterns"
	"github.com/somnograph/somnograph/engine/recall"
	"github.com/somnograph/somnograph/engine/scene"
	"github.com/somnograph/somnograph/engine/session"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/engine/upkeep"
	"github.com/somnograph/somnograph/engine/webhook"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// DefaultMaxContent is the default limit of a memory's content in bytes.
const DefaultMaxContent = 32 << 10

// Options configure an Engine. Store, Index, Embedder, Clock and Rand are required.
type Options struct {
	Store    graph.Store
	Index    Index
	Embedder models.Embedder
	Reranker models.Reranker // reranks the best hits of ACCURATE searches; nil: no reranking
	Effort   Effort          // of searches and contexts that name none; empty: BALANCED
	// OpenModel opens another embedding model for a change of model, and returns a function that
	// closes it. Nil: the model can't be changed.
	OpenModel func(ctx context.Context, spec ModelSpec) (models.Embedder, func(), error)
	// Ceilings say which memories may be sent to the models in use, and CeilingOf which to a model
	// for a change of model; nil: all.
	Ceilings  Ceilings
	CeilingOf func(ModelSpec) *Ceiling
	Chat      models.Chat   // judges unclear conflicts, and shortens summaries; nil: rules only
	Reader    models.Reader // finds entities in new memories that the rules miss; nil: rules only
	Recess    Recess        // nil: no engraving
	Erasures  Erasures      // record of erasures outside the store; nil: none, and an older copy brings them back
	Map       Map           // saved positions of the explorer's map, which an erasure removes; nil: none are saved
	AuditKeys AuditKeys     // keys of the audit, outside the store; nil: no audit is kept
	Clock     Clock
	Rand      io.Reader // randomness of ids; used under a lock
	Logger    *slog.Logger
	Probe     *telemetry.Probe // spans and measurements; nil: none
	// Quotas returns the quotas of a tenant, of which the engine enforces those of memories and bytes; nil:
	// there are none.
	Quotas func(context.Context, graph.Tenant) access.Quotas
	// MaxContent is the largest content in bytes, at most graph.MaxContent.
	// The default is DefaultMaxContent.
	MaxContent int
	// DefaultConsent is the consent of a write that names none, where the policy of the namespace has no
	// default of its own: IMPLICIT or NONE; empty: the write is refused.
	DefaultConsent graph.Consent
	// Retry is the interval at which the engine retries the embedding of memories that were
	// stored while the embedder was unavailable. The default is 5 s.
	Retry time.Duration
	// EngraveWaits are the pauses before each attempt of a sleep to engrave what the recess
	// refused. The default is 0, 1, 5, 30 and 60 s.
	EngraveWaits []time.Duration
	// Sweep is the interval at which the engine marks memories past their time to live as
	// EXPIRED. Reads treat such memories as expired at once. The default is 30 s.
	Sweep time.Duration
	// Automatic configures automatic sleeps; nil: a tenant sleeps only on request.
	Automatic *Automatic
	// SleepBatch is the number of sleep steps per transaction. The default is 64.
	SleepBatch int
	// Renew is the interval at which a sleep renews its lease of one minute. The default is 20
	// s.
	Renew time.Duration
	// Webhooks sends messages to webhooks; nil: there are none. WebhookPauses are the pauses after failed attempts; nil: the
	// default of package webhook.
	Webhooks      WebhookSender
	WebhookPauses []time.Duration
	// DeletedWebhooks is the record of deleted webhooks outside the store; nil: none, and an older copy sends to them again.
	DeletedWebhooks webhook.Deletions
	// Dependencies are further dependencies of the server, by the name that health reports.
	Dependencies map[string]Readiness
	// HealthDetails returns further details of the server for health; nil: none.
	HealthDetails func() map[string]any
	// SessionIdle is the time after the last turn of a conversation at which its turns leave L0.
	// The default is 30 min. If Clock is an AlarmClock, they leave when it reaches that instant;
	// otherwise as the machine's clock measures the time, and at the latest Sweep after it.
	SessionIdle time.Duration
	// Monitor configures the watch over the indicators of health. New sets Parts, Sleeps and Buffer.
	Monitor monitor.Options
	// Documents limits the documents that are ingested; zero fields have their defaults.
	Documents document.Limits
}

// Engine runs all operations. All methods are safe for concurrent use.
type Engine struct {
	dependencies map[string]Readiness
	details      func() map[string]any
	ws           *workspace.Space
	groups       *grouping.Service
	ingest       *ingest.Service
	session      *session.Service
	library      *library.Service
	recall       *recall.Service
	scenes       *scene.Service
	entities     *entities.Service
	sleep        *sleep.Service
	patterns     *patterns.Service
	erasure      *erasure.Service
	upkeep       *upkeep.Service
	webhook      *webhook.Service
	monitor      *monitor.Service
}

// New makes an engine over an open store and index. It finishes erasures and rollbacks that a
// crash interrupted, and embeds pending memories. It returns *MixedModels if a tenant was
// embedded with another model.
func New(ctx context.Context, o Options) (*Engine, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	ws, err := workspace.New(ctx, workspace.Options{
		Store: o.Store, Index: o.Index, Embedder: o.Embedder, Chat: o.Chat, Ceilings: o.Ceilings, Recess: o.Recess, Erasures: o.Erasures, Map: o.Map, AuditKeys: o.AuditKeys, Clock: o.Clock,
		Rand: o.Rand, Log: o.Logger, Probe: o.Probe, Quotas: o.Quotas, MaxContent: o.MaxContent, DefaultConsent: o.DefaultConsent, Retry: o.Retry, Sweep: o.Sweep,
	})
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	if o.Monitor.Elapsed != nil {
		ws.Elapsed = o.Monitor.Elapsed
	}
	if b := models.BreakerOf(o.Reranker); b != nil {
		ws.AddBreaker(b)
	}
	e := &Engine{ws: ws, dependencies: o.Dependencies, details: o.HealthDetails}
	e.groups = grouping.New(ws)
	e.sleep = sleep.New(ws, e.groups, sleep.Options{Automatic: o.Automatic, Batch: o.SleepBatch, RenewEvery: o.Renew, EngraveWaits: o.EngraveWaits})
	e.ingest = ingest.New(ws, o.Reader, e.sleep)
	e.sleep.UseSerial(e.ingest)
	e.session = session.New(ws, e.ingest, o.SessionIdle)
	e.library = library.New(ws, e.ingest, o.Documents)
	e.entities = entities.New(ws)
	e.recall = recall.New(ws, e.groups, e.session, recall.Options{Reranker: o.Reranker, Effort: o.Effort})
	e.scenes = scene.New(ws)
	e.patterns = patterns.New(ws, patterns.Grouped(e.groups), e.sleep, e.ingest)
	e.erasure = erasure.New(ws, e.sleep, e.ingest, e.session, e.library, e.ingest, e.recall)
	e.upkeep = upkeep.New(ws, o.OpenModel, o.CeilingOf, e.sleep)
	e.webhook = webhook.New(ws, webhook.Options{Sender: o.Webhooks, Pauses: o.WebhookPauses, Deletions: o.DeletedWebhooks})
	if err := e.openTenants(ctx); err != nil {
		return nil, err
	}
	o.Monitor.Parts, o.Monitor.Sleeps, o.Monitor.Buffer = o.Dependencies, e.sleep, e.session
	if e.monitor, err = monitor.New(ctx, ws, o.Monitor); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	return e, nil
}

func (o Options) withDefaults() (Options, error) {
	switch {
	case o.Store == nil, o.Index == nil, o.Embedder == nil, o.Clock == nil, o.Rand == nil:
		return o, errors.New("engine: Store, Index, Embedder, Clock and Rand are required")
	case o.MaxContent < 0 || o.MaxContent > graph.MaxContent:
		return o, fmt.Errorf("engine: MaxContent must be 0 to %d", graph.MaxContent)
	case o.DefaultConsent != "" && o.DefaultConsent != graph.ConsentImplicit && o.DefaultConsent != graph.ConsentNone:
		return o, fmt.Errorf("engine: DefaultConsent must be IMPLICIT, NONE or empty")
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

// openTenants opens every tenant of the store and finishes operations that a crash
// interrupted.
func (e *Engine) openTenants(ctx context.Context) error {
	names, err := e.ws.Store.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("engine: list tenants: %w", err)
	}
	if err := CheckModel(ctx, e.ws.Store, e.ws.Embedder.Name()); err != nil {
		return err
	}
	for _, name := range names {
		t, err := e.ws.Tenant(ctx, graph.Scope{Tenant: name})
		if err != nil {
			return err
		}
		// An unavailable part, such as the recess, does not prevent the start: the next erasure,
		// sleep or rollback finishes the interrupted operation first.
		if err := e.erasure.ResumeForget(audit.As(ctx, "forget"), t); workspace.Unfinished(err) {
			return fmt.Errorf("engine: finish an interrupted erasure: %w", err)
		} else if err != nil {
			e.ws.Log.Error("[RTBF] an interrupted erasure could not be finished; the next erasure finishes it first", "tenant", name, "error", err)
		} else if err := e.erasure.Replay(audit.As(ctx, "replayErasures"), t); err != nil {
			return fmt.Errorf("engine: erase again what was erased before: %w", err)
		}
		if err := e.sleep.ResumeRollback(audit.As(ctx, "rollback"), t); workspace.Unfinished(err) {
			return fmt.Errorf("engine: finish an interrupted rollback: %w", err)
		} else if err != nil {
			e.ws.Log.Error("[SLEEP] an interrupted rollback could not be finished; the next sleep or rollback finishes it first", "tenant", name, "error", err)
		}
		if err := e.library.Resume(audit.As(ctx, "ingest"), t); workspace.Unfinished(err) {
			return fmt.Errorf("engine: finish an interrupted ingest: %w", err)
		} else if err != nil {
			e.ws.Log.Error("[WRITE] an interrupted ingest could not be finished; ingest the document again", "tenant", name, "error", err)
		}
		t.WakePending()
	}
	if err := e.erasure.ReplayKeys(ctx); err != nil {
		return fmt.Errorf("engine: delete again the API keys of erased users: %w", err)
	}
	err = e.erasure.ReplayAbsent(ctx, func(t graph.Tenant) bool { return slices.Contains(names, t) })
	if err != nil {
		return fmt.Errorf("engine: erase again what was erased before: %w", err)
	}
	return nil
}

// Close waits for running writes and stops the background work. It does not close the store or
// the index. A second Close does nothing.
func (e *Engine) Close(ctx context.Context) error { return e.ws.Close(ctx) }

// Begin begins a call of a verb that a route implements, for the audit. end ends it with the error that it returns.
func (e *Engine) Begin(ctx context.Context, c Caller, verb string) (within context.Context, end func(*error)) {
	return e.ws.Begin(ctx, c, verb)
}

// BeginRequest begins a request to an API for the audit: a field, a tool or a route. end counts it by its own name,
// unless a verb was called within it, which has its own row.
func (e *Engine) BeginRequest(ctx context.Context, c Caller, name string) (within context.Context, end func(error)) {
	return e.ws.BeginRequest(ctx, c, name)
}

// NoteRequest counts a request to an API that called no verb.
func (e *Engine) NoteRequest(ctx context.Context, c Caller, name string, err error) {
	_, end := e.ws.BeginRequest(ctx, c, name)
	end(err)
}

// Ready returns nil if reads are possible, and writes unless WritesHalted.
func (e *Engine) Ready(ctx context.Context) error { return e.ws.Ready(ctx) }

// WritesHalted reports whether an alarm has halted writes.
func (e *Engine) WritesHalted() bool { return e.ws.Guards.WritesHalted() }

// CheckModel returns a MixedModelsError if the vectors of a model can't be compared with those in the
// store. Call it before an index with vectors of another model is removed.
func CheckModel(ctx context.Context, store graph.Store, model string) error {
	names, err := store.Tenants(ctx)
	if err != nil {
		return fmt.Errorf("engine: list tenants: %w", err)
	}
	for _, name := range names {
		if err := upkeep.CheckModel(ctx, store, graph.Scope{Tenant: name}, model); err != nil {
			return err
		}
	}
	return nil
}

// SwitchModel switches the tenants that are fully embedded with the new model to it, and
// returns their number. Call it before an index and an engine are opened over the store.
func SwitchModel(ctx context.Context, store graph.Store, model string, now time.Time) (switched int, err error) {
	return upkeep.SwitchModel(ctx, store, model, now)
}
