// Package instance opens the parts of a server in order (store, index, recess, clock, engine)
// and closes them in the reverse order, so that nothing is lost.
//
// A data directory holds
//
//	store.id    identity of the store; its ledger of erasures lies outside, in Options.Keys
//	store/      the embedded store; the truth, unless that is on a Dgraph cluster. keys.json in it says
//	            which directory of keys belongs to it; with Dgraph that file lies beside store.id
//	uses/       usage counts that are not on the cluster yet
//	recess/     engrams and their manifest; their keys too, unless the store is sealed
//	index/      snapshots and vectors of the index; can be deleted, they are rebuilt
//	map/        positions on the explorer's map; can be deleted, it is computed again
//	clock.json  offset of a simulated clock
//	address     where the server that has the directory open listens
//	demo.json   progress of loading the demo world
package instance

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/clock"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/peers"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/scene"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/ledger"
	"github.com/somnograph/somnograph/graph/recess"
)

// Options configure an Instance.
type Options struct {
	Dir string
	// Keys is the directory of what must not lie in Dir: the ledgers of erasures. Each store has a
	// directory of its own in it. Empty: no ledger, so that an older copy of Dir brings back what
	// was erased.
	Keys string
	// AcceptKeys takes Keys although the store had another directory of keys, or a newer one.
	AcceptKeys bool
	// Seal seals the content of the embedded store, or of an empty Dgraph cluster, under keys in Keys, and keeps the
	// keys of the recess there. A store that was sealed stays so.
	Seal      bool
	keepPlain bool // see badgerstore.Options
	// SealNew is Seal for a directory without a store; one that has a store stays as it is.
	SealNew bool
	// Engine configures the engine. Open sets Store, Index, Recess, Erasures, Clock and
	// Dependencies, and Rand where it is nil.
	Engine engine.Options
	// Dgraph holds addresses of alphas; empty: the embedded store in Dir.
	Dgraph []string
	// Cluster configures the store on Dgraph. Open sets Logger, UsageJournal and what Peers need.
	// With IndexVectors, vectors stay in the cluster and are searched there.
	Cluster        dgraphstore.Options
	Peers          *peers.Peers // connection to other servers of the cluster; nil: only the cluster itself
	SimulatedClock bool
	MinFree        int64 // bytes; 0: the store's default
	Sizes          Sizes
	Blob           recess.Blob  // sealed files of the recess; nil: in Dir
	Source         clock.Source // the machine's clock
	// Demo, if not nil, loads the demo world into an empty store, or finishes loading it. It
	// receives the progress.
	Demo func(done, total int)
}

// Sizes limit the memory of store and index. Zero values: the defaults of both.
type Sizes struct {
	MemTable     int64 // bytes of a memtable of the embedded store
	Mapped       int64 // bytes of its tables that may stay mapped in memory
	VectorMemory int64 // bytes of exact vectors that the index keeps in memory; negative: none
	Workers      int   // goroutines of one large query or load of the index
}

// Instance is an open store with an engine.
type Instance struct {
	Engine *engine.Engine
	Store  graph.Store
	Index  *index.Index
	Recess *recess.Recess
	Ledger *ledger.Ledger // nil: Options.Keys is empty
	// Keys holds the named secrets of the server, and the keys of a sealed store. Nil: Options.Keys
	// is empty.
	Keys *keyring.Keyring
	// Map is where the maps of whole tenants are saved; nil: nowhere.
	Map *scene.Saved
	// Tenants knows the tenants with their quotas, which the engine enforces.
	Tenants *access.Tenants
	// Advance moves a simulated clock; nil: the clock is real.
	Advance func(time.Duration) (time.Time, error)
	// Closing is called by Close when nothing is written any more and the store is still open; nil:
	// nothing.
	Closing func() error
	// Ahead is how far the clock was ahead of the machine's when it was opened.
	Ahead time.Duration

	rotating     sync.Mutex // held while keys are replaced
	stopRenewals func()     // ends the replacing of data keys; nil: there is none
}

// Open opens the directory. The error is one line that says what to do; see Explain.
func Open(ctx context.Context, o Options) (*Instance, error) {
	if err := o.checkKeys(); err != nil {
		return nil, err
	}
	if err := makeDir(o.Dir); err != nil {
		return nil, err
	}
	if o.AcceptKeys {
		if err := ledger.Accept(o.Keys, o.Dir); err != nil {
			return nil, ExplainKeys(o.Keys, err)
		}
		o.Engine.Logger.Warn("[KEYS] the directory of keys is taken as it is, also if it is older than the data: what was erased or revoked since can return", "keys", o.Keys)
	}
	opened, err := o.openStore(ctx)
	if err != nil {
		return nil, err
	}
	o.sayWhatIsSealed(opened)
	in := &Instance{Store: opened.store, Keys: opened.keys}
	if o.Dir != "" {
		in.Map = scene.NewSaved(filepath.Join(o.Dir, "map"))
	}
	if err := in.open(ctx, o); err != nil {
		return nil, errors.Join(err, in.Close(context.WithoutCancel(ctx)))
	}
	return in, nil
}

