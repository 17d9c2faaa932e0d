package httpd

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/somnograph/somnograph/graph"
)

var noon = time.Date(2026, 2, 19, 12, 0, 0, 0, time.UTC)

func fixed() time.Time { return noon }

func get(h http.Handler, target string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "127.0.0.1:8420"
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		} else {
			r.Header.Set(header[i], header[i+1])
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func ok(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

func TestTheGateFollowsTheLifeOfTheServer(t *testing.T) {
	g := NewGate("v1", fixed)
	var broken error
	expect := func(when, path string, status int, text string) {
		t.Helper()
		if w := get(g, path); w.Code != status || !strings.Contains(w.Body.String(), text) {
			t.Errorf("%s: %s = %d %q, want %d %q", when, path, w.Code, w.Body, status, text)
		}
	}
	expect("before", "/livez", 200, "ok")
	expect("before", "/readyz", 503, "starting")
	expect("before", "/graphql", 503, "starting")
	expect("before", "/healthz", 503, `"status":"starting"`)
	halted := false
	g.Open(http.HandlerFunc(ok), func(context.Context) error { return broken }, func() bool { return halted })
	expect("open", "/readyz", 200, "ready")
	expect("open", "/healthz", 200, `"version":"v1"`)
	expect("open", "/graphql", 200, "")
	expect("open", "/healthz", 200, `"writes":"allowed"`)
	halted = true
	expect("writes halted", "/readyz", 200, "ready")
	expect("writes halted", "/healthz", 200, `"writes":"halted"`)
	broken = errors.New("the disk at /secret/path is full")
	expect("broken", "/readyz", 503, "unavailable")
	expect("broken", "/healthz", 503, `"writes":"refused"`)
	expect("broken", "/livez", 200, "ok")
	for _, path := range []string{"/readyz", "/healthz"} {
		if w := get(g, path); strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s tells %q", path, w.Body)
		}
	}
	full := graph.Errorf(graph.CodeUnavailable, "the disk of the data directory is full: less than 256 MiB are free")
	full.Cause = broken
	broken = full
	expect("full", "/readyz", 503, "unavailable: "+full.Message+"\n")
	expect("full", "/healthz", 503, `"reason":"`+full.Message+`"`)
	expect("full", "/healthz", 503, `"status":"unavailable"`)
	for _, path := range []string{"/readyz", "/healthz"} {
		if w := get(g, path); strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s tells %q", path, w.Body)
		}
	}
	broken = graph.FieldError(graph.CodeInternal, "secret", "what only the log may say")
	expect("another error", "/readyz", 503, "unavailable\n")
	broken = nil
	g.Drain()
	expect("ending", "/readyz", 503, "ending")
	expect("ending", "/livez", 200, "ok")
	expect("ending", "/graphql", 200, "")
}

func TestTheGuard(t *testing.T) {
	g := Guard(http.HandlerFunc(ok), []string{"http://127.0.0.1:5173"})
	for _, x := range []struct {
		name   string
		header []string
		want   int
	}{
		{"a client that is no browser", nil, 200},
		{"localhost", []string{"Host", "localhost:8420"}, 200},
		{"IPv6", []string{"Host", "[::1]:8420"}, 200},
		{"without a port", []string{"Host", "127.0.0.1"}, 200},
		{"a name that was bound to this machine", []string{"Host", "evil.example:8420"}, 403},
		{"a name that begins alike", []string{"Host", "localhost.evil.example"}, 403},
		{"an address of the network", []string{"Host", "192.168.0.2:8420"}, 403},
		{"no name", []string{"Host", ""}, 403},
		{"own page", []string{"Origin", "http://127.0.0.1:8420"}, 200},
		{"own page under another name", []string{"Origin", "http://localhost:8420"}, 403},
		{"allowed page", []string{"Origin", "http://127.0.0.1:5173"}, 200},
		{"page on another port", []string{"Origin", "http://127.0.0.1:3000"}, 403},
		{"foreign page", []string{"Origin", "https://evil.example"}, 403},
		{"page without an origin", []string{"Origin", "null"}, 403},
		{"picture in a foreign page", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{"picture in a page on another port", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{"own picture", []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "no-cors"}, 200},
		{"typed in", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate"}, 200},
		{"a link to the explorer", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
	} {
		if w := get(g, "/graphql", x.header...); w.Code != x.want {
			t.Errorf("%s: %d, want %d", x.name, w.Code, x.want)
		}
	}
}

func TestEveryAnswerCarriesTheHeaders(t *testing.T) {
	w := get(Headers(http.NotFoundHandler()), "/x")
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := w.Header().Get(name); !strings.HasPrefix(got, want) {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestAPanicBecomesAnIDAndTellsNothing(t *testing.T) {
	var log strings.Builder
	h := Recover(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("somebody's secret") }), slog.New(slog.NewTextHandler(&log, nil)))
	w := get(h, "/x")
	id, found := strings.CutPrefix(strings.TrimSpace(w.Body.String()), "internal error ")
	if w.Code != 500 || !found || !strings.Contains(log.String(), id) {
		t.Errorf("%d %q, log %q", w.Code, w.Body, log.String())
	}
	if strings.Contains(w.Body.String()+log.String(), "secret") {
		t.Error("the response contains the value of the panic")
	}
}

func TestMetricsCountByRouteAndCode(t *testing.T) {
	reg := prometheus.NewPedanticRegistry()
	m := NewMetrics(fixed)
	if err := reg.Register(m); err != nil {
		t.Fatal(err)
	}
	get(m.Count("a", http.HandlerFunc(ok)), "/")
	get(m.Count("a", http.HandlerFunc(ok)), "/")
	get(m.Count("b", http.NotFoundHandler()), "/")
	get(m.Count("s", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush() })), "/")
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	counts, timed := map[string]float64{}, map[string]uint64{}
	for _, f := range families {
		for _, x := range f.GetMetric() {
			var labels []string
			for _, l := range x.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			switch name := strings.Join(labels, " "); f.GetName() {
			case "somnograph_http_requests_total":
				counts[name] = x.GetCounter().GetValue()
			case "somnograph_http_request_duration_seconds":
				timed[name] = x.GetHistogram().GetSampleCount()
			}
		}
	}
	if len(counts) != 3 || counts["200 a"] != 2 || counts["404 b"] != 1 || counts["200 s"] != 1 {
		t.Errorf("requests = %v", counts)
	}
	if len(timed) != 2 || timed["a"] != 2 || timed["b"] != 1 {
		t.Errorf("durations = %v; a stream has none", timed)
	}
}

// start serves a handler on a free port.
func start(t *testing.T, h http.Handler) (*Server, string) {
	t.Helper()
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := NewGate("test", time.Now)
	g.Open(h, func(context.Context) error { return nil }, func() bool { return false })
	s := Start(l, Options{Gate: g, Logger: slog.New(slog.DiscardHandler), Now: time.Now})
	t.Cleanup(func() { _ = s.http.Close() })
	return s, "http://" + s.Addr().String()
}

func TestAPortInUseIsOneClearLine(t *testing.T) {
	s, _ := start(t, http.HandlerFunc(ok))
	_, err := Listen(t.Context(), s.Addr().String())
	if err == nil || !strings.Contains(err.Error(), "in use") || !strings.Contains(err.Error(), s.Addr().String()) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error = %v", err)
	}
}

