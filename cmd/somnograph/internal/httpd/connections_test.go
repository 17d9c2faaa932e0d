package httpd

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/certtest"
)

// crowd is a server with few places. Its callers have the credential "good".
type crowd struct {
	*testing.T
	server   *Server
	listener *limitedListener
	held     chan struct{} // one element: a request to /held runs
	began    chan struct{} // one element: a request with a body runs
	release  chan struct{} // ends such a request
	ahead    atomic.Int64  // of the clock
	log      strings.Builder
}

func startCrowd(t *testing.T, o Options) *crowd {
	t.Helper()
	c := &crowd{T: t, held: make(chan struct{}, 10), began: make(chan struct{}, 1000), release: make(chan struct{})}
	check := Accepting(func(r *http.Request) (engine.Caller, error) {
		tenant, name, shown := strings.Cut(r.Header.Get("Authorization"), "/")
		switch {
		case !o.AnyHost:
			return engine.Loopback(), nil
		case shown:
			return engine.Caller{Tenant: graph.Tenant(tenant), Name: name}, nil
		case tenant != "good":
			return engine.Caller{}, graph.Errorf(graph.CodeUnauthenticated, "no")
		}
		return engine.Caller{Tenant: "acme", Name: "somebody"}, nil
	})
	l, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.Gate = NewGate("test", time.Now)
	o.Gate.Open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/socket" {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			_, _ = io.Copy(io.Discard, conn)
			_ = conn.Close()
			return
		}
		if r.ContentLength > 0 {
			c.began <- struct{}{}
		}
		status := http.StatusOK
		if r.URL.Path != "/body" {
			if _, err := check(r); graph.CodeOf(err) == graph.CodeUnavailable {
				status = http.StatusServiceUnavailable
			} else if err != nil {
				status = http.StatusUnauthorized
			}
		}
		if status == http.StatusOK && r.URL.Path == "/held" {
			c.held <- struct{}{}
			<-c.release
		}
		_, _ = io.ReadAll(r.Body)
		w.WriteHeader(status)
	}), func(context.Context) error { return nil }, func() bool { return false })
	var mu sync.Mutex
	o.Logger = slog.New(slog.NewTextHandler(writerFunc(func(b []byte) (int, error) { mu.Lock(); defer mu.Unlock(); return c.log.Write(b) }), nil))
	began := time.Now()
	o.Now = func() time.Time { return began.Add(time.Duration(c.ahead.Load())) }
	c.server = Start(l, o)
	c.listener = c.server.listener.(*limitedListener)
	t.Cleanup(func() { _ = c.server.http.Close() })
	return c
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// pass lets time pass.
func (c *crowd) pass(d time.Duration) { c.ahead.Add(int64(d)) }

// await waits until the listener is as a condition says.
func (c *crowd) await(what string, is func(*limitedListener) bool) {
	c.Helper()
	for deadline := time.Now().Add(time.Minute); ; runtime.Gosched() {
		c.listener.mu.Lock()
		done := is(c.listener)
		c.listener.mu.Unlock()
		if done {
			return
		}
		if time.Now().After(deadline) {
			c.Fatal("it never has " + what)
		}
	}
}

// awaitRoom waits until another connection may have the place of so many without a credential, and of so many with one.
func (c *crowd) awaitRoom(strangers, known int) {
	c.Helper()
	c.await(fmt.Sprintf("%d strangers and %d known connections", strangers, known), func(l *limitedListener) bool {
		return l.strangers.Len() == strangers && l.known.Len() == known
	})
}

// peer is the client of one connection.
type peer struct {
	*crowd
	net.Conn
	from *bufio.Reader
}

func (c *crowd) dial() *peer {
	c.Helper()
	return c.dialFrom("127.0.0.1")
}

// dialFrom is dial from an address of this machine.
func (c *crowd) dialFrom(address string) *peer {
	c.Helper()
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	conn, err := from.DialContext(c.Context(), "tcp", c.server.Addr().String())
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = conn.Close() })
	return &peer{c, conn, bufio.NewReader(conn)}
}

// send sends a request, whose body may be longer than what is sent.
func (p *peer) send(method, path, credential string, length int) *peer {
	p.Helper()
	if _, err := fmt.Fprintf(p.Conn, "%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n", method, path, credential, length); err != nil {
		p.Fatal(err)
	}
	return p
}