// open opens the parts that use the store.
func (in *Instance) open(ctx context.Context, o Options) (err error) {
	switched, err := engine.SwitchModel(ctx, in.Store, o.Engine.Embedder.Name(), o.Source())
	if err != nil {
		return Explain(o.Dir, err)
	}
	if switched > 0 {
		o.Engine.Logger.Info("switched to another embedding model", "model", o.Engine.Embedder.Name(), "tenants", switched)
	}
	// A wrong embedder in the configuration must not cost the index.
	if err := engine.CheckModel(ctx, in.Store, o.Engine.Embedder.Name()); err != nil {
		return Explain(o.Dir, err)
	}
	// After a crash the uses of the last seconds are in a log that the index does not read.
	if err := graph.FlushUses(ctx, in.Store); err != nil {
		o.Engine.Logger.Warn("the uses before the last stop are not counted yet", "error", err)
	}
	indexDir := filepath.Join(o.Dir, "index")
	if err := prepareIndexDir(indexDir, o.Engine.Embedder.Name(), o.Engine.Logger); err != nil {
		return fmt.Errorf("can't create the directory of the index: %w", err)
	}
	x := index.Options{Dir: indexDir, Logger: o.Engine.Logger, Topics: lexicon.Topics{}, Claims: attribute.Keys{},
		VectorMemory: o.Sizes.VectorMemory, Workers: o.Sizes.Workers}
	if o.Cluster.IndexVectors {
		remoteStore, ok := in.Store.(graph.VectorSearcher)
		if !ok {
			return errors.New("the embedded store can't search vectors: give the addresses of a Dgraph cluster")
		}
		x.Remote = remoteStore
	}
	if in.Index, err = index.Open(ctx, in.Store, x); err != nil {
		return Explain(o.Dir, err)
	}
	if err := in.openRecess(o); err != nil {
		return err
	}
	if o.Keys != "" {
		if in.Ledger, err = ledger.Open(o.Keys, o.Dir, rand.Reader); err != nil {
			return ExplainKeys(o.Keys, err)
		}
		if in.Keys == nil {
			if in.Keys, err = o.openKeys(false); err != nil {
				return err
			}
		}
	}
	if o.Demo != nil {
		if err := in.loadDemo(ctx, o); err != nil {
			return err
		}
	}
	if err := in.openEngine(ctx, o); err != nil {
		return err
	}
	return in.resumeRenewals(ctx, o)
}

// openRecess opens the recess, whose keys lie with those of a sealed store.
func (in *Instance) openRecess(o Options) error {
	ro := recess.Options{Dir: o.recessDir(), Blob: o.Blob, Logger: o.Engine.Logger, Alarm: func(a recess.Alarm) {
		o.Engine.Logger.Error("[ENGRAM] alarm: a stored engram is damaged", "file", a.File, "id", a.ID, "reason", a.Reason)
	}}
	if in.Keys != nil {
		dir, err := ledger.Directory(o.Keys, o.Dir, rand.Reader)
		if err != nil {
			return ExplainKeys(o.Keys, err)
		}
		ro.Keys = filepath.Join(dir, "recess")
	}
	var err error
	if in.Recess, err = recess.Open(ro); err != nil {
		return Explain(o.Dir, err)
	}
	return nil
}

// recessDir is the directory of the recess.
func (o Options) recessDir() string { return filepath.Join(o.Dir, "recess") }

// KnownModel returns the name of the model whose vectors the index in a data directory holds; empty: there is none.
func KnownModel(data string) string {
	name, err := os.ReadFile(filepath.Join(data, "index", "model"))
	if err != nil {
		return ""
	}
	return string(name)
}

// prepareIndexDir makes the directory of the index. It removes one with vectors of another
// model, so that the index is rebuilt.
func prepareIndexDir(dir, model string, log *slog.Logger) error {
	name := filepath.Join(dir, "model")
	before, err := os.ReadFile(name)
	if err == nil && string(before) == model {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		log.Warn("the index holds vectors of another model, or its file index/model is damaged; it is rebuilt from the store", "model", model)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(model), 0o600)
}

