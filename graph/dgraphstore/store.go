package dgraphstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/dgo/v230"
	"github.com/dgraph-io/dgo/v230/protos/api"
	"google.golang.org/grpc"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/calls"
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Store is a graph.Store in a Dgraph cluster. Open makes one.
type Store struct {
	options     Options
	connections []*grpc.ClientConn

	alphas       []*alpha
	availability reach.Availability
	goroutines   sync.WaitGroup // background goroutines
	shortList    int            // shortList, but for tests
	schemaName   string         // schemaName, but for tests

	calls         calls.Calls
	background    context.Context // ends when Close begins
	endBackground context.CancelFunc

	draftCount   atomic.Uint64 // number of drafts made, for unique names of new nodes
	ledgers      perTenant[commitLedger]
	feeds        perTenant[tenantFeed]
	useQueues    perTenant[useQueue]
	usageFlusher *usageFlusher // nil: CountUses writes uses itself
	lastUseTs    atomic.Uint64 // Dgraph's timestamp of the latest uses that this process wrote
	foldQueue    foldQueue
	indexFills   indexFills

	keys      *keyring.Keyring // nil: the store is not sealed
	secret    []byte           // of the names in keys; nil: the store is not sealed
	sealID    string           // identity of the sealed cluster
	runName   string           // how the tokens of this process begin, in a sealed store
	renewOdds uint32           // keyring.RenewOdds, but for tests
	reads     calls.Reads
	shredding sync.Mutex  // held during a pass over retired keys
	foreign   atomic.Bool // another process has written to the sealed cluster
	swept     map[graph.Tenant][]graph.ID
}

var (
	_ graph.Store    = (*Store)(nil)
	_ graph.Shared   = (*Store)(nil)
	_ graph.Expecter = (*reader)(nil)
	_ graph.Expecter = tx{}
	_ graph.Sweeper  = (*Store)(nil)
	_ graph.Shredder = (*Store)(nil)
)

// Open connects to the alphas at the addresses (host:port of their gRPC), brings the
// schema up to date and returns when the cluster answers.
func Open(ctx context.Context, addresses []string, o Options) (*Store, error) {
	s, err := connect(ctx, addresses, o)
	if err != nil {
		return nil, err
	}
	if err := s.openSeal(ctx); err != nil {
		return nil, errors.Join(err, s.disconnect(), s.closeKeys())
	}
	if err := s.findUnfoldedUses(ctx); err != nil {
		return nil, errors.Join(err, s.disconnect(), s.closeKeys())
	}
	if s.options.UsageJournal != "" {
		if err := s.openUsageFlusher(ctx, s.options.UsageJournal); err != nil {
			return nil, errors.Join(err, s.disconnect(), s.closeKeys())
		}
	}
	s.goroutines.Go(func() {
		s.periodically(s.options.FoldEvery, nil, s.foldAll, "[WRITE] usage counts can't be folded now; they are folded later")
	})
	if s.keys != nil {
		s.goroutines.Go(func() {
			s.periodically(shredEvery, nil, s.shredOld, "[RTBF] keys could not be destroyed, trying again in an hour")
		})
	}
	return s, nil
}

// connect connects to the alphas and brings the schema up to date.
func connect(ctx context.Context, addresses []string, o Options) (*Store, error) {
	if len(addresses) == 0 {
		return nil, errors.New("dgraphstore: no address")
	}
	s := &Store{options: o.withDefaults(), shortList: maxSortedRows, schemaName: defaultSchemaName, renewOdds: keyring.RenewOdds}
	s.background, s.endBackground = context.WithCancel(context.WithoutCancel(ctx))
	s.availability.Init()
	s.ledgers.new, s.feeds.new, s.useQueues.new = newCommitLedger, newTenantFeed, newUseQueue
	s.foldQueue.waiting = map[graph.Tenant]bool{}
	for _, a := range addresses {
		conn, err := grpc.NewClient(a, append([]grpc.DialOption{
			grpc.WithTransportCredentials(s.options.credentials()),
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)),
			grpc.WithChainUnaryInterceptor(setReadPoint), grpc.WithConnectParams(connectParams), grpc.WithKeepaliveParams(keepaliveParams),
		}, s.options.Dial...)...)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("dgraphstore: address %q: %w", a, err), s.disconnect())
		}
		s.connections = append(s.connections, conn)
		s.alphas = append(s.alphas, &alpha{client: dgo.NewDgraphClient(api.NewDgraphClient(conn))})
	}
	s.goroutines.Go(s.watchAvailability)
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.disconnect())
	}
	return s, nil
}

