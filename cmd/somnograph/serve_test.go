package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

func TestServeHasItsRoutes(t *testing.T) {
	s := start(t, t.TempDir(), "--metrics-addr", "127.0.0.1:0")
	remember(t, s.client(), "The winch sticks again.")
	for path, want := range map[string]struct{ media, body string }{
		"/":          {"text/html", "<"},
		"/graphiql":  {"text/html", "Somnograph GraphQL"},
		"/viz/graph": {"application/vnd.somnograph.frame", "SGVF"},
		"/livez":     {"text/plain", "ok"},
		"/readyz":    {"text/plain", "ready"},
		"/healthz":   {"application/json", `"status":"ready"`},
	} {
		status, header, body := s.get(path)
		if status != 200 || !strings.HasPrefix(header.Get("Content-Type"), want.media) || !strings.Contains(body, want.body) {
			t.Errorf("%s: %d %s %.80q", path, status, header.Get("Content-Type"), body)
		}
		if header.Get("Content-Security-Policy") == "" || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s lacks the security headers", path)
		}
	}
	if status, _, _ := s.get("/metrics"); status == 200 {
		t.Error("/metrics is served on the public listener")
	}
	_, _, body := s.metrics().get("/metrics")
	for _, want := range []string{`somnograph_memories{status="ACTIVE"} 1`, `somnograph_http_requests_total{code="200",route="graphql"} 1`, "go_goroutines"} {
		if !strings.Contains(body, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	s.stop()
}

func TestForeignPagesAreRefused(t *testing.T) {
	s := start(t, t.TempDir())
	for _, h := range [][]string{{"Host", "evil.example"}, {"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		if status, _, body := s.get("/graphql?query={__typename}", h...); status != 403 || strings.Contains(body, "Query") {
			t.Errorf("%v: %d %s", h, status, body)
		}
	}
	s.stop()
}

// A page that this machine serves may call a server without auth. The refusal of any other one can be
// read in the browser, which asks first, and says what to do.
func TestPagesOfOtherOrigins(t *testing.T) {
	open, keyed := start(t, t.TempDir()), start(t, t.TempDir(), "--auth", "keys", "--allowed-origins", "https://app.example")
	call := func(s *server, method, path, origin string) (*http.Response, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(`{"query":"{__typename}"}`))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Origin": origin, "Content-Type": "application/json", "Access-Control-Request-Headers": "content-type"} {
			req.Header.Set(k, v)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err = errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		return resp, string(body)
	}
	for _, x := range []struct {
		s      *server
		origin string
		status int
	}{
		{open, "http://localhost:3000", 200}, {open, "http://127.0.0.1:5173", 200}, {open, "http://192.168.1.7:5173", 403}, {open, "https://evil.example", 403},
		{keyed, "http://localhost:3000", 403}, {keyed, "https://app.example", 401},
	} {
		if resp, _ := call(x.s, http.MethodOptions, "/graphql", x.origin); resp.StatusCode != 204 || resp.Header.Get("Access-Control-Allow-Origin") != x.origin || resp.Header.Get("Access-Control-Allow-Headers") == "" {
			t.Errorf("the preflight of %s: %d %v", x.origin, resp.StatusCode, resp.Header)
		}
		resp, body := call(x.s, http.MethodPost, "/graphql", x.origin)
		if resp.StatusCode != x.status || resp.Header.Get("Access-Control-Allow-Origin") != x.origin || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/") {
			t.Errorf("%s: %d %v", x.origin, resp.StatusCode, resp.Header)
		}
		if x.status == 403 && (!json.Valid([]byte(body)) || !strings.Contains(body, "--allowed-origins "+x.origin) || !strings.Contains(body, "FORBIDDEN")) {
			t.Errorf("the refusal of %s: %s", x.origin, body)
		}
		if resp, _ := call(x.s, http.MethodGet, "/viz/graph", x.origin); resp.Header.Get("Access-Control-Allow-Origin") != x.origin {
			t.Errorf("the map for %s: %v", x.origin, resp.Header)
		}
	}
}

