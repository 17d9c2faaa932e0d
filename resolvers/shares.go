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
// wait for earlier ones of their principal, streams are refused. Callers without authentication are
// not limited. It is a gqlgen extension and safe for concurrent use.
type shares struct {
	queries, streams int
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

// share is what one principal runs.
type share struct {
	queries chan struct{} // one element per running query
	streams int
	holders int // streams, and queries that run or wait; at 0 the share is removed
}

func newShares(queries, streams int, wait time.Duration, present graphql.ErrorPresenterFunc) *shares {
	return &shares{queries: queries, streams: streams, wait: wait, present: present, used: map[principal]*share{}}
}

// hold returns the share of a principal, to be released.
func (s *shares) hold(c engine.Caller) (sh *share, release func()) {
	p := principal{c.Tenant, c.Name}
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

// stream counts a WebSocket or an event stream until ctx ends. The error is RATE_LIMITED.
func (s *shares) stream(ctx context.Context, c engine.Caller) error {
	if c.Sources {
		return nil
	}
	sh, release := s.hold(c)
	s.mu.Lock()
	full := sh.streams >= s.streams
	if !full {
		sh.streams++
	}
	s.mu.Unlock()
	if full {
		release()
		return graph.Errorf(graph.CodeRateLimited, "%d sockets and streams are open for you already; close one", s.streams)
	}
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		sh.streams--
		s.mu.Unlock()
		release()
	})
	return nil
}

func (s *shares) ExtensionName() string                   { return "Shares" }
func (s *shares) Validate(graphql.ExecutableSchema) error { return nil }

// InterceptOperation lets a query wait until fewer than the limit of its principal run.
func (s *shares) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	c := caller(ctx)
	if graphql.GetOperationContext(ctx).Operation.Operation != ast.Query || c.Sources {
		return next(ctx)
	}
	sh, release := s.hold(c)
	if !s.enter(ctx, sh) {
		release()
		after := wholeSeconds(s.wait)
		err := &retryLater{graph.Errorf(graph.CodeRateLimited, "%d queries are running for you already; retry in %d s", s.queries, after), after}
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{s.present(ctx, err)}})
	}
	respond := next(ctx)
	var once sync.Once
	return func(ctx context.Context) *graphql.Response {
		defer once.Do(func() { <-sh.queries; release() })
		return respond(ctx)
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
