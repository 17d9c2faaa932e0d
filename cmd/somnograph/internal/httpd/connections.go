package httpd

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// refusalTime is how long the refusal of a connection may take.
const refusalTime = 100 * time.Millisecond

// refusal is the answer to a connection above the limit.
const refusal = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 21\r\nRetry-After: 1\r\nConnection: close\r\n\r\ntoo many connections\n"

// limitedListener accepts a limited number of connections at once. It answers further ones with
// status 503 and closes them, so that they hold no descriptor and no client waits for an answer.
type limitedListener struct {
	net.Listener
	most   int64
	plain  bool // without TLS: a refused client can read the answer
	open   atomic.Int64
	warned atomic.Bool // since the number of connections was below the limit
	warn   func(most int64)
}

// Accept implements net.Listener.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= l.most {
			return &limitedConn{Conn: c, release: sync.OnceFunc(func() { l.open.Add(-1); l.warned.Store(false) })}, nil
		}
		l.open.Add(-1)
		if l.warned.CompareAndSwap(false, true) {
			l.warn(l.most)
		}
		if l.plain && c.SetWriteDeadline(time.Now().Add(refusalTime)) == nil {
			_, _ = c.Write([]byte(refusal)) // the client may be gone
		}
		_ = c.Close()
	}
}

// limitedConn counts until it is closed.
type limitedConn struct {
	net.Conn
	release func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
