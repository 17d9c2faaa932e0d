package webhook_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/webhook"
	"github.com/somnograph/somnograph/graph"
)

// overHTTP sends over HTTP, to whatever server, and waits for the answer as long as it takes.
type overHTTP struct{ *http.Client }

func (overHTTP) Check(context.Context, string) error { return nil }

func (s overHTTP) Send(ctx context.Context, q engine.WebhookRequest) (engine.WebhookAnswer, error) {
	req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPost, q.URL, bytes.NewReader(q.Body))
	if err != nil {
		return engine.WebhookAnswer{}, err
	}
	resp, err := s.Do(req)
	if err != nil {
		return engine.WebhookAnswer{}, err
	}
	return engine.WebhookAnswer{Status: resp.StatusCode}, resp.Body.Close()
}

// request is what the server got.
type request struct{ tenant, body string }

// crowd is a world in which several tenants have webhooks to one server.
type crowd struct {
	*enginetest.World
	url     string
	arrived chan request
	answer  map[string]chan struct{} // by slow tenant; receives one value for each request that is answered; closed: all are
}

func newCrowd(t *testing.T, slow ...string) *crowd {
	c := &crowd{arrived: make(chan request, 1000), answer: map[string]chan struct{}{}}
	for _, tenant := range slow {
		c.answer[tenant] = make(chan struct{})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tenant, _, _ := strings.Cut(r.URL.Path[1:], "/")
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		c.arrived <- request{tenant, string(body)}
		if answer := c.answer[tenant]; answer != nil {
			<-answer
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	c.url = server.URL
	c.World = enginetest.With(t, enginetest.Options{Webhooks: overHTTP{server.Client()}, Alarms: true})
	t.Cleanup(func() { // the world ends when everything is answered
		for _, answer := range c.answer {
			close(answer)
		}
	})
	return c
}

// states makes webhooks of a tenant, and then facts.
func (c *crowd) states(t *testing.T, tenant string, hooks, facts int) {
	t.Helper()
	caller := engine.Caller{Tenant: graph.Tenant(tenant), Name: tenant, Grant: 1, Admin: true}
	for i := range hooks {
		if _, _, err := c.CreateWebhook(t.Context(), caller, engine.WebhookInput{Content: true, URL: fmt.Sprintf("%s/%s/%d", c.url, tenant, i)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range facts {
		in := engine.RememberInput{Content: fmt.Sprintf("Box %d is on shelf %d.", i, i*7), Consent: graph.ConsentExplicit}
		if _, err := c.Engine.Remember(t.Context(), caller, in); err != nil {
			t.Fatal(err)
		}
	}
}

// next fails the test unless the next n requests are of a tenant.
func (c *crowd) next(t *testing.T, n int, want string) {
	t.Helper()
	for i := range n {
		if got := <-c.arrived; got.tenant != want {
			t.Fatalf("request %d of %d is of tenant %s, want %s", i+1, n, got.tenant, want)
		}
	}
}

// Slow endpoints of a tenant, as many as it may have, do not keep the messages of others from being sent.
func TestATenantWithSlowEndpointsLeavesPlacesForOthers(t *testing.T) {
	c := newCrowd(t, "slow")
	c.states(t, "slow", webhook.MaxEndpoints, 30)
	c.next(t, 4, "slow") // half of the places
	c.states(t, "quick", 1, 20)
	c.next(t, 20, "quick")
	c.answer["slow"] <- struct{}{}
	c.next(t, 1, "slow") // in the place that was given back
}

// Several tenants whose endpoints are all slow share the places. The next free one is that of the tenant that holds the fewest.
func TestTenantsWithSlowEndpointsShareThePlaces(t *testing.T) {
	c := newCrowd(t, "first", "second", "third", "fourth")
	for _, x := range []struct {
		tenant string
		places int
	}{{"first", 4}, {"second", 2}, {"third", 1}, {"fourth", 1}} {
		c.states(t, x.tenant, 8, 3)
		c.next(t, x.places, x.tenant)
	}
	c.states(t, "quick", 2, 10)
	c.answer["first"] <- struct{}{}
	c.next(t, 20, "quick")
	c.answer["first"] <- struct{}{}
	if got := <-c.arrived; got.tenant != "third" && got.tenant != "fourth" {
		t.Errorf("the place went to tenant %s, which holds more than the third and the fourth", got.tenant)
	}
}

// What is erased while a message about it waits for a place is not sent.
func TestAMessageIsMadeAfterTheWaitForAPlace(t *testing.T) {
	c := newCrowd(t, "slow")
	c.states(t, "slow", 5, 1)
	c.next(t, 4, "slow") // the fifth waits
	caller := engine.Caller{Tenant: "slow", Name: "slow", Grant: 1, Admin: true}
	if _, err := c.Forget(t.Context(), caller, engine.ForgetInput{Namespace: "default"}); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		c.answer["slow"] <- struct{}{}
	}
	for range 4 {
		if got := <-c.arrived; strings.Contains(got.body, "Box 0") {
			t.Errorf("sent after the erasure: %s", got.body)
		}
		c.answer["slow"] <- struct{}{}
	}
	if got := <-c.arrived; strings.Contains(got.body, "Box 0") {
		t.Errorf("sent after the erasure: %s", got.body)
	}
}
