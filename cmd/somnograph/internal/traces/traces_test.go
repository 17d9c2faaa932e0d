package traces

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// What a client puts into a request, its method, path, query and headers, is not in its span.
func TestSpansHoldNoTextOfARequest(t *testing.T) {
	var mu sync.Mutex
	var got []byte
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, body...)
	}))
	defer collector.Close()
	x, err := Open(t.Context(), Options{To: collector.URL, Version: "1", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	h := x.Handler("documents", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	r := httptest.NewRequest("ZQMETHOD", "http://zqhost.example/zqpath/x?q=zqquery", nil)
	for name, value := range map[string]string{
		"User-Agent": "zqagent/1", "Referer": "http://zqreferer.example", "X-Forwarded-For": "zqaddress", "X-Request-Id": "zqrequest", "Baggage": "user=zqbaggage",
		"Traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "Tracestate": "a=zqstate",
	} {
		r.Header.Set(name, value)
	}
	h.ServeHTTP(httptest.NewRecorder(), r)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !bytes.Contains(got, []byte("_OTHER documents")) || !bytes.Contains(got, []byte("http.route")) {
		t.Fatalf("no span of the route: %q", got)
	}
	if low := bytes.ToLower(got); bytes.Contains(low, []byte("zq")) {
		t.Errorf("%q", got)
	}
}
