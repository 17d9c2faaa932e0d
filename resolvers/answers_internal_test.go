package resolvers

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// Without room an answer is refused. That of a mutation says that it was carried out, and is not RATE_LIMITED: it would be repeated.
func TestAnswersWithoutRoomAreRefused(t *testing.T) {
	x := newAnswers(Limits{Answer: 4 << 20, Answers: 4 << 20}, time.Second, nil)
	if _, ok := x.large.TryEnter(places.Principal{}, 8); !ok {
		t.Fatal("there is no room at first")
	}
	for kind, want := range map[ast.Operation]graph.Code{ast.Query: graph.CodeRateLimited, ast.Mutation: graph.CodeLimitExceeded} {
		a := &answer{of: x, kind: kind, most: x.most, granted: answerStep}
		_ = a.grow(3 << 20)
		if graph.CodeOf(a.err) != want || len(a.leaves) > 0 || strings.Contains(a.err.Error(), "was carried out") != (kind == ast.Mutation) {
			t.Errorf("of a %s: %v, %d places", kind, a.err, len(a.leaves))
		}
	}
}

// However little memory there is, a principal leaves room to another one of its tenant, and a tenant to another one.
func TestLargeAnswersLeaveRoomForOthers(t *testing.T) {
	for _, l := range []Limits{{Answer: 32 << 20, Bulk: 40 << 20, Answers: 64 << 20}, {Answer: 32 << 20, Bulk: 40 << 20, Answers: 288 << 20}} {
		x := newAnswers(l, time.Second, nil)
		fill := func(who places.Principal) (n int64) {
			for {
				if _, ok := x.large.TryEnter(who, 1); !ok {
					return n
				}
				n++
			}
		}
		one, other, foreign := fill(places.Principal{Tenant: "acme", Name: "ana"}), fill(places.Principal{Tenant: "acme", Name: "bo"}), fill(places.Principal{Tenant: "beta", Name: "di"})
		if one < x.batch/answerStep || one < 32 || other < 16 || foreign < 16 {
			t.Errorf("of %d MiB, with %d for a mutation: %d for one, %d for another of its tenant, %d for another tenant", l.Answers>>20, x.batch>>20, one, other, foreign)
		}
	}
}

// The size of a value is what it has in JSON, or a little less.
func TestSizesOfValues(t *testing.T) {
	text := "a \"b\" \\ \n \x00 é"
	raw := json.RawMessage(`"a"`)
	for _, v := range []any{text, &text, []string{text, "b"}, map[string]any{"key": text, "n": 7}, []float64{1, 2}, 3, true, gql.EffortFast, []any{nil, text}, json.RawMessage(`{"key":[1,2]}`), &raw} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if n := textSize(v); n > len(data) || n < len(data)-8 {
			t.Errorf("%s has %d bytes, and %d were counted", data, len(data), n)
		}
	}
	for _, v := range []any{[]*gql.Memory{{Content: &text}}, &gql.Memory{Content: &text}, (*gql.Memory)(nil), (*string)(nil), nil} {
		if n := textSize(v); n > 1 {
			t.Errorf("%T counts %d bytes beside its fields", v, n)
		}
	}
}

// The events of a principal are read one after the other. One whose stream has ended takes no turn, and gives none back.
func TestEventsTakeTurns(t *testing.T) {
	of := make(chan struct{}, 1)
	first, second, third := &eventTurn{of: of}, &eventTurn{of: of}, &eventTurn{of: of}
	ended, end := context.WithCancel(t.Context())
	end()
	first.enter(t.Context())
	first.enter(t.Context()) // another field of it
	second.enter(ended)
	second.leave()
	if !first.taken || second.taken || len(of) != 1 {
		t.Fatalf("the first has its turn: %v, the second, whose stream has ended: %v, %d turns are taken", first.taken, second.taken, len(of))
	}
	first.leave()
	third.enter(t.Context())
	if !third.taken {
		t.Error("the third has no turn after the first has ended")
	}
	third.leave()
	if len(of) != 0 {
		t.Error("a turn was not given back")
	}
	free := &eventTurn{} // without authentication
	free.enter(t.Context())
	free.leave()
}

// What the mutations of a principal answer is read one after the other if it is wide. They are carried out without a turn.
func TestWideAnswersOfMutationsTakeTurns(t *testing.T) {
	schema := executableSchema(&resolverRoot{}).Schema()
	of := make(chan struct{}, 1)
	for query, want := range map[string]int{
		`mutation { feedback(query: "tea", id: "1", outcome: USED) { id content entities { name } } }`:                        0,
		`mutation { feedback(query: "tea", id: "1", outcome: USED) { id document { memories(first: 90) { id salience } } } }`: 1,
	} {
		doc, failed := gqlparser.LoadQueryWithRules(schema, query, nil)
		if failed != nil {
			t.Fatal(failed)
		}
		ctx := graphql.WithOperationContext(context.WithValue(t.Context(), callerKey{}, engine.Loopback()), &graphql.OperationContext{Doc: doc, Operation: doc.Operations[0]})
		x := newAnswers(Limits{Answer: 4 << 20, Answers: 4 << 20, Bulk: 1 << 20}, time.Second, nil)
		read := func(ctx context.Context, object string) int {
			ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: object, IsResolver: true})
			if _, err := x.InterceptField(ctx, func(context.Context) (any, error) { return 1, nil }); err != nil {
				t.Error(err)
			}
			return len(of)
		}
		respond := x.InterceptOperation(ctx, func(inner context.Context) graphql.ResponseHandler {
			inner = context.WithValue(inner, turnKey{}, of)
			return func(context.Context) *graphql.Response {
				for range 2 { // root fields
					x.InterceptRootField(inner, func(ctx context.Context) graphql.Marshaler {
						if n := read(ctx, "Mutation"); n != 0 {
							t.Errorf("%s: %d turns are taken while it is carried out", query, n)
						}
						if n := read(ctx, "Memory"); n != want {
							t.Errorf("%s: %d turns are taken while its answer is read, want %d", query, n, want)
						}
						return graphql.Null
					})
				}
				return &graphql.Response{}
			}
		})
		respond(ctx)
		if len(of) != 0 {
			t.Errorf("%s: the turn was not given back", query)
		}
	}
}
