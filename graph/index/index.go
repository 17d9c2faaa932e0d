package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/text"
	"github.com/somnograph/somnograph/graph/index/vectors"
)

// IndexedStore is the store that an index is derived from.
type IndexedStore interface {
	graph.Viewer
	graph.Feed
	Tenants(ctx context.Context) ([]graph.Tenant, error)
}

// Options configure an index. The zero value is suitable for tests.
type Options struct {
	Dir    string       // folder of the snapshots and vector files; empty: none
	Logger *slog.Logger // nil: no logging
	// SnapshotEvery is the number of changes of a tenant after which the index writes a new
	// snapshot. The number of changes must also reach the number of memories. The default is
	// 200,000: replaying that many after a crash takes a few seconds.
	SnapshotEvery int
	// SnapshotDelay is how long the index waits after an erasure before it writes another
	// snapshot. The erasure itself removes the old snapshot at once. The default is 2 s.
	SnapshotDelay time.Duration
	// Workers is the number of goroutines that one large query or load may use. The default is
	// 2.
	Workers int
	// Remote searches vectors outside the index, for data larger than memory. The index then
	// keeps no vectors. Nil: the index keeps them.
	Remote graph.VectorSearcher
	// RemoteTimeout is how long a search waits for Remote before it answers without vectors. The
	// default is 2 s.
	RemoteTimeout time.Duration
	// VectorMemory is how many bytes of the vectors in files under Dir also stay in memory, so
	// that searches of small stores read no file. The default is 256 MiB; a negative value:
	// none.
	VectorMemory int64
	// Topics maps words to topics, for a search by topic. Nil: no search by topic.
	Topics Topics
	// Claims gives the keys by which claims are found. Nil: claims are not found.
	Claims ClaimKeys

	vectorBudget  *vectors.MemoryBudget // VectorMemory, shared by all tenants
	limits        remoteLimits          // zero: defaultRemoteLimits of remote.go
	onSnapshot    func()                // called after a snapshot is in place
	minGraphSize  int                   // memories at which a partition gets a neighbour graph; 0: minGraphSize of maintenance.go
	graphStepCost int                   // cost of one step of a graph search; 0: the default of package vectors
	maxGraphTail  int                   // 0: maxGraphTail of maintenance.go
}

// Index searches memories. All methods are safe for concurrent use.
type Index struct {
	store      IndexedStore
	opts       Options
	ctx        context.Context // cancelled by Close
	cancel     context.CancelFunc
	background sync.WaitGroup
	analysers  sync.Pool

	mu      sync.Mutex
	tenants map[graph.Tenant]*tenant
	closed  bool
}

// Open makes an index over a store. It loads the snapshots of all tenants, catches up with the
// feed and starts to follow it. A tenant that appears later is opened at its first use. The
// store must outlive the index.
func Open(ctx context.Context, store IndexedStore, o Options) (*Index, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.SnapshotEvery = cmp.Or(o.SnapshotEvery, 200_000)
	o.SnapshotDelay = cmp.Or(o.SnapshotDelay, 2*time.Second)
	o.minGraphSize = cmp.Or(o.minGraphSize, minGraphSize)
	o.maxGraphTail = cmp.Or(o.maxGraphTail, maxGraphTail)
	o.RemoteTimeout = cmp.Or(o.RemoteTimeout, defaultRemoteTimeout)
	o.limits = cmp.Or(o.limits, defaultRemoteLimits)
	o.Workers = cmp.Or(o.Workers, 2)
	if o.onSnapshot == nil {
		o.onSnapshot = func() {}
	}
	o.vectorBudget = vectors.NewMemoryBudget(cmp.Or(o.VectorMemory, vectors.DefaultMemory))
	x := &Index{store: store, opts: o, tenants: map[graph.Tenant]*tenant{}}
	x.analysers.New = func() any { return text.New() }
	x.ctx, x.cancel = context.WithCancel(context.WithoutCancel(ctx))
	names, err := store.Tenants(ctx)
	if err != nil {
		x.cancel()
		return nil, fmt.Errorf("index: list tenants: %w", err)
	}
	for _, name := range names {
		if _, err := x.openTenant(ctx, graph.Scope{Tenant: name}); err != nil {
			return nil, errors.Join(err, x.Close(ctx))
		}
	}
	return x, nil
}

// Close stops the followers and writes the snapshots. Running queries finish; later ones return
// ErrClosed. A second Close is a no-op.
func (x *Index) Close(ctx context.Context) error {
	x.mu.Lock()
	if x.closed {
		x.mu.Unlock()
		return nil
	}
	x.closed = true
	open := slices.Collect(maps.Values(x.tenants))
	x.mu.Unlock()
	x.cancel()
	ended := make(chan struct{})
	go func() { x.background.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-ctx.Done():
		return fmt.Errorf("index: followers did not end in time: %w", ctx.Err())
	}
	var errs []error
	for _, t := range open {
		if t.isLoaded() && t.snapshotStale() {
			errs = append(errs, t.saveSnapshot(ctx))
		}
		errs = append(errs, t.files.Close())
	}
	return errors.Join(errs...)
}

