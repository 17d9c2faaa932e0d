package mcp_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// From the end of a credential on, its subscription tells nothing. It ends with the next change.
func TestASubscriptionTellsNothingAfterTheEndOfItsCredential(t *testing.T) {
	var expired atomic.Bool
	streams := make(chan context.Context, 1)
	s := start(t, func(c *mcp.Config) {
		c.Expired = func(engine.Caller) bool { return expired.Load() }
		c.EnterSubscription = func(ctx context.Context, _ engine.Caller) error {
			streams <- ctx
			return nil
		}
	})
	changed := make(chan string, 8)
	c := s.connect("/mcp", &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { changed <- r.Params.URI },
	})
	first := id(t, c.ok("remember", object{"text": "The spare key is in the blue box."}))
	second := id(t, c.ok("remember", object{"text": "Lina teaches sailing on Mondays."}))
	if err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "somnograph://memory/" + first}); err != nil {
		t.Fatal(err)
	}
	stream := <-streams
	if err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: "somnograph://memory/" + second}); err != nil {
		t.Fatal(err)
	}
	other := <-streams
	c.ok("correct", object{"id": first, "text": "The spare key is in the red box."})
	<-changed
	expired.Store(true)
	c.ok("correct", object{"id": second, "text": "Lina teaches sailing on Tuesdays."})
	for _, ctx := range []context.Context{stream, other} {
		select {
		case <-ctx.Done():
		case uri := <-changed:
			t.Fatalf("after the end the subscription tells of %s", uri)
		case <-time.After(10 * time.Second):
			t.Fatal("the subscription does not end")
		}
	}
}
