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

// alwaysAdmitted is how many operations of a lane may be under way before any is refused.
const alwaysAdmitted = 16

// admission refuses operations at once that would have to wait longer than they may: who
// is refused can ask again or elsewhere, who waits in vain keeps others waiting. It
// counts queries of the server, and mutations of a tenant by what they do, since these wait for
// each other: decisions about one subject are serial, what is remembered is committed
// together, so each has a pace of its own. It is a gqlgen extension.
type admission struct {
	maxWait time.Duration    // that a mutation may have to wait, a query half of it
	now     func() time.Time // a clock for durations

	mu    sync.Mutex
	lanes map[laneKey]*lane
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
	active   int                // way
	started  []*activeOperation // those under way in the order in which they began, and some that ended
	lastEnd  time.Time          // when the last one did, or when the first of those under way began
	interval float64            // seconds from one end to the next while there was something to do, averaged
}

// under is an operation under way.
type activeOperation struct {
	began time.Time
	ended bool
}

// intervalWeight is the weight of one operation in the pace of a lane.
const intervalWeight = 1.0 / 32

func newAdmission(maxWait time.Duration, now func() time.Time) *admission {
	return &admission{maxWait: maxWait, now: now, lanes: map[laneKey]*lane{}}
}

// begin takes note of an operation.
func (l *lane) begin(now time.Time) *activeOperation {
	if l.active == 0 {
		l.lastEnd = now
	}
	l.active++
	u := &activeOperation{began: now}
	l.started = append(l.started, u)
	return u
}

// end takes note of the end of one.
func (l *lane) end(op *activeOperation, now time.Time) {
	op.ended = true
	l.active--
	l.interval += intervalWeight * (now.Sub(l.lastEnd).Seconds() - l.interval)
	l.lastEnd = now
	for len(l.started) > 0 && l.started[0].ended {
		l.started = l.started[1:]
	}
}

// estimatedWait is how long an operation that comes now has to wait. It is taken for long only
// where one of those before it is seen to wait: many that come at once may be served at once.
func (l *lane) estimatedWait(now time.Time, maxWait time.Duration) time.Duration {
	if l.active < alwaysAdmitted || now.Sub(l.started[0].began) < maxWait/8 {
		return 0
	}
	pace := l.interval
	if silent := now.Sub(l.lastEnd); silent > maxWait/2 {
		pace = max(pace, silent.Seconds())
	}
	return time.Duration(float64(l.active) * pace * float64(time.Second))
}

func (a *admission) ExtensionName() string                   { return "Admission" }
func (a *admission) Validate(graphql.ExecutableSchema) error { return nil }

// laneOf names the lane of an operation; false where it waits for none.
func (a *admission) laneOf(ctx context.Context, oc *graphql.OperationContext) (laneKey, bool) {
	c, err := caller(ctx)
	switch {
	case err != nil, oc.Operation == nil, oc.Operation.Operation == ast.Subscription, isLongRunning(oc):
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
	name, counts := a.laneOf(ctx, oc)
	if !counts {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.lanes[name]
	if l == nil {
		return nil
	}
	maxWait := a.maxWait
	if name == (laneKey{}) {
		maxWait /= 2
	}
	wait := l.estimatedWait(a.now(), maxWait)
	if wait <= maxWait {
		return nil
	}
	after := wholeSeconds(min(wait-maxWait/2, 4*maxWait))
	late := gqlerror.Wrap(&retryLater{graph.Errorf(graph.CodeRateLimited, "%d operations are under way and this one would wait for too long: ask again in %d s", l.active, after), after})
	late.Extensions = map[string]any{"code": string(graph.CodeRateLimited), "retryAfter": after} // before anything presents it
	return late
}

// InterceptOperation counts an operation as long as it is under way.
func (a *admission) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	name, counts := a.laneOf(ctx, graphql.GetOperationContext(ctx))
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

func (a *admission) begin(name laneKey) *activeOperation {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.lanes[name]
	if l == nil {
		l = &lane{}
		a.lanes[name] = l
	}
	return l.begin(a.now())
}

func (a *admission) end(name laneKey, u *activeOperation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	l := a.lanes[name]
	l.end(u, a.now())
	if l.active == 0 && len(a.lanes) > maxLanes {
		delete(a.lanes, name)
	}
}

// maxLanes is how many paces are remembered of tenants that write nothing.
const maxLanes = 1000
