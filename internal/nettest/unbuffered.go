package nettest

import (
	"net"
	"net/http"
	"testing"
)

// Unbuffered serves a handler over connections without buffers, and returns what opens one: a write of the server waits until the client reads.
func Unbuffered(t testing.TB, h http.Handler) (dial func() net.Conn) {
	l := &pipes{opened: make(chan net.Conn), closed: make(chan struct{})}
	s := &http.Server{Handler: h}
	go func() { _ = s.Serve(l) }() // until Close
	t.Cleanup(func() { _ = s.Close() })
	return func() net.Conn {
		ours, theirs := net.Pipe()
		t.Cleanup(func() { _ = ours.Close() })
		l.opened <- theirs
		return ours
	}
}

// pipes is a listener.
type pipes struct {
	opened chan net.Conn
	closed chan struct{}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.opened:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	close(p.closed)
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.IPAddr{} }