func (in *Instance) openEngine(ctx context.Context, o Options) error {
	floor, err := in.lastRecorded(ctx)
	if err != nil {
		return Explain(o.Dir, err)
	}
	var c engine.Clock = clock.New(o.Source, floor)
	if o.SimulatedClock {
		s, err := clock.OpenSimulated(filepath.Join(o.Dir, "clock.json"), o.Source, floor)
		if err != nil {
			return err
		}
		in.Advance = s.Advance
		c = s
	}
	in.Ahead = c.Now().Sub(o.Source())
	if held, ok := c.(engine.HeldClock); ok {
		if ahead := held.Ahead(); ahead >= time.Second {
			o.Engine.Logger.Error("[WRITE] the machine's clock is behind the latest recorded instant: until it has caught up, time stands still, new memories get that instant, and nothing expires or fades",
				"ahead", ahead.Round(time.Second), "recorded", floor, "machine", o.Source().UTC())
		}
	}
	if !o.SimulatedClock {
		source := o.Source
		o.Engine.Monitor.Sources = append(slices.Clone(o.Engine.Monitor.Sources), func(_ context.Context, now time.Time) []engine.AlarmReading {
			return []engine.AlarmReading{{Indicator: engine.IndicatorClockAhead, Value: max(0, now.Sub(source()).Seconds())}}
		})
	}
	if err := in.checkAudit(ctx, o.Engine.Logger); err != nil {
		return Explain(o.Dir, err)
	}
	if o.Peers != nil {
		o.Engine.Dependencies = map[string]engine.Readiness{"REDIS": o.Peers}
	}
	in.Tenants = access.NewTenants(in.Store, func() time.Time { return graph.Millis(c.Now()) }, time.Now, rand.Reader)
	in.Engine, err = engine.New(ctx, o.engine(in, c))
	if err != nil {
		return Explain(o.Dir, err)
	}
	return nil
}

// checkAudit returns an error if the keys of an audit are damaged: the tenant could not be written to. It logs where they are missing.
func (in *Instance) checkAudit(ctx context.Context, log *slog.Logger) error {
	if in.Ledger == nil {
		return nil
	}
	tenants, err := in.Store.Tenants(ctx)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		scope, missing := graph.Scope{Tenant: t}, false
		err := in.Store.View(ctx, scope, func(r graph.Reader) (err error) {
			missing, err = audit.CheckKeys(r, in.Ledger.Secrets(), scope)
			return err
		})
		if err != nil {
			return err
		}
		if missing {
			log.Warn("[AUDIT] the store has an audit, and the directory of keys has no key of it: nothing here shows whether its rows were changed or removed. "+
				"Unless this is another server of a cluster, put the newest copy of the files secrets/audit-… back: a server without them begins another chain",
				"tenant", t, "keys", in.Ledger.Dir())
		}
	}
	return nil
}

// engine returns the options of an engine on the instance.
func (o Options) engine(in *Instance, c engine.Clock) engine.Options {
	eo := o.Engine
	eo.Store, eo.Index, eo.Recess, eo.Clock = in.Store, in.Index, archive{in.Recess, o.Blob, o.recessDir(), eo.Probe.Store("recess")}, c
	if in.Ledger != nil {
		eo.Erasures, eo.AuditKeys, eo.DeletedWebhooks = in.Ledger, in.Ledger.Secrets(), in.Ledger
	}
	if in.Map != nil {
		eo.Map = in.Map
	}
	if o.Dir != "" && eo.Documents.CacheDir == "" {
		eo.Documents.CacheDir = filepath.Join(o.Dir, "pdf")
	}
	if in.Tenants != nil { // the demo world is told by an engine without quotas
		eo.Quotas = in.Tenants.QuotasOf
	}
	if eo.Rand == nil {
		eo.Rand = rand.Reader
	}
	return eo
}

// lastRecorded is the latest instant recorded in any tenant.
func (in *Instance) lastRecorded(ctx context.Context) (time.Time, error) {
	tenants, err := in.Store.Tenants(ctx)
	if err != nil {
		return time.Time{}, err
	}
	var last time.Time
	for _, t := range tenants {
		err := in.Store.View(ctx, graph.Scope{Tenant: t}, func(r graph.Reader) error {
			at, err := r.LastRecorded()
			if err == nil && at.After(last) {
				last = at
			}
			return err
		})
		if err != nil {
			return time.Time{}, err
		}
	}
	return last, nil
}

// Stats returns the sizes of the index by tenant.
func (in *Instance) Stats(ctx context.Context) (map[graph.Tenant]index.Stats, error) {
	tenants, err := in.Store.Tenants(ctx)
	if err != nil {
		return nil, err
	}
	all := make(map[graph.Tenant]index.Stats, len(tenants))
	for _, t := range tenants {
		all[t] = in.Index.Stats(graph.Scope{Tenant: t})
	}
	return all, nil
}

// Close ends the engine's background work, then closes the index, which writes its snapshot,
// then the store.
func (in *Instance) Close(ctx context.Context) error {
	var errs []error
	if in.stopRenewals != nil {
		in.stopRenewals()
	}
	if in.Engine != nil {
		errs = append(errs, in.Engine.Close(ctx))
	}
	if in.Closing != nil {
		errs = append(errs, in.Closing())
	}
	if in.Index != nil {
		errs = append(errs, in.Index.Close(ctx))
	}
	if in.Recess != nil {
		errs = append(errs, in.Recess.Close())
	}
	if in.Ledger != nil {
		errs = append(errs, in.Ledger.Close())
	}
	errs = append(errs, in.Store.Close())
	if in.Keys != nil {
		errs = append(errs, in.Keys.Close())
	}
	return errors.Join(errs...)
}
