package httpd

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// Limits of a connection.
const (
	headerTime = 5 * time.Second  // to send the header
	bodyTime   = 60 * time.Second // to send the body
	idleTime   = 2 * time.Minute  // between two requests
	headerSize = 64 << 10
)

// addressInUse says that another process listens on an address.
type addressInUse struct {
	addr string
	err  error
}

func (e *addressInUse) Error() string {
	return fmt.Sprintf("address %s is in use by another process; choose another with --addr", e.addr)
}

// Unwrap returns the error of the network.
func (e *addressInUse) Unwrap() error { return e.err }

// Listen binds the address. The error is one line that says what to do.
func Listen(ctx context.Context, addr string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, &addressInUse{addr, err}
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("not allowed to listen on %s; choose a port above 1023", addr)
	case err != nil:
		return nil, fmt.Errorf("can't listen on %s: %w", addr, err)
	}
	return l, nil
}

// Server serves one listener.
type Server struct {
	http     *http.Server
	listener net.Listener
	gate     *Gate
	failed   chan error
	active   sync.WaitGroup // requests and WebSockets
	silent   connections
}

// Options configure a Server.
type Options struct {
	Gate           *Gate
	AllowedOrigins []string
	// AnyHost accepts every Host header: callers authenticate, so a page gains nothing by pointing
	// its own name at this machine.
	AnyHost bool
	// TLS is the configuration of the listener; nil: no TLS.
	TLS *tls.Config
	// MaxConnections is the largest number of connections at once; a further one takes the place of an idle one, or is refused with
	// status 503. Zero: no limit. What Accepting accepts is kept longest.
	MaxConnections int
	Logger         *slog.Logger
	Now            func() time.Time
}

// Start serves the gate on the listener until Shutdown.
func Start(l net.Listener, o Options) *Server {
	if o.MaxConnections > 0 {
		l = &limitedListener{Listener: l, most: o.MaxConnections, plain: o.TLS == nil, unguarded: !o.AnyHost, now: o.Now, warn: func(most int) {
			o.Logger.Warn("too many connections, further ones replace idle ones or are refused; raise the limit of open files (ulimit -n)", "connections", most)
		}}
	}
	s := &Server{listener: l, gate: o.Gate, failed: make(chan error, 1)}
	s.http = &http.Server{
		Handler:           s.counted(Recover(Headers(guard(BodyDeadline(o.Gate, bodyTime, o.Now), o.AllowedOrigins, o.AnyHost)), o.Logger)),
		ReadHeaderTimeout: headerTime, IdleTimeout: idleTime, MaxHeaderBytes: headerSize, ConnState: s.follow, ConnContext: withConn,
		// The log lines of net/http may quote what a client sent.
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug),
	}
	go func() {
		serve := func() error { return s.http.Serve(l) }
		if o.TLS != nil {
			s.http.TLSConfig = o.TLS
			serve = func() error { return s.http.ServeTLS(l, "", "") }
		}
		if err := serve(); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- fmt.Errorf("the listener failed: %w", err)
		}
	}()
	return s
}

// Addr is the address in use.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Failed returns the error of a listener that failed.
func (s *Server) Failed() <-chan error { return s.failed }

// Drain makes the server unready. It still accepts connections and requests until Shutdown.
func (s *Server) Drain() { s.gate.Drain() }

// Shutdown makes the server unready, calls streams to end them, accepts no new connection and
// waits until all requests in flight have been answered or ctx is done. Requests still in
// flight then are cut off, which is an error.
func (s *Server) Shutdown(ctx context.Context, streams ...func(context.Context) error) error {
	s.gate.Drain()
	var errs []error
	for _, end := range streams {
		errs = append(errs, end(ctx))
	}
	closing := time.AfterFunc(silentTime, s.silent.close)
	err := s.http.Shutdown(ctx)
	closing.Stop()
	if err == nil {
		err = s.idle(ctx)
	}
	if err != nil {
		errs = append(errs, fmt.Errorf("requests were cut off: %w", err), s.http.Close())
	}
	return errors.Join(errs...)
}

// silentTime is how long a shutdown waits for the first byte of a connection. net/http would wait for 5 s, and clients open
// connections that they do not use in the end.
const silentTime = 300 * time.Millisecond

// connections are those on which nothing was received yet.
type connections struct {
	mu  sync.Mutex
	set map[net.Conn]struct{}
}

// follow begins a state.
func (s *connections) follow(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if state != http.StateNew {
		delete(s.set, c)
		return
	}
	if s.set == nil {
		s.set = map[net.Conn]struct{}{}
	}
	s.set[c] = struct{}{}
}

// close closes the connections.
func (s *connections) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.set {
		_ = c.Close() // nothing was sent on it
	}
}

// follow is the ConnState of the http.Server.
func (s *Server) follow(c net.Conn, state http.ConnState) {
	s.silent.follow(c, state)
	if l := limited(c); l != nil && state != http.StateNew { // it was accepted as new
		if l.enter(state) {
			_ = l.Close() // its client has the answer
		}
	}
}

// counted counts requests in flight. http.Server does not count WebSockets. A request that was received while its connection was closed in
// favour of another one is not executed.
func (s *Server) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.active.Add(1)
		defer s.active.Done()
		c := connOf(r)
		if c != nil && !c.stands() {
			panic(http.ErrAbortHandler)
		}
		c.wait((*bodyWait).run)
		defer c.wait((*bodyWait).end)
		next.ServeHTTP(w, r)
	})
}

// idle waits until no request is in flight.
func (s *Server) idle(ctx context.Context) error {
	done := make(chan struct{})
	go func() { s.active.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
