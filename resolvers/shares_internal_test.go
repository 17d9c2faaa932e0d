package resolvers

import (
	"context"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/internal/sending"
)

// A query on a WebSocket that panics gives its place back, also while large answers of its principal are not sent.
func TestAQueryThatPanicsGivesItsPlaceBack(t *testing.T) {
	s := newShares(Limits{PrincipalQueries: 2, PrincipalAnswers: 10}, time.Second, nil)
	c := engine.Caller{Tenant: "default", Name: "ana"}
	ctx, sent := sending.Begin(t.Context())
	leave, err := s.query(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	leave(100)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		respond := s.intercept(withCaller(t.Context(), c), func(context.Context) graphql.ResponseHandler {
			return func(context.Context) *graphql.Response { panic("no answer") }
		}, s.query)
		respond(t.Context())
	}()
	sent()
	if len(s.used) != 0 {
		t.Errorf("%d queries of %s still count", len(s.used[principalOf(c)].queries), c.Name)
	}
}
