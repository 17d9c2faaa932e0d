// Package instance opens everything a server stands on, in order, and closes it in
// the order that loses nothing: store, index, clock, engine.
//
// A data directory holds
//
//	store/      the embedded store; the truth, unless that is on a Dgraph cluster
//	recess/     engrams, their keys and their manifest
//	index/      snapshots and vectors of the index; may be deleted, they are made again
//	map/        places of the explorer's map; may be deleted, it is drawn anew
//	clock.json  how far a simulated clock is ahead
//	demo.json   how far the demo world was loaded
package instance

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/clock"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/peers"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/lexicon"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
	"github.com/somnograph/somnograph/graph/recess"
)

// Options say what to open.
type Options struct {
	Dir                        string
	Dgraph                     []string    // addresses of alphas; empty: the embedded store below Dir
	DgraphTLS                  *tls.Config // nil: the connection is not encrypted
	DgraphUser, DgraphPassword string      // of a cluster with access control; empty: it has none
	// VectorsInDgraph leaves vectors in the cluster and searches them there; Dgraph must not be empty.
	VectorsInDgraph bool
	Peers           *peers.Peers // the line to other servers of the cluster; nil: only the cluster itself
	Embedder        models.Embedder
	Reranker        models.Reranker // nil: none
	Chat            models.Chat     // nil: none
	Reader          models.Reader   // nil: none
	// OpenModel opens another embedding model, to move to it; nil: there is no such move.
	OpenModel      func(ctx context.Context, spec engine.ModelSpec) (models.Embedder, func(), error)
	SimulatedClock bool
	MinFree        int64             // bytes; 0: the store's default
	MaxContent     int               // bytes; 0: the engine's default
	SessionIdle    time.Duration     // how long a turn waits in L0; 0: the engine's default
	Automatic      *engine.Automatic // when it sleeps of itself; nil: only when it is asked to
	Blob           recess.Blob       // sealed files of the recess; nil: below Dir
	Logger         *slog.Logger
	Source         clock.Source // the machine's clock
	Rand           io.Reader    // randomness of ids; nil: the machine's
	// Demo, if not nil, is told how far the demo world is: it is loaded into an
	// empty store, or where loading it was interrupted.
	Demo func(done, total int)
}

// Instance is an open store with an engine over it.
type Instance struct {
	Engine *engine.Engine
	Store  graph.Store
	Index  *index.Index
	Recess *recess.Recess
	// Advance moves a simulated clock; nil where the clock is real.
	Advance func(time.Duration) (time.Time, error)
	// Ahead is by how much the clock was ahead of the machine's when it was opened.
	Ahead time.Duration
}

// Open opens the directory. The error is a line for a person; see Explain.
func Open(ctx context.Context, o Options) (*Instance, error) {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("can't make the data directory: %w", err)
	}
	store, err := o.openStore(ctx)
	if err != nil {
		return nil, err
	}
	in := &Instance{Store: store}
	if err := in.open(ctx, o); err != nil {
		return nil, errors.Join(err, in.Close(context.WithoutCancel(ctx)))
	}
	return in, nil
}

// open opens what stands on the store.
func (in *Instance) open(ctx context.Context, o Options) (err error) {
	switched, err := engine.Adopt(ctx, in.Store, o.Embedder.Name(), o.Source())
	if err != nil {
		return Explain(o.Dir, err)
	}
	if switched > 0 {
		o.Logger.Info("switched to another embedding model", "model", o.Embedder.Name(), "tenants", switched)
	}
	indexDir := filepath.Join(o.Dir, "index")
	if err := indexOf(indexDir, o.Embedder.Name()); err != nil {
		return fmt.Errorf("can't make the directory of the index: %w", err)
	}
	x := index.Options{Dir: indexDir, Logger: o.Logger, Topics: lexicon.Topics{}}
	if o.VectorsInDgraph {
		elsewhere, can := in.Store.(graph.VectorSearcher)
		if !can {
			return errors.New("vectors can't live in a store that does not search them: give the addresses of a Dgraph cluster")
		}
		x.Remote = elsewhere
	}
	if in.Index, err = index.Open(ctx, in.Store, x); err != nil {
		return Explain(o.Dir, err)
	}
	in.Recess, err = recess.Open(recess.Options{Dir: filepath.Join(o.Dir, "recess"), Blob: o.Blob, Logger: o.Logger, Alarm: func(a recess.Alarm) {
		o.Logger.Error("[ENGRAM] alarm: what is stored is damaged", "file", a.File, "id", a.ID, "reason", a.Reason)
	}})
	if err != nil {
		return Explain(o.Dir, err)
	}
	if o.Demo != nil {
		if err := in.loadDemo(ctx, o); err != nil {
			return err
		}
	}
	return in.openEngine(ctx, o)
}

// indexOf makes the directory of the index of a model. Snapshots with the vectors of
// another one are removed: the index is built anew.
func indexOf(dir, model string) error {
	name := filepath.Join(dir, "model")
	before, err := os.ReadFile(name)
	if err == nil && string(before) == model {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
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
	random := o.Rand
	if random == nil {
		random = rand.Reader
	}
	eo := o.engine(in, c, random)
	if o.Peers != nil {
		eo.Leans = map[string]engine.Readiness{"REDIS": o.Peers}
	}
	eo.Automatic = o.Automatic // not while the demo world is told
	in.Engine, err = engine.New(ctx, eo)
	if err != nil {
		return Explain(o.Dir, err)
	}
	return nil
}

func (o Options) engine(in *Instance, c engine.Clock, random io.Reader) engine.Options {
	return engine.Options{
		Store: in.Store, Index: in.Index, Embedder: o.Embedder, Reranker: o.Reranker, Chat: o.Chat, Reader: o.Reader, OpenModel: o.OpenModel, Recess: archive{in.Recess}, Clock: c, Rand: random, Logger: o.Logger, MaxContent: o.MaxContent, SessionIdle: o.SessionIdle,
	}
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

// Stats counts what the index holds by tenant.
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

// Close ends what was opened: the engine's background work, then the index with its
// snapshot, then the store.
func (in *Instance) Close(ctx context.Context) error {
	var errs []error
	if in.Engine != nil {
		errs = append(errs, in.Engine.Close(ctx))
	}
	if in.Index != nil {
		errs = append(errs, in.Index.Close(ctx))
	}
	if in.Recess != nil {
		errs = append(errs, in.Recess.Close())
	}
	return errors.Join(append(errs, in.Store.Close())...)
}