// closeKeys closes the keys of a sealed store.
func (s *Store) closeKeys() error {
	if s.keys == nil {
		return nil
	}
	return s.keys.Close()
}

func (s *Store) disconnect() error {
	s.endBackground()
	s.goroutines.Wait()
	var errs []error
	for _, c := range s.connections {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// Ready returns nil if reads and writes would work now.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.calls.Begin(ctx); err != nil {
		return err
	}
	defer s.calls.End()
	if s.Alive().Err() != nil {
		return errNoAlpha()
	}
	var err error
	for n := range s.alphas { // a silent alpha does not stop the others
		err = s.tryOnce(ctx, n+1, func(ctx context.Context) error {
			_, err := s.clientFor(ctx).NewReadOnlyTxn().Query(ctx, schemaQuery)
			return err
		})
		if err == nil {
			break
		}
	}
	if err != nil {
		return errors.Join(ctx.Err(), fmt.Errorf("%w: Dgraph does not answer: %w", graph.ErrUnavailable, err))
	}
	return nil
}

// Tenants lists the tenants that hold any data, in ascending order.
func (s *Store) Tenants(ctx context.Context) ([]graph.Tenant, error) {
	if err := s.calls.Begin(ctx); err != nil {
		return nil, err
	}
	defer s.calls.End()
	all, err := s.allTenants(ctx)
	if err != nil {
		return nil, err
	}
	tenants := slices.DeleteFunc(all, func(t graph.Tenant) bool { return (graph.Scope{Tenant: t}).IsServer() })
	slices.Sort(tenants)
	return tenants, nil
}

// View runs fn on one snapshot of the scope.
func (s *Store) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) (err error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	defer s.calls.End()
	ctx, end := graph.Observe(ctx, s.options.Observer, graph.OperationRead)
	defer end(&err)
	defer s.reads.Begin()()
	r := newReader(ctx, s.newSnapshot(), scope.Tenant)
	defer r.end()
	return fn(graph.See(r, scope.Sight))
}

// ViewSince is View on a snapshot that shows what was committed up to the cursor: that of
// the last known commit, if it is new enough.
func (s *Store) ViewSince(ctx context.Context, scope graph.Scope, since graph.Cursor, fn func(graph.Reader) error) (err error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	defer s.calls.End()
	ctx, end := graph.Observe(ctx, s.options.Observer, graph.OperationRead)
	defer end(&err)
	defer s.reads.Begin()()
	snap, base, assumed := s.snapshotAtLastCommit(scope.Tenant, true)
	if assumed && base.Cursor < since {
		snap = s.newSnapshot()
	}
	r := newReader(ctx, snap, scope.Tenant)
	defer r.end()
	return fn(graph.See(r, scope.Sight))
}

// ViewRecent is View with the cursor of the last change that the snapshot shows. What other
// processes committed within the last second may be missing.
func (s *Store) ViewRecent(ctx context.Context, scope graph.Scope, fn func(r graph.Reader, at graph.Cursor) error) (err error) {
	if err := s.calls.BeginScoped(ctx, scope); err != nil {
		return err
	}
	defer s.calls.End()
	ctx, end := graph.Observe(ctx, s.options.Observer, graph.OperationRead)
	defer end(&err)
	defer s.reads.Begin()()
	snap, base, assumed := s.snapshotAtLastCommit(scope.Tenant, true)
	r := newReader(ctx, snap, scope.Tenant)
	defer r.end()
	if assumed {
		r.head = &base
	}
	head, err := r.tenantHead()
	if err != nil {
		return err
	}
	return fn(graph.See(r, scope.Sight), head.Cursor)
}

// Close folds the counted uses and closes the connections. The cluster is not changed.
func (s *Store) Close() error {
	if !s.calls.Close(s.endBackground) {
		return nil
	}
	s.calls.Wait()
	s.goroutines.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), s.options.RetryFor)
	defer cancel()
	var err error
	if s.usageFlusher != nil {
		err = s.usageFlusher.flush(ctx)
	}
	err = errors.Join(err, s.foldAll(ctx))
	if errors.Is(err, graph.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		s.options.Logger.Warn("[WRITE] usage counts are not folded yet, nothing is lost", "error", err)
		err = nil
	}
	return errors.Join(err, s.disconnect(), s.closeKeys())
}
