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
	"github.com/somnograph/somnograph/resolvers/internal/sending"
)

// shares limits what each principal runs at once, so that one principal leaves room for others. Queries and mutations wait for
// earlier ones of their principal, and also for those whose answers are large and not sent. Subscriptions, sockets and event
// streams beyond the limit are refused. Callers without authentication are not limited. It is a gqlgen extension and safe for
// concurrent use.
type shares struct {
	queries, streams int           // streams: of subscriptions, of connections, and of mutations
	answers          int64         // bytes of answers that are not sent, beyond which queries and mutations are counted until theirs is
	wait             time.Duration // maximum wait of a query or a mutation
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
	queries       chan struct{} // one element per query that is counted
	mutations     chan struct{} // one element per mutation that is counted
	events        chan struct{} // one element while an event of a subscription is read
	results       chan struct{} // one element while what a mutation answers is read
	answers       int64         // bytes of answers that are not sent
	subscriptions int
	connections   int // WebSockets and event streams
	holders       int // what is counted, and queries that wait; at 0 the share is removed
}

func newShares(l Limits, wait time.Duration, present graphql.ErrorPresenterFunc) *shares {
	return &shares{queries: l.PrincipalQueries, streams: l.PrincipalStreams, answers: l.PrincipalAnswers, wait: wait, present: present, used: map[principal]*share{}}
}

// hold returns the share of a principal, to be released.
func (s *shares) hold(c engine.Caller) (sh *share, release func()) {
	p := principalOf(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh = s.used[p]; sh == nil {
		sh = &share{queries: make(chan struct{}, s.queries), mutations: make(chan struct{}, s.streams), events: make(chan struct{}, 1), results: make(chan struct{}, 1)}
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

type turnKey struct{}

// withTurn returns a context with the place where the events of a principal, or the answers of its mutations, take turns while they are read. There
// is none without authentication. The caller must hold a subscription or a mutation.
func (s *shares) withTurn(ctx context.Context, c engine.Caller, of func(*share) chan struct{}) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sh := s.used[principalOf(c)]; sh != nil && !c.Sources {
		return context.WithValue(ctx, turnKey{}, of(sh))
	}
	return ctx
}

// turnOf is that of the subscription or the mutation in a context.
func turnOf(ctx context.Context) chan struct{} {
	turn, _ := ctx.Value(turnKey{}).(chan struct{})
	return turn
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
// called with the size of its answer; beyond the limit of answers it is counted until that was sent. The error is RATE_LIMITED.
func (s *shares) query(ctx context.Context, c engine.Caller) (leave func(answer int), err error) {
	return s.run(ctx, c, func(sh *share) chan struct{} { return sh.queries }, "queries")
}

// mutation is query for mutations. The error is RATE_LIMITED, and the mutation is not carried out.
func (s *shares) mutation(ctx context.Context, c engine.Caller) (leave func(answer int), err error) {
	return s.run(ctx, c, func(sh *share) chan struct{} { return sh.mutations }, "mutations")
}

// run is query for the operations that running counts.
func (s *shares) run(ctx context.Context, c engine.Caller, running func(*share) chan struct{}, what string) (leave func(answer int), err error) {
	if c.Sources {
		return func(int) {}, nil
	}
	sh, release := s.hold(c)
	counting := running(sh)
	if !s.enter(ctx, counting) {
		release()
		after := wholeSeconds(s.wait)
		return nil, &retryLater{graph.Errorf(graph.CodeRateLimited, "%d %s are running for you already, or their answers are not read; retry in %d s", cap(counting), what, after), after}
	}
	var once sync.Once
	return func(answer int) {
		once.Do(func() {
			counted := s.unsent(sh, int64(answer)) > s.answers
			if !counted {
				<-counting
			}
			sending.After(ctx, func() {
				s.unsent(sh, -int64(answer))
				if counted {
					<-counting
				}
				release()
			})
		})
	}, nil
}

// unsent adds to the bytes of answers that are not sent, and returns how many there are.
func (s *shares) unsent(sh *share, bytes int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh.answers += bytes
	return sh.answers
}

func (s *shares) ExtensionName() string                   { return "Shares" }
func (s *shares) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation lets a query or a mutation wait until fewer than the limit of its principal run, and refuses a
// subscription beyond the limit.
func (s *shares) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	switch graphql.GetOperationContext(ctx).Operation.Operation {
	case ast.Query:
		return s.intercept(ctx, next, s.query)
	case ast.Mutation:
		return s.intercept(ctx, next, s.mutation)
	case ast.Subscription:
		leave, err := s.subscription(ctx, caller(ctx))
		if err != nil {
			return s.refuse(ctx, err)
		}
		c := caller(ctx)
		respond := next(ctx)
		return func(ctx context.Context) *graphql.Response {
			r := respond(s.withTurn(ctx, c, func(sh *share) chan struct{} { return sh.events }))
			if r == nil {
				leave()
			}
			return r
		}
	}
	return next(ctx)
}

func (s *shares) refuse(ctx context.Context, err error) graphql.ResponseHandler {
	return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{s.present(ctx, err)}})
}

// intercept counts a query or a mutation with enter. On a WebSocket its answer was sent when the next one is asked for; there the request lasts as
// long as the socket.
func (s *shares) intercept(ctx context.Context, next graphql.OperationHandler, enter func(context.Context, engine.Caller) (func(answer int), error)) graphql.ResponseHandler {
	ctx, sent := sending.Begin(ctx)
	leave, err := enter(ctx, caller(ctx))
	if err != nil {
		return s.refuse(ctx, err)
	}
	respond := next(ctx)
	answered := false
	return func(ctx context.Context) *graphql.Response {
		if answered {
			sent()
			return respond(ctx)
		}
		answered = true
		var r *graphql.Response
		defer func() {
			if r == nil { // also after a panic: there is no next one
				leave(0)
				sent()
			}
		}()
		if r = respond(s.withTurn(ctx, caller(ctx), func(sh *share) chan struct{} { return sh.results })); r != nil {
			leave(len(r.Data))
		}
		return r
	}
}

// enter waits until fewer operations than the limit run; false: it took too long.
func (s *shares) enter(ctx context.Context, running chan struct{}) bool {
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case running <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
