package webhooks

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
)

func TestURLs(t *testing.T) {
	for _, c := range []struct {
		url     string
		private bool
		why     string
	}{
		{"https://app.example/memory?x=1", false, ""},
		{"http://app.example", false, "webhooks.allow-private"},
		{"http://127.0.0.1:9000", true, ""},
		{"https://127.0.0.1", false, "private"},
		{"https://[::ffff:10.0.0.1]/", false, "private"},
		{"https://localhost/", false, "webhooks.allow-private"},
		{"https://localhost/", true, ""},
		{"https://0x7f000001/", false, "usual form"},
		{"https://2130706433/", false, "usual form"},
		{"https://127.1/", false, "usual form"},
		{"https://[::1]/", false, "webhooks.allow-private"},
		{"ftp://app.example", true, "https"},
		{"https://", true, "https"},
		{"app.example", true, "https"},
		{"https://name:word@app.example", true, "password"},
		{"https://app.example/#part", true, "fragment"},
	} {
		err := New(c.private).Check(c.url)
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", c.url, err)
		}
	}
}

func request(url string) engine.WebhookRequest {
	return engine.WebhookRequest{URL: url, ID: "msg_1", At: time.Unix(1700000000, 0), Signature: "v1,x", Body: []byte(`{"type":"fact.stated"}`)}
}

func TestARequestHasTheHeadersOfStandardWebhooks(t *testing.T) {
	var got http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer s.Close()
	a, err := New(true).Send(t.Context(), request(s.URL))
	if err != nil || a.Status != 503 || a.RetryAfter != 7*time.Second {
		t.Fatalf("%+v, %v", a, err)
	}
	for name, want := range map[string]string{"webhook-id": "msg_1", "webhook-timestamp": "1700000000", "webhook-signature": "v1,x", "Content-Type": "application/json"} {
		if got.Get(name) != want {
			t.Errorf("%s = %q", name, got.Get(name))
		}
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	hits := 0
	target := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	defer target.Close()
	s := httptest.NewServer(http.RedirectHandler(target.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	a, err := New(true).Send(t.Context(), request(s.URL))
	if err != nil || a.Status != http.StatusTemporaryRedirect || hits != 0 {
		t.Errorf("%+v, %v, %d requests at the target", a, err, hits)
	}
}

func TestAPrivateAddressIsRefusedAfterItsNameWasResolved(t *testing.T) {
	hits := 0
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits++ }))
	defer s.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	for _, host := range []string{"127.0.0.1", "localhost"} {
		_, err := New(false).Send(t.Context(), request("http://"+host+":"+port+"/hidden"))
		if err == nil || hits != 0 || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v, %d requests", host, err, hits)
		}
	}
}

func TestASilentEndpointIsLeftAtTheDeadline(t *testing.T) {
	done := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-done:
		}
	}))
	defer s.Close()
	defer close(done)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := New(true).Send(ctx, request(s.URL+"/hidden")); err == nil || err.Error() != "the endpoint did not answer in time" {
		t.Errorf("err = %v", err)
	}
}