// status is that of the next answer; 0: the connection is closed.
func (p *peer) status() int {
	resp, err := http.ReadResponse(p.from, nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// get sends a request and returns the status of its answer.
func (p *peer) get(path, credential string) int {
	p.Helper()
	return p.send(http.MethodGet, path, credential, 0).status()
}

// One address that opens connections all the time does not keep a client of another one from showing its credential, however late that is.
func TestAnAddressThatHasManyTakesItsOwnPlaces(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has all of 127.0.0.0/8 on its loopback")
	}
	c := startCrowd(t, Options{MaxConnections: 16, AnyHost: true})
	flood := func(n int) {
		for i := range n {
			c.dialFrom("127.0.0.2")
			c.await("the connection", func(l *limitedListener) bool { return l.open == 16 || l.strangers.Len() > i })
		}
	}
	flood(8)
	late := c.dial()
	c.await("the client", func(l *limitedListener) bool { return l.strangers.Len() == 9 })
	flood(40)
	if got := late.get("/", "good"); got != http.StatusOK {
		t.Errorf("a client of another address gets %d", got)
	}
	c.await("no more than its places", func(l *limitedListener) bool { return l.open == 16 && len(l.from) == 1 && l.strangers.Len() == 15 })
}

// Nor do twenty addresses, each of which has less than a sixteenth of the places.
func TestManyAddressesThatHaveSomeTakeTheirOwnPlaces(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has all of 127.0.0.0/8 on its loopback")
	}
	c := startCrowd(t, Options{MaxConnections: 128, AnyHost: true})
	opened := 0
	flood := func(n int) {
		for range n {
			c.dialFrom(fmt.Sprintf("127.0.0.%d", 2+opened%20))
			opened++
			c.await("the connection", func(l *limitedListener) bool { return l.open == 128 || l.strangers.Len() >= opened })
		}
	}
	flood(100)
	late := c.dial()
	c.await("the client", func(l *limitedListener) bool { return l.strangers.Len() == 101 })
	opened++
	flood(160)
	if got := late.get("/", "good"); got != http.StatusOK {
		t.Errorf("a client of another address gets %d", got)
	}
}

// Addresses of clients count without ports, and those of one IPv6 network together.
func TestHostOf(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:80": "192.0.2.7", "[::ffff:192.0.2.7]:80": "192.0.2.7", "[2001:db8:1:2:3::4]:80": "2001:db8:1:2::/64", "[fe80::1%eth0]:80": "fe80::/64",
	} {
		at, err := net.ResolveTCPAddr("tcp", strings.Replace(address, "%eth0", "", 1))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(address, "%") {
			at.Zone = "eth0"
		}
		if got := hostOf(at); got != want {
			t.Errorf("the address of %s is %q, want %q", at, got, want)
		}
	}
	if got := hostOf(&net.UnixAddr{Name: "socket"}); got != "socket" {
		t.Errorf("a socket without an address: %q", got)
	}
}

// A new connection takes the place of one whose client has shown no credential, the idlest first, then of an idle one whose client has. A
// request with a credential is never cut off.
func TestANewConnectionTakesTheIdlestPlace(t *testing.T) {
	c := startCrowd(t, Options{MaxConnections: 6, AnyHost: true})
	calls := c.dial().send(http.MethodGet, "/held", "good", 0)
	<-c.held
	member := c.dial()
	if got := member.get("/", "good"); got != http.StatusOK {
		t.Fatalf("a request with a credential: %d", got)
	}
	c.awaitRoom(0, 1)
	body := c.dial().send(http.MethodPost, "/body", "", 100) // and its body does not come
	<-c.began
	alive := c.dial()
	if got := alive.get("/livez", ""); got != http.StatusOK {
		t.Fatalf("/livez: %d", got)
	}
	c.await("an idle connection", func(l *limitedListener) bool {
		return l.strangers.Len() == 2 && l.strangers.Back().Value.(*limitedConn).state == http.StateIdle
	})
	refused := c.dial().send(http.MethodPost, "/", "bad", 100) // and its body does not come
	<-c.began
	silent := c.dial()
	c.awaitRoom(4, 1)

	for i, gone := range []*peer{body, alive, refused, silent} {
		p := c.dial()
		if got := gone.status(); got != 0 {
			t.Fatalf("connection %d got %d", i, got)
		}
		if got := p.get("/", "good"); got != http.StatusOK {
			t.Fatalf("in its place: %d", got)
		}
		c.awaitRoom(3-i, 2+i)
	}
	if got := c.dial().status(); got != http.StatusServiceUnavailable {
		t.Errorf("beside clients that rest between two requests: %d", got)
	}
	c.pass(restTime)
	late := c.dial()
	if got := member.status(); got != 0 {
		t.Fatalf("the member got %d", got)
	}
	if got := late.get("/held", ""); got != http.StatusUnauthorized {
		t.Fatalf("in its place: %d", got)
	}
	close(c.release)
	if got := calls.status(); got != http.StatusOK {
		t.Errorf("the request with a credential got %d", got)
	}
	if n := strings.Count(c.log.String(), "too many connections"); n != 1 {
		t.Errorf("the log says it %d times", n)
	}
}