func TestShutdownLetsRequestsFinishAndEndsStreams(t *testing.T) {
	entered, release, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s, url := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" {
			<-ended
			return
		}
		close(entered)
		<-release
		if _, err := io.WriteString(w, "finished"); err != nil {
			t.Error(err)
		}
	}))
	answers := make(chan string, 1)
	go func() {
		resp, err := http.Get(url + "/slow")
		if err != nil {
			answers <- err.Error()
			return
		}
		b, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		answers <- string(b)
	}()
	<-entered
	done := make(chan error, 1)
	go func() {
		done <- s.Shutdown(t.Context(), func(context.Context) error { close(ended); return nil })
	}()
	<-ended // the gate has been drained by now
	if got, _ := s.gate.state(t.Context()); got != "ending" {
		t.Errorf("state = %q, want ending", got)
	}
	close(release)
	if got := <-answers; got != "finished" {
		t.Errorf("the request in flight got %q", got)
	}
	if err := <-done; err != nil {
		t.Errorf("Shutdown = %v", err)
	}
	if _, err := net.Dial("tcp", s.Addr().String()); err == nil {
		t.Error("the listener is still open")
	}
}

func TestShutdownCutsOffWhatDoesNotEnd(t *testing.T) {
	entered := make(chan struct{})
	s, url := start(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
	}))
	go func() {
		if resp, err := http.Get(url); err == nil {
			_ = resp.Body.Close()
		}
	}()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Shutdown = %v, want the context's error", err)
	}
}

// Clients open connections that they do not use. A shutdown does not wait until they say something.
func TestShutdownDoesNotWaitForSilentConnections(t *testing.T) {
	s, url := start(t, http.HandlerFunc(ok))
	silent, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	resp, err := http.Get(url) // connections are accepted in turn: the silent one was, too
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // net/http waits for 5 s
	defer cancel()
	if err := s.Shutdown(ctx); err != nil {
		t.Errorf("Shutdown = %v", err)
	}
	if n, err := silent.Read(make([]byte, 1)); err == nil || n != 0 {
		t.Errorf("the connection is open: %d, %v", n, err)
	}
}

// A stream may last longer than the deadline of its body.
func TestTheDeadlineOfTheBodyDoesNotEndTheAnswer(t *testing.T) {
	past := func() time.Time { return time.Now().Add(-time.Hour) } // any deadline has passed at once
	alive := make(chan error, 1)
	h := BodyDeadline(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		alive <- err
	}), time.Minute, past)
	srv := httptest.NewServer(h)
	defer srv.Close()
	resp, err := http.Post(srv.URL, "text/plain", io.MultiReader(strings.NewReader("a"), &never{t.Context()}))
	if err == nil {
		_ = resp.Body.Close()
	}
	if err := <-alive; err == nil {
		t.Error("a body that never ends was read to its end")
	}

	h = BodyDeadline(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			alive <- err
			return
		}
		alive <- r.Context().Err()
	}), time.Minute, time.Now)
	again := httptest.NewServer(h)
	defer again.Close()
	resp, err = http.Post(again.URL, "text/plain", strings.NewReader("all of it"))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if err := <-alive; err != nil {
		t.Errorf("the request ended with %v", err)
	}
}

// A client that still sends its body reads the answer of a handler that writes it while it reads, and reads no further.
func TestAClientThatStillSendsReadsTheAnswer(t *testing.T) {
	srv := httptest.NewServer(BodyDeadline(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
		_, _ = io.ReadFull(r.Body, make([]byte, 1000))
		w.Header().Set("Connection", "close")
		_, _ = io.WriteString(w, "refused")
	}), time.Minute, time.Now))
	defer srv.Close()
	body := strings.Repeat("x", 16<<20)
	for range 30 {
		resp, err := http.Post(srv.URL, "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil || string(said) != "refused" {
			t.Fatalf("the answer is %q, %v", said, err)
		}
	}
}

// never is a body that does not end before its context is done.
type never struct{ ctx context.Context }

func (n *never) Read([]byte) (int, error) { <-n.ctx.Done(); return 0, n.ctx.Err() }