// Startup errors are one line, with an exit code other than 0.
func TestStartupErrors(t *testing.T) {
	s := start(t, t.TempDir())
	taken := strings.TrimPrefix(s.url, "http://")
	locked := s.cmd.Args[len(s.cmd.Args)-1]
	for name, x := range map[string]struct {
		args []string
		want string
		code int
	}{
		"open to the network":   {[]string{"serve", "--addr", "0.0.0.0:0"}, "auth is off", exitUsage},
		"port in use":           {[]string{"serve", "--addr", taken, "--data", t.TempDir()}, "in use by another process", exitFailed},
		"store in use":          {[]string{"serve", "--addr", "127.0.0.1:0", "--data", locked}, "in use by another somnograph", exitFailed},
		"no directory":          {[]string{"serve", "--addr", "127.0.0.1:0", "--data", "/proc/nothing"}, "data directory", exitFailed},
		"unknown flag":          {[]string{"serve", "--adr", "x"}, "--adr", exitUsage},
		"unknown command":       {[]string{"server"}, `"server"`, exitUsage},
		"an argument too many":  {[]string{"serve", "now"}, `"now"`, exitUsage},
		"nobody to ask":         {[]string{"search", "--addr", "127.0.0.1:1", "x"}, "start one with: somnograph serve", exitFailed},
		"nobody to import into": {[]string{"import", "--addr", "127.0.0.1:1", "testdata/talks.jsonl"}, "start one with: somnograph serve", exitFailed},
	} {
		out, errs, code := output(t, x.args...)
		if code != x.code || !strings.Contains(errs, x.want) || strings.Count(strings.TrimSpace(errs), "\n") > 0 || strings.Contains(errs, "goroutine") || out != "" {
			t.Errorf("%s: code %d\n%s%s", name, code, out, errs)
		}
	}
	s.stop()
}

// A socket gets a close message at shutdown. A memory written before is there after a restart.
func TestShutdownIsGraceful(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	d := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
	conn, resp, err := d.DialContext(t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/graphql", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	defer conn.Close()
	say := func(v string) {
		t.Helper()
		if err := conn.WriteMessage(websocket.TextMessage, []byte(v)); err != nil {
			t.Fatal(err)
		}
	}
	hear := func() (string, error) {
		_, b, err := conn.ReadMessage()
		return string(b), err
	}
	say(`{"type":"connection_init"}`)
	if ack, err := hear(); err != nil || !strings.Contains(ack, "connection_ack") {
		t.Fatalf("%s, %v", ack, err)
	}
	say(`{"id":"1","type":"subscribe","payload":{"query":"subscription{memoryEvents{kind}}"}}`)
	// The answer of a ping after the subscription shows that it has begun.
	say(`{"type":"ping"}`)
	if pong, err := hear(); err != nil || !strings.Contains(pong, "pong") {
		t.Fatalf("%s, %v", pong, err)
	}
	id := remember(t, s.client(), "Said just before the end.")
	s.signal(syscall.SIGTERM)
	for {
		if _, err = hear(); err != nil {
			break
		}
	}
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != websocket.CloseGoingAway {
		t.Errorf("the socket ended with %v, want close code 1001", err)
	}
	if code := s.exit(); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, s.log)
	}
	if strings.Contains(s.log.String(), "Said just") {
		t.Error("the log has content")
	}
	again := start(t, dir)
	if known, err := again.client().Knows(t.Context(), id); err != nil || !known {
		t.Errorf("an acknowledged memory is gone: %v", err)
	}
	again.stop()
}

// sendHalfRequest sends half a request and waits until it is in flight. The server needs a
// metrics listener.
func sendHalfRequest(t *testing.T, s *server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	metrics := s.metrics()
	for {
		if _, _, body := metrics.get("/metrics"); strings.Contains(body, "\nsomnograph_http_requests_in_flight 1\n") {
			return conn
		}
	}
}

// metrics is the metrics listener of the server.
func (s *server) metrics() *server {
	s.t.Helper()
	m := regexp.MustCompile(`url=(http://\S+)/metrics`).FindStringSubmatch(s.log.String())
	if m == nil {
		s.t.Fatalf("the log does not say where the metrics are:\n%s", s.log)
	}
	return &server{t: s.t, url: m[1]}
}

func TestASecondSignalEndsAtOnce(t *testing.T) {
	s := start(t, t.TempDir(), "--shutdown-timeout", "5m", "--metrics-addr", "127.0.0.1:0")
	conn := sendHalfRequest(t, s)
	defer conn.Close()
	s.signal(syscall.SIGINT)
	for { // until it accepts no more connections
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			break
		}
		_ = c.Close()
	}
	s.signal(syscall.SIGINT)
	if code := s.exit(); code != exitKilled {
		t.Errorf("exit code %d, want %d", code, exitKilled)
	}
}

