package resolvers

import (
	"context"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// shares limits what each principal runs at once, so that one principal leaves room for others: queries
// wait for earlier ones of their principal; subscriptions, sockets and event streams are refused. Callers without authentication are
// not limited. It is a gqlgen extension and safe for concurrent use.
type shares struct {
	queries, streams int           // streams: of subscriptions, and of connections
	wait             time.Duration // maximum wait of a query
	present          graphql.ErrorPresenterFunc

	mu   sync.Mutex
	used map[principal]*share
}

// principal identifies who calls.
type principal struct {
	tenant graph.Tenant
	name   string
}

func principalOf(c engine.Caller) principal { return principal{c.Tenant, c.Name} }

// share is what one principal runs.
type share struct {
	queries       chan struct{} // one element per running query
	subscriptions int
	connections   int // WebSockets and event streams
	holders       int // what is counted, and queries that wait; at 0 the share is removed
}

func newShares(queries, streams int, wait time.Duration, present graphql.ErrorPresenterFunc) *shares {
	return &shares{queries: queries, streams: streams, wait: wait, present: present, used: map[principal]*share{}}
}

// hold returns the share of a principal, to be released.
func (s *shares) hold(c engine.Caller) (sh *share, release func()) {
	p := principalOf(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh = s.used[p]; sh == nil {
		sh = &share{queries: make(chan struct{}, s.queries)}
		s.used[p] = sh
	}
	sh.holders++
	return sh, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if sh.holders--; sh.holders == 0 {
			delete(s.used, p)
		}
	}
}

// connection counts a WebSocket or an event stream until ctx ends. The error is RATE_LIMITED.
func (s *shares) connection(ctx context.Context, c engine.Caller) error {
	leave, err := s.countConnection(c)
	if err == nil {
		context.AfterFunc(ctx, leave)
	}
	return err
}

// countConnection counts a WebSocket or an event stream until leave is called. The error is RATE_LIMITED.
func (s *shares) countConnection(c engine.Caller) (leave func(), err error) {
	return s.count(c, func(sh *share) *int { return &sh.connections }, "sockets and streams")
}

// subscription counts a subscription until ctx ends or leave is called. The error is RATE_LIMITED.
func (s *shares) subscription(ctx context.Context, c engine.Caller) (leave func(), err error) {
	leave, err = s.count(c, func(sh *share) *int { return &sh.subscriptions }, "subscriptions")
	if err == nil {
		context.AfterFunc(ctx, leave)
	}
	return leave, err
}

// count adds one to a number of the caller's share until leave is called, unless it is at its limit.
func (s *shares) count(c engine.Caller, number func(*share) *int, what string) (leave func(), err error) {
	if c.Sources {
		return func() {}, nil
	}
	sh, release := s.hold(c)
	n := number(sh)
	s.mu.Lock()
	full := *n >= s.streams
	if !full {
		*n++
	}
	s.mu.Unlock()
	if full {
		release()
		return nil, graph.Errorf(graph.CodeRateLimited, "%d %s are open for you already; close one", s.streams, what)
	}
	return sync.OnceFunc(func() {
		s.mu.Lock()
		*n--
		s.mu.Unlock()
		release()
	}), nil
}

// query waits until fewer queries than the limit of the caller run, and counts one until leave is
// called. The error is RATE_LIMITED.
func (s *shares) query(ctx context.Context, c engine.Caller) (leave func(), err error) {
	if c.Sources {
		return func() {}, nil
	}
	sh, release := s.hold(c)
	if !s.enter(ctx, sh) {
		release()
		after := wholeSeconds(s.wait)
		return nil, &retryLater{graph.Errorf(graph.CodeRateLimited, "%d queries are running for you already; retry in %d s", s.queries, after), after}
	}
	return sync.OnceFunc(func() { <-sh.queries; release() }), nil
}

func (s *shares) ExtensionName() string                   { return "Shares" }
func (s *shares) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation lets a query wait until fewer than the limit of its principal run, and refuses a
// subscription beyond the limit.
func (s *shares) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	var leave func()
	var err error
	kind := graphql.GetOperationContext(ctx).Operation.Operation
	switch kind {
	case ast.Query:
		leave, err = s.query(ctx, caller(ctx))
	case ast.Subscription:
		leave, err = s.subscription(ctx, caller(ctx))
	default:
		return next(ctx)
	}
	if err != nil {
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{s.present(ctx, err)}})
	}
	respond := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		if kind == ast.Query {
			defer leave() // also after a panic; the context of a subscription ends then
		}
		r := respond(ctx)
		if r == nil {
			leave()
		}
		return r
	}
}

// enter waits until fewer queries than the limit run in a share; false: it took too long.
func (s *shares) enter(ctx context.Context, sh *share) bool {
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case sh.queries <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
