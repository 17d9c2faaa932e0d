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
)

// Store is a graph.Store in a Dgraph cluster. Open makes one.
type Store struct {
	opts  Options
	conns []*grpc.ClientConn

	members []*member
	pulse   pulse
	tasks   sync.WaitGroup // goroutines that end with background
	short   int            // shortList, but for tests
	schema  string         // schemaName, but for tests

	life struct { // who is inside, and whether the store still stands
		sync.Mutex
		inside sync.WaitGroup
		closed bool
	}
	background context.Context // ends when Close begins
	end        context.CancelFunc

	drafts  atomic.Uint64 // that were made, so that each has names of its own for its nodes
	ledgers ledgers
	feeds   feeds
	uses    uses
	behind  *behind       // nil: uses are counted before the answer
	counted atomic.Uint64 // timestamp of Dgraph's of the latest uses that this process counted
	folds   folds
	fills   fills
}

var (
	_ graph.Store    = (*Store)(nil)
	_ graph.Shared   = (*Store)(nil)
	_ graph.Expecter = (*reader)(nil)
	_ graph.Expecter = tx{}
)

// Open connects to the alphas at the addresses (host:port of their gRPC), brings the
// schema up to date and answers when the cluster does.
func Open(ctx context.Context, addresses []string, o Options) (*Store, error) {
	if len(addresses) == 0 {
		return nil, errors.New("dgraphstore: no address")
	}
	s := &Store{opts: o.withDefaults(), short: shortList, schema: schemaName}
	s.background, s.end = context.WithCancel(context.WithoutCancel(ctx))
	s.pulse.init()
	s.ledgers.init()
	s.feeds.init()
	s.uses.init()
	s.folds.init()
	for _, a := range addresses {
		conn, err := grpc.NewClient(a, append([]grpc.DialOption{
			grpc.WithTransportCredentials(s.opts.credentials()),
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(math.MaxInt32), grpc.MaxCallSendMsgSize(math.MaxInt32)),
			grpc.WithChainUnaryInterceptor(startAt), grpc.WithConnectParams(redial), grpc.WithKeepaliveParams(alive),
		}, s.opts.Dial...)...)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("dgraphstore: address %q: %w", a, err), s.hangUp())
		}
		s.conns = append(s.conns, conn)
		s.members = append(s.members, &member{dg: dgo.NewDgraphClient(api.NewDgraphClient(conn))})
	}
	s.tasks.Go(s.watch)
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.hangUp())
	}
	if err := s.findUses(ctx); err != nil {
		return nil, errors.Join(err, s.hangUp())
	}
	if s.opts.Uses != "" {
		if err := s.openBehind(ctx, s.opts.Uses); err != nil {
			return nil, errors.Join(err, s.hangUp())
		}
	}
	s.tasks.Go(s.foldInTime)
	return s, nil
}

func (s *Store) hangUp() error {
	s.end()
	s.tasks.Wait()
	var errs []error
	for _, c := range s.conns {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// enter lets a call in; every successful enter needs a leave.
func (s *Store) enter() error {
	s.life.Lock()
	defer s.life.Unlock()
	if s.life.closed {
		return graph.ErrClosed
	}
	s.life.inside.Add(1)
	return nil
}

func (s *Store) leave() { s.life.inside.Done() }

// admit validates the scope and lets the call in.
func (s *Store) admit(ctx context.Context, scope graph.Scope) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.enter()
}

// Ready answers nil when reads and writes would work now.
func (s *Store) Ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.leave()
	if s.Alive().Err() != nil {
		return errAway()
	}
	var err error
	for n := range s.members { // one that is silent leaves the others
		err = s.once(ctx, n+1, func(ctx context.Context) error {
			_, err := s.client(ctx).NewReadOnlyTxn().Query(ctx, schemaQuery)
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

// Tenants lists the tenants that hold anything, in ascending order.
func (s *Store) Tenants(ctx context.Context) ([]graph.Tenant, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.leave()
	var answer struct{ Q []struct{ Name graph.Tenant } }
	if err := s.snapshot().ask(ctx, `{ q(func: has(tenant.name)) { name: tenant.name } }`, nil, &answer); err != nil {
		return nil, err
	}
	tenants := make([]graph.Tenant, 0, len(answer.Q))
	for _, t := range answer.Q {
		tenants = append(tenants, t.Name)
	}
	slices.Sort(tenants)
	return tenants, nil
}

// View runs fn on one snapshot of the scope.
func (s *Store) View(ctx context.Context, scope graph.Scope, fn func(graph.Reader) error) error {
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	defer s.leave()
	r := newReader(ctx, s.snapshot(), scope.Tenant)
	defer r.die()
	return fn(r)
}

// ViewSince is View on a snapshot that shows what was committed up to the cursor: the one
// that this process knows of, where that is new enough.
func (s *Store) ViewSince(ctx context.Context, scope graph.Scope, since graph.Cursor, fn func(graph.Reader) error) error {
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	defer s.leave()
	v, base, assumed := s.standing(scope.Tenant, true)
	if assumed && base.Cursor < since {
		v = s.snapshot()
	}
	r := newReader(ctx, v, scope.Tenant)
	defer r.die()
	return fn(r)
}

// ViewRecent is View with the cursor of the last change that the snapshot shows. What other
// processes committed within the last second may be missing.
func (s *Store) ViewRecent(ctx context.Context, scope graph.Scope, fn func(r graph.Reader, at graph.Cursor) error) error {
	if err := s.admit(ctx, scope); err != nil {
		return err
	}
	defer s.leave()
	v, base, assumed := s.standing(scope.Tenant, true)
	r := newReader(ctx, v, scope.Tenant)
	defer r.die()
	if assumed {
		r.standing = &base
	}
	h, err := r.where()
	if err != nil {
		return err
	}
	return fn(r, h.Cursor)
}

// Close folds what was counted and ends the connections. The cluster stays as it is.
func (s *Store) Close() error {
	s.life.Lock()
	if s.life.closed {
		s.life.Unlock()
		return nil
	}
	s.life.closed = true
	s.end()
	s.life.Unlock()

	s.life.inside.Wait()
	s.tasks.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), s.opts.Patience)
	defer cancel()
	var err error
	if s.behind != nil {
		err = s.behind.flush(ctx)
	}
	err = errors.Join(err, s.foldAll(ctx))
	if errors.Is(err, graph.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		s.opts.Logger.Warn("[WRITE] usage counts are not folded yet, nothing is lost", "error", err)
		err = nil
	}
	return errors.Join(err, s.hangUp())
}
