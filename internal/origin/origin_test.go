package origin

import (
	"crypto/tls"
	"net/http"
	"testing"
)

func TestAllowed(t *testing.T) {
	list := append([]string{"https://app.example", "https://dev.example:8443/"}, Local...)
	for _, good := range []string{
		"https://app.example", "HTTPS://App.Example", "https://dev.example:8443", "http://localhost", "http://localhost:3000", "https://127.0.0.1:5173", "http://[::1]:1",
	} {
		if !Allowed(list, good) {
			t.Errorf("%s is refused", good)
		}
	}
	for _, bad := range []string{
		"", "null", "http://app.example", "https://app.example:444", "https://app.example.evil.example", "https://dev.example", "http://localhost.evil.example",
		"http://localhost:3000.evil.example", "http://localhost:", "http://localhost:x", "http://localhost:123456", "http://127.0.0.1.evil.example", "http://127.0.0.12:80",
	} {
		if Allowed(list, bad) {
			t.Errorf("%q is allowed", bad)
		}
	}
	if Allowed(nil, "http://localhost") {
		t.Error("an empty list allows")
	}
}

func TestOwn(t *testing.T) {
	plain, secure := &http.Request{Host: "127.0.0.1:8420"}, &http.Request{Host: "127.0.0.1:8420", TLS: &tls.ConnectionState{}}
	for origin, want := range map[string][2]bool{
		"http://127.0.0.1:8420": {true, false}, "https://127.0.0.1:8420": {true, true}, "http://127.0.0.1:3000": {}, "null": {}, "": {}, "file://127.0.0.1:8420": {},
	} {
		if got := [2]bool{Own(origin, plain), Own(origin, secure)}; got != want {
			t.Errorf("%q: %v, want %v", origin, got, want)
		}
	}
}

// Where a proxy adds TLS, a page without TLS of the same name is not the server's own: who is between the browser and the proxy can
// write such a page.
func TestAPageWithoutTLSIsNotOwnBehindAProxyWithTLS(t *testing.T) {
	r := &http.Request{Host: "memory.example", Header: http.Header{"X-Forwarded-Proto": {"https"}}}
	for origin, want := range map[string]bool{"https://memory.example": true, "http://memory.example": false} {
		if Own(origin, r) != want {
			t.Errorf("%s: %v", origin, !want)
		}
	}
	r.Header.Set("X-Forwarded-Proto", "http")
	if !Own("http://memory.example", r) {
		t.Error("without TLS at the proxy either, the page is refused")
	}
}
