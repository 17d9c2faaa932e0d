package resolvers

import (
	"context"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
)

// neverLate is how many operations of a lane may be under way before any is refused.
const neverLate = 16

// admission refuses operations at once that would have to wait longer than they may: who
// is refused can ask again or elsewhere, who waits in vain keeps others waiting. It
// counts queries of the server, and mutations of a tenant by what they do, since these wait for
// each other: decisions about one subject are serial, what is remembered is committed
// together, so each has a pace of its own. It is a gqlgen extension.
type admission struct {
	most time.Duration    // that a mutation may have to wait, a query half of it
	now  func() time.Time // a clock for durations

	mu     sync.Mutex
	queues map[laneKey]*lane
}

// laneKey names a lane: a tenant and the first field of a mutation. The zero value is that
// of all queries.
type laneKey struct {
	tenant graph.Tenant
	verb   string
}

// lane is operations that wait for each other. By Little's law who comes now waits as long
// as those under way take to end, one at a time as they do lately.
type lane struct {
	under int       // way
	since []*under  // those under way in the order in which they began, and some that ended
	ended time.Time // when the last one did, or when the first of those under way began
	pace  float64   // seconds from one end to the next while there was something to do, averaged
}

// under is an operation under way.
type under struct {
	began time.Time
	ended bool
}

// lately is the weight of one operation in the pace of a lane.
const lately = 1.0 / 32

func newAdmission(most time.Duration, now func() time.Time) *admission {
	return &admission{most: most, now: now, queues: map[laneKey]*lane{}}
}

// begin takes note of an operation.
func (l *lane) begin(now time.Time) *under {
	if l.under == 0 {
		l.ended = now
	}
	l.under++
	u := &under{began: now}
	l.since = append(l.since, u)
	return u
}

// end takes note of the end of one.
func (l *lane) end(u *under, now time.Time) {
	u.ended = true
	l.under--
	l.pace += lately * (now.Sub(l.ended).Seconds() - l.pace)
	l.ended = now
	for len(l.since) > 0 && l.since[0].ended {
		l.since = l.since[1:]
	}
}

// wait is how long an operation that comes now has to wait. It is taken for long only
// where one of those before it is seen to wait: many that come at once may be served at once.
func (l *lane) wait(now time.Time, most time.Duration) time.Duration {
	if l.under < neverLate || now.Sub(l.since[0].began) < most/8 {
		return 0
	}
	pace := l.pace
	if silent := now.Sub(l.ended); silent > most/2 {
		pace = max(pace, silent.Seconds())
	}
	return time.Duration(float64(l.under) * pace * float64(time.Second))
}

func (a *admission) ExtensionName() string                   { return "Admission" }
func (a *admission) Validate(graphql.ExecutableSchema) error { return nil }

// of names the lane of an operation; false where it waits for none.
func (a *admission) of(ctx context.Context, oc *graphql.OperationContext) (laneKey, bool) {
	c, err := caller(ctx)
	switch {
	case err != nil, oc.Operation == nil, oc.Operation.Operation == ast.Subscription, mayTakeLong(oc):
		return laneKey{}, false
	case oc.Operation.Operation == ast.Mutation:
		key := laneKey{tenant: c.Tenant}
		if f, ok := oc.Operation.SelectionSet[0].(*ast.Field); ok {
			key.verb = f.Name
		}
		return key, true
	}
	return laneKey{}, true
}

// MutateOperationContext refuses an operation that would come too late.
func (a *admission) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	name, counts := a.of(ctx, oc)
	if !counts {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.queues[name]
	if l == nil {
		return nil
	}
	most := a.most
	if name == (laneKey{}) {
		most /= 2
	}
	wait := l.wait(a.now(), most)
	if wait <= most {
		return nil
	}
	after := wholeSeconds(min(wait-most/2, 4*most))
	late := gqlerror.Wrap(&throttled{graph.Errorf(graph.CodeRateLimited, "%d operations are under way and this one would wait for too long: ask again in %d s", l.under, after), after})
	late.Extensions = map[string]any{"code": string(graph.CodeRateLimited), "retryAfter": after} // before anything presents it
	return late
}

// InterceptOperation counts an operation as long as it is under way.
func (a *admission) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	name, counts := a.of(ctx, graphql.GetOperationContext(ctx))
	if !counts {
		return next(ctx)
	}
	u := a.begin(name)
	respond := next(ctx)
	var once sync.Once
	return func(ctx context.Context) *graphql.Response {
		defer once.Do(func() { a.end(name, u) })
		return respond(ctx)
	}
}

func (a *admission) begin(name laneKey) *under {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.queues[name]
	if l == nil {
		l = &lane{}
		a.queues[name] = l
	}
	return l.begin(a.now())
}

func (a *admission) end(name laneKey, u *under) {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.queues[name]
	l.end(u, a.now())
	if l.under == 0 && len(a.queues) > lanesKept {
		delete(a.queues, name)
	}
}

// lanesKept is how many paces are remembered of tenants that write nothing.
const lanesKept = 1000
