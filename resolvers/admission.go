package resolvers

import (
	"context"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/limit"
)

// alwaysAdmitted is the number of concurrent operations of a lane below which none is refused.
const alwaysAdmitted = 16

// admission refuses an operation at once if it would have to wait too long: the client can
// retry or use another server, and the operation does not delay others. It has one lane for the
// queries of each principal, which take turns with those of others, and one for each tenant and kind of mutation. Mutations of one kind
// wait for each other and have a common rate: decisions about one subject are serial, memories
// are committed in groups. It is a gqlgen extension.
type admission struct {
	maxWait time.Duration    // maximum wait of a mutation; of a query half of it
	now     func() time.Time // a clock for durations

	mu    sync.Mutex
	lanes map[laneKey]*lane
}

// laneKey identifies a lane: a tenant and the first field of a mutation, or a tenant and the
// principal of queries.
type laneKey struct {
	tenant    graph.Tenant
	verb      string // empty: queries
	principal string // of queries
}

// lane is a set of operations that wait for each other. By Little's law a new operation waits
// for the number of active ones times the recent interval between completions.
type lane struct {
	active   int                // number of running operations
	started  []*activeOperation // operations in order of start; the first one is running
	lastEnd  time.Time          // time of the last completion, or of the start of the first running operation
	interval float64            // moving average of the seconds between completions while operations were running
}

// activeOperation is a running operation.
type activeOperation struct {
	began time.Time
	ended bool
}

// intervalWeight is the weight of one operation in the moving average.
const intervalWeight = 1.0 / 32

func newAdmission(maxWait time.Duration, now func() time.Time) *admission {
	return &admission{maxWait: maxWait, now: now, lanes: map[laneKey]*lane{}}
}

// begin records the start of an operation.
func (l *lane) begin(now time.Time) *activeOperation {
	if l.active == 0 {
		l.lastEnd = now
	}
	l.active++
	u := &activeOperation{began: now}
	l.started = append(l.started, u)
	return u
}

// end records the end of an operation.
func (l *lane) end(op *activeOperation, now time.Time) {
	op.ended = true
	l.active--
	l.interval += intervalWeight * (now.Sub(l.lastEnd).Seconds() - l.interval)
	l.lastEnd = now
	for len(l.started) > 0 && l.started[0].ended {
		l.started = l.started[1:]
	}
}

// estimatedWait is the expected wait of a new operation. It is 0 unless an earlier operation is
// actually waiting, because many that arrive together may be served together.
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

// laneOf returns the lane of an operation; false if it is not subject to admission.
func (a *admission) laneOf(ctx context.Context, oc *graphql.OperationContext) (laneKey, bool) {
	switch {
	case oc.Operation == nil, oc.Operation.Operation == ast.Subscription, isLongRunning(oc):
		return laneKey{}, false
	case oc.Operation.Operation == ast.Mutation:
		fields := limit.RootFields(oc.Operation)
		if len(fields) == 0 {
			return laneKey{}, false
		}
		return laneKey{tenant: caller(ctx).Tenant, verb: fields[0].Name}, true
	}
	c := caller(ctx)
	return laneKey{tenant: c.Tenant, principal: c.Name}, true
}

// MutateOperationContext refuses an operation whose expected wait is too long.
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
	if name.verb == "" {
		maxWait /= 2
	}
	wait := l.estimatedWait(a.now(), maxWait)
	if wait <= maxWait {
		return nil
	}
	after := wholeSeconds(min(wait-maxWait/2, 4*maxWait))
	limited := gqlerror.Wrap(&retryLater{graph.Errorf(graph.CodeRateLimited, "%d operations are running and this one would wait too long; retry in %d s", l.active, after), after})
	limited.Extensions = map[string]any{"code": string(graph.CodeRateLimited), "retryAfter": after} // set before the error is presented
	return limited
}

// InterceptOperation counts an operation as active while it runs. A mutation is active while its root fields are carried out: what is read for its
// answer keeps no other mutation waiting.
func (a *admission) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	name, counts := a.laneOf(ctx, graphql.GetOperationContext(ctx))
	if !counts {
		return next(ctx)
	}
	run := &running{of: a, key: name, op: a.begin(name)}
	if name.verb != "" {
		ctx = context.WithValue(ctx, runningKey{}, run)
	}
	respond := next(ctx)
	return func(ctx context.Context) *graphql.Response {
		defer run.end()
		return respond(ctx)
	}
}

// running is an operation of a lane. The root fields of a mutation run one after the other.
type running struct {
	of  *admission
	key laneKey
	op  *activeOperation // nil: it has ended, or it is between two root fields
}

type runningKey struct{}

func (r *running) begin() {
	if r.op == nil {
		r.op = r.of.begin(r.key)
	}
}

func (r *running) end() {
	if r.op != nil {
		r.of.end(r.key, r.op)
		r.op = nil
	}
}

// InterceptField counts a mutation as active while a root field is carried out, and not while what it answers is read.
func (a *admission) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	if fc := graphql.GetFieldContext(ctx); fc.IsResolver && fc.Object == "Mutation" {
		if run, ok := ctx.Value(runningKey{}).(*running); ok {
			run.begin()
			defer run.end()
		}
	}
	return next(ctx)
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

// maxLanes is the number of lanes above which idle ones are removed.
const maxLanes = 1000