// Between the signal and the end of the delay /readyz says 503 on new connections, and requests are
// answered.
func TestServerIsUnreadyBeforeItsPortCloses(t *testing.T) {
	s := start(t, t.TempDir(), "--shutdown-delay", "10m")
	s.signal(syscall.SIGTERM)
	http.DefaultClient.CloseIdleConnections()
	for {
		status, _, body := s.get("/readyz")
		if status == http.StatusServiceUnavailable && strings.Contains(body, "ending") {
			break
		}
		if status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
	}
	remember(t, s.client(), "The last guest left at noon.")
	s.signal(syscall.SIGTERM)
	if code := s.exit(); code != exitKilled {
		t.Errorf("exit code %d, want %d", code, exitKilled)
	}
}

func TestSlowRequestIsCutOffAtShutdown(t *testing.T) {
	s := start(t, t.TempDir(), "--shutdown-timeout", "100ms", "--metrics-addr", "127.0.0.1:0")
	conn := sendHalfRequest(t, s)
	defer conn.Close()
	s.stop()
	if !strings.Contains(s.log.String(), "cut off") {
		t.Errorf("the log does not report it:\n%s", s.log)
	}
}

func TestTheClockCanBeMovedOnlyWhenSimulated(t *testing.T) {
	dir := t.TempDir()
	move := func(s *server, seconds int) (time.Time, error) {
		var out struct{ AdvanceClock time.Time }
		err := s.client().Do(t.Context(), fmt.Sprintf("mutation{advanceClock(seconds:%d)}", seconds), nil, &out)
		return out.AdvanceClock, err
	}
	s := start(t, dir, "--simulated-clock")
	then, err := move(s, 30*86400)
	if err != nil || time.Until(then) < 29*24*time.Hour {
		t.Fatalf("advanceClock = %s, %v", then, err)
	}
	if _, err := move(s, -1); err == nil {
		t.Error("the clock was moved back")
	}
	var e *client.Error
	for range 4 { // 68 years each
		_, err = move(s, math.MaxInt32)
	}
	if !errors.As(err, &e) || e.Code != "INVALID_REQUEST" || e.Field != "seconds" {
		t.Errorf("beyond 200 years: error = %v, want INVALID_REQUEST with the field seconds", err)
	}
	s.stop()
	s = start(t, dir, "--simulated-clock")
	again, err := move(s, 1)
	if err != nil || again.Before(then) {
		t.Errorf("after a restart the clock says %s, %v, before it said %s", again, err, then)
	}
	s.stop()
	s = start(t, t.TempDir())
	if _, err := move(s, 1); !errors.As(err, &e) || e.Code != "INVALID_REQUEST" {
		t.Errorf("with a real clock: error = %v, want INVALID_REQUEST", err)
	}
	s.stop()
}

func TestTheDemoWorldIsServed(t *testing.T) {
	s := start(t, t.TempDir(), "--demo")
	found, err := s.client().Search(t.Context(), client.Search{Query: "who builds the winches", TopK: 3})
	if err != nil || len(found.Hits) == 0 || found.ConsideredCount < 100 {
		t.Fatalf("found %+v, %v", found, err)
	}
	_, _, body := s.get("/viz/graph")
	if len(body) < 10_000 {
		t.Errorf("the scene has %d bytes", len(body))
	}
	s.stop()
}

// A configured model embeds texts, and is asked for the dimension of its vectors.
func TestConfiguredEmbeddingModel(t *testing.T) {
	var asked atomic.Int32
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Authorization") != "Bearer hush" {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		}
		var out struct {
			Data []item `json:"data"`
		}
		for i, text := range in.Input {
			v := make([]float64, 64) // unrelated texts are orthogonal
			if strings.Contains(text, "vessel") || strings.Contains(text, "ferry") {
				v[0] = 1 // similar to the model
			} else {
				v[1+crc32.ChecksumIEEE([]byte(text))%63] = 1
			}
			out.Data = append(out.Data, item{i, v})
		}
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(out); err != nil {
			t.Error(err)
		}
	}))
	defer model.Close()
	t.Setenv("SOMNOGRAPH_EMBEDDER_TOKEN", "hush")
	s := start(t, t.TempDir(), "--embedder-kind", "openai", "--embedder-url", model.URL, "--embedder-model", "small")
	id := remember(t, s.client(), "The ferry leaves at eight.")
	remember(t, s.client(), "Bread is baked on Mondays.")
	found, err := s.client().Search(t.Context(), client.Search{Query: "which vessel", TopK: 2})
	if err != nil || len(found.Hits) == 0 || found.Hits[0].Memory.ID != id || asked.Load() < 3 {
		t.Errorf("asked %d times, found %+v, %v", asked.Load(), found, err)
	}
	s.stop()
	if strings.Contains(s.log.String(), "hush") {
		t.Error("the log has the secret")
	}
}