// openTenant returns the open tenant of a scope. The first caller loads the tenant, the others
// wait. If loading fails, the next caller tries again.
func (x *Index) openTenant(ctx context.Context, sc graph.Scope) (*tenant, error) {
	if err := sc.Validate(); err != nil {
		return nil, err
	}
	x.mu.Lock()
	if x.closed {
		x.mu.Unlock()
		return nil, graph.ErrClosed
	}
	t := x.tenants[sc.Tenant]
	if t == nil {
		t = newTenant(x, sc.Whole())
		x.tenants[sc.Tenant] = t
		x.background.Go(func() { x.runTenant(t) })
	}
	x.mu.Unlock()
	select {
	case <-t.ready:
		return t, t.err
	case <-ctx.Done():
		return nil, fmt.Errorf("index: tenant is being loaded: %w", ctx.Err())
	}
}

// runTenant loads a tenant and follows its feed until the index is closed.
func (x *Index) runTenant(t *tenant) {
	if err := t.load(x.ctx); err != nil {
		x.mu.Lock()
		delete(x.tenants, t.scope.Tenant)
		x.mu.Unlock()
		t.err = fmt.Errorf("index: load tenant: %w", err)
		close(t.ready)
		return
	}
	close(t.ready)
	x.background.Go(func() { t.keepSnapshots(x.ctx) })
	x.background.Go(func() { t.maintainGraphs(x.ctx) })
	t.follow(x.ctx)
}

// WaitFor returns when everything up to the cursor is searchable.
func (x *Index) WaitFor(ctx context.Context, sc graph.Scope, c graph.Cursor) error {
	t, err := x.openTenant(ctx, sc)
	if err != nil {
		return err
	}
	return t.waitFor(ctx, x.ctx, c)
}

// tenantOrNil returns the tenant of a scope, for calls without a context. It returns nil if the
// tenant is not available.
func (x *Index) tenantOrNil(sc graph.Scope) *tenant {
	t, err := x.openTenant(x.ctx, sc)
	if err != nil {
		if !errors.Is(err, graph.ErrClosed) {
			x.opts.Logger.Error("index: tenant is not available", "error", err)
		}
		return nil
	}
	return t
}

// Doc returns the Doc of a memory; false if there is none or it was forgotten.
func (x *Index) Doc(sc graph.Scope, id graph.ID) (*Doc, bool) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil, false
	}
	_, _, d := t.findMemory(sc.Sight, id)
	return d, d != nil
}

// Docs calls yield for every memory that is not forgotten, by ascending id, until yield returns
// false.
func (x *Index) Docs(sc graph.Scope, yield func(*Doc) bool) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return
	}
	var all []*Doc
	for _, v := range t.views(sc.Sight, nil) {
		v.eachDoc(func(_ uint32, d *Doc) bool { all = append(all, d); return true })
	}
	slices.SortFunc(all, func(a, b *Doc) int { return cmp.Compare(a.ID, b.ID) })
	for _, d := range all {
		if !yield(d) {
			return
		}
	}
}

// FindEntities returns the known entities whose canonical name, or an unambiguous part of a
// person's name, occurs in the query, in order of occurrence. Empty namespaces or users mean
// any; "" among users means entities without a user.
func (x *Index) FindEntities(sc graph.Scope, namespaces, users []string, query string) []graph.ID {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	a := x.analysers.Get().(*text.Analyser)
	tokens, capital := a.NameTokens(query)
	x.analysers.Put(a)
	return t.entities.findInText(tokens, capital, t.entitiesOf(sc.Sight, namespaces, users))
}

// RelationsAmong returns the ids of the relations with both ends among the entities, ascending.
func (x *Index) RelationsAmong(sc graph.Scope, entities []graph.ID) []graph.ID {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	return t.relationsStatedTo(sc.Sight, t.entities.relationsAmong(entities))
}

// Relations returns the ids of the relations whose two ends pass, by ascending id after the id
// after, at most limit.
func (x *Index) Relations(sc graph.Scope, pass func(*graph.Entity) bool, after graph.ID, limit int) []graph.ID {
	t := x.tenantOrNil(sc)
	if t == nil {
		return nil
	}
	shown := t.entitiesOf(sc.Sight, nil, nil)
	var out []graph.ID
	for {
		page := t.entities.relationsAfter(func(e *graph.Entity) bool { return shown.sees(e) && pass(e) }, after, limit)
		if out = append(out, t.relationsStatedTo(sc.Sight, page)...); len(out) >= limit || len(page) < limit {
			return out[:min(limit, len(out))]
		}
		after = page[len(page)-1]
	}
}

// Mentions counts the memories in an entity's namespace that mention it, in any status but
// FORGOTTEN, and returns the first and the last event time among them.
func (x *Index) Mentions(sc graph.Scope, entity graph.ID) (count int, first, last time.Time) {
	t := x.tenantOrNil(sc)
	if t == nil {
		return 0, first, last
	}
	return t.mentions(sc.Sight, entity)
}

// Touch records a use of memories at an instant, so that queries see it before the store has
// folded its counts. The counts of the store later replace it.
func (x *Index) Touch(sc graph.Scope, ids []graph.ID, use graph.Use) {
	if t := x.tenantOrNil(sc); t != nil {
		t.touch(ids, use)
	}
}