// A client that fills all places again and again leaves others the time to show their credentials.
func TestAFloodLeavesTimeForACredential(t *testing.T) {
	c := startCrowd(t, Options{MaxConnections: 20, AnyHost: true})
	flood := func(n int) {
		for range n {
			c.dial().send(http.MethodPost, "/body", "", 100)
			<-c.began
		}
	}
	flood(30)
	for range 10 {
		p := c.dial()
		flood(15) // before its header comes
		if got := p.get("/", "good"); got != http.StatusOK {
			t.Fatalf("a client beside the flood: %d", got)
		}
		flood(30)
		if got := p.get("/", "good"); got != http.StatusOK {
			t.Fatalf("its next request: %d", got)
		}
		_ = p.Close()
		flood(1)
	}
}

// Hijacked connections, and without authentication all requests, keep their places.
func TestSocketsAndBodiesWithoutAuthenticationKeepTheirPlaces(t *testing.T) {
	c := startCrowd(t, Options{MaxConnections: 3})
	socket := c.dial()
	if got := socket.get("/socket", ""); got != http.StatusOK {
		t.Fatalf("a socket: %d", got)
	}
	stream := c.dial().send(http.MethodGet, "/held", "", 0)
	<-c.held
	body := c.dial().send(http.MethodPost, "/body", "", 1)
	c.await("three connections that keep their places", func(l *limitedListener) bool {
		return l.open == 3 && l.strangers.Len()+l.known.Len() == 0
	})
	c.pass(time.Hour)
	if got := c.dial().status(); got != http.StatusServiceUnavailable {
		t.Errorf("one more: %d", got)
	}
	if _, err := io.WriteString(body.Conn, "x"); err != nil {
		t.Fatal(err)
	}
	if got := body.status(); got != http.StatusOK {
		t.Errorf("the body got %d", got)
	}
	c.awaitRoom(1, 0)
	if got := c.dial().get("/livez", ""); got != http.StatusOK {
		t.Errorf("in its place: %d", got)
	}
	close(c.release)
	if got := stream.status(); got != http.StatusOK {
		t.Errorf("the stream got %d", got)
	}
	if _, err := io.WriteString(socket.Conn, "x"); err != nil {
		t.Errorf("the socket: %v", err)
	}
}

// A connection that closes gives back its own place only.
func TestAPlaceIsGivenOnce(t *testing.T) {
	c := startCrowd(t, Options{MaxConnections: 4, AnyHost: true})
	for range 200 {
		p := c.dial()
		if got := p.get("/livez", ""); got != http.StatusOK {
			t.Fatalf("/livez: %d", got)
		}
	}
	c.awaitRoom(4, 0)
	c.listener.mu.Lock()
	defer c.listener.mu.Unlock()
	if c.listener.open != 4 {
		t.Errorf("%d places are taken", c.listener.open)
	}
}

// A request that comes just when its connection makes room is not executed: its client can't know whether it was.
func TestARequestOnAClosedConnectionIsNotExecuted(t *testing.T) {
	c := startCrowd(t, Options{MaxConnections: 1, AnyHost: true})
	ours, theirs := net.Pipe()
	defer theirs.Close()
	var place *limitedConn
	if c.listener.enter() {
		place = c.listener.place(ours, "")
	}
	if !c.listener.enter() {
		t.Fatal("an idle connection makes no room")
	}
	r := httptest.NewRequestWithContext(withConn(t.Context(), place), http.MethodPost, "/", nil)
	c.server.follow(place, http.StateActive)
	executed := false
	func() {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("panic = %v", p)
			}
		}()
		c.server.counted(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { executed = true })).ServeHTTP(httptest.NewRecorder(), r)
	}()
	if executed {
		t.Error("it was executed")
	}
	// So is one whose credential is looked at when the connection has made room.
	if _, err := Accepting(func(*http.Request) (engine.Caller, error) { return engine.Loopback(), nil })(r); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("its credential: %v", err)
	}
}

// With TLS and HTTP/2 the same connections make room.
func TestSecureConnectionsMakeRoom(t *testing.T) {
	files, err := certtest.Make(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cert, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	c := startCrowd(t, Options{MaxConnections: 2, AnyHost: true, TLS: &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS13}})
	get := func(credential, path string) func() error {
		trust, err := files.ClientConfig()
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: trust, ForceAttemptHTTP2: true}}
		t.Cleanup(client.CloseIdleConnections)
		return func() error {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://"+c.server.Addr().String()+path, nil)
			if err != nil {
				return err
			}
			r.Header.Set("Authorization", credential)
			resp, err := client.Do(r)
			if err != nil {
				return err
			}
			if resp.ProtoMajor != 2 {
				return errors.New(resp.Proto)
			}
			return resp.Body.Close()
		}
	}
	done := make(chan error, 1)
	go func() { done <- get("good", "/held")() }()
	<-c.held
	for range 3 {
		if err := get("", "/livez")(); err != nil {
			t.Fatal(err)
		}
		c.awaitRoom(1, 0)
	}
	close(c.release)
	if err := <-done; err != nil {
		t.Errorf("the request with a credential: %v", err)
	}
}
