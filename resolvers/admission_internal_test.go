package resolvers

import (
	"context"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/somnograph/somnograph/engine"
)

// simulate sends requests to a server that serves one at a time.
func simulate(t *testing.T, every, service time.Duration, n int) (refused int, longest time.Duration) {
	t.Helper()
	const most = 5 * time.Second
	l := &lane{}
	start := time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC)
	type op struct {
		*activeOperation
		ends time.Time
	}
	var ops []op
	free := start
	for i := range n {
		now := start.Add(time.Duration(i) * every)
		for len(ops) > 0 && !ops[0].ends.After(now) {
			l.end(ops[0].activeOperation, ops[0].ends)
			ops = ops[1:]
		}
		if l.estimatedWait(now, most) > most {
			refused++
			continue
		}
		u := l.begin(now)
		if free.Before(now) {
			free = now
		}
		free = free.Add(service)
		ops = append(ops, op{u, free})
		longest = max(longest, free.Sub(now))
	}
	return refused, longest
}

// No request is refused while the server keeps up. Beyond that, admitted requests are answered
// within the deadline and the server stays busy.
func TestRequestsThatWouldWaitTooLongAreRefused(t *testing.T) {
	for _, c := range []struct {
		name           string
		every, service time.Duration
		n              int
		from, to       int // refused
		longest        time.Duration
	}{
		{"half of what it can", 10 * time.Millisecond, 5 * time.Millisecond, 20_000, 0, 0, time.Second},
		{"a burst of 500", time.Microsecond, 5 * time.Millisecond, 500, 0, 0, 3 * time.Second},
		{"all it can", 5 * time.Millisecond, 5 * time.Millisecond, 20_000, 0, 0, time.Second},
		{"twice what it can, for 100 s", 5 * time.Millisecond, 10 * time.Millisecond, 20_000, 8000, 10_000, 8 * time.Second},
		{"ten times what it can, for 100 s", 5 * time.Millisecond, 50 * time.Millisecond, 20_000, 17_000, 18_500, 10 * time.Second},
	} {
		refused, longest := simulate(t, c.every, c.service, c.n)
		t.Logf("%s: %d of %d refused, the longest took %v", c.name, refused, c.n, longest)
		if refused < c.from || refused > c.to || longest > c.longest {
			t.Errorf("%s: want %d to %d refused and none longer than %v", c.name, c.from, c.to, c.longest)
		}
	}
}

// A server that completes nothing refuses new requests once many are waiting.
func TestStalledServerRefuses(t *testing.T) {
	l, now := &lane{}, time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC)
	for range alwaysAdmitted - 1 {
		l.begin(now)
	}
	now = now.Add(time.Minute)
	if w := l.estimatedWait(now, 5*time.Second); w != 0 {
		t.Errorf("with few running: %v", w)
	}
	l.begin(now)
	if w := l.estimatedWait(now, 5*time.Second); w < time.Minute {
		t.Errorf("with many running: %v", w)
	}
}

// A principal whose queries wait too long is refused; another one is not.
func TestQueriesOfOthersRefuseNobody(t *testing.T) {
	now := time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC)
	a := newAdmission(5*time.Second, func() time.Time { return now })
	query := &graphql.OperationContext{Operation: &ast.OperationDefinition{Operation: ast.Query}}
	of := func(name string) context.Context {
		return withCaller(t.Context(), engine.Caller{Tenant: "default", Name: name})
	}
	busy, _ := a.laneOf(of("busy"), query)
	for range 2 * alwaysAdmitted {
		a.begin(busy)
	}
	now = now.Add(time.Minute)
	if err := a.MutateOperationContext(of("busy"), query); err == nil {
		t.Error("a principal with many queries that stall is admitted")
	}
	if err := a.MutateOperationContext(of("calm"), query); err != nil {
		t.Errorf("another principal is refused: %v", err)
	}
}

// A mutation is active while a root field is carried out, and not while its answer is read, or that of the field before. One whose fields are skipped
// is active until it has its answer.
func TestAMutationIsActiveWhileItIsCarriedOut(t *testing.T) {
	doc, err := parser.ParseQuery(&ast.Source{Input: `mutation { a: remember { memory { id } } ... { b: remember { memory { id } } } }`})
	if err != nil {
		t.Fatal(err)
	}
	for _, fields := range []int{2, 0} {
		a := newAdmission(time.Second, time.Now)
		active := func() int { return a.lanes[laneKey{verb: "remember"}].active }
		field := func(ctx context.Context, object string, want int) {
			t.Helper()
			ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: object, IsResolver: true})
			_, err := a.InterceptField(ctx, func(context.Context) (any, error) {
				if active() != want {
					t.Errorf("%d are active while a field of %s is resolved, want %d", active(), object, want)
				}
				return nil, nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		ctx := graphql.WithOperationContext(context.WithValue(t.Context(), callerKey{}, engine.Caller{}), &graphql.OperationContext{Operation: doc.Operations[0]})
		respond := a.InterceptOperation(ctx, func(ctx context.Context) graphql.ResponseHandler {
			if active() != 1 {
				t.Errorf("%d are active at the beginning", active())
			}
			return func(context.Context) *graphql.Response {
				for range fields {
					field(ctx, "Mutation", 1)
					field(ctx, "Memory", 0)
				}
				return &graphql.Response{}
			}
		})
		respond(ctx)
		if active() != 0 {
			t.Errorf("%d are active at the end", active())
		}
	}
}
