package webhooks

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
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
		err := New(c.private, names{}).Check(t.Context(), c.url)
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v", c.url, err)
		}
	}
}

// names is a resolver of some names. Others are not found.
type names map[string][]string

func (n names) LookupNetIP(_ context.Context, network, host string) (found []netip.Addr, err error) {
	for _, a := range n[host] {
		found = append(found, netip.MustParseAddr(a))
	}
	if network != "ip" || len(found) == 0 {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return found, nil
}

// A name that leads to an address of a private network is refused when the webhook is made, a name that
// leads nowhere yet is not.
func TestNamesOfPrivateAddressesAreRefused(t *testing.T) {
	resolver := names{
		"public.example": {"93.184.216.34", "2606:2800:220:1::1"}, "inside.example": {"10.1.2.3"}, "mixed.example": {"93.184.216.34", "::1"},
		"metadata.example": {"169.254.169.254"}, "mapped.example": {"::ffff:127.0.0.1"},
	}
	for host, refused := range map[string]bool{
		"public.example": false, "later.example": false, "inside.example": true, "mixed.example": true, "metadata.example": true, "mapped.example": true,
	} {
		err := New(false, resolver).Check(t.Context(), "https://"+host+"/memory")
		if refused != (err != nil) || err != nil && (!strings.Contains(err.Error(), "webhooks.allow-private") || strings.Contains(err.Error(), "10.1.2.3")) {
			t.Errorf("%s: %v", host, err)
		}
		if err := New(true, resolver).Check(t.Context(), "https://"+host+"/memory"); err != nil {
			t.Errorf("%s, allowed: %v", host, err)
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
	a, err := New(true, net.DefaultResolver).Send(t.Context(), request(s.URL))
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
	a, err := New(true, net.DefaultResolver).Send(t.Context(), request(s.URL))
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
		_, err := New(false, net.DefaultResolver).Send(t.Context(), request("http://"+host+":"+port+"/hidden"))
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
	if _, err := New(true, net.DefaultResolver).Send(ctx, request(s.URL+"/hidden")); err == nil || err.Error() != "the endpoint did not answer in time" {
		t.Errorf("err = %v", err)
	}
}
