// Package redistest runs a real redis-server for tests, on its own loopback port. A missing
// program is a failure, not a reason to skip.
package redistest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/certtest"
	"github.com/somnograph/somnograph/internal/proctest"
)

const starting = time.Minute // limit for a server to answer

// Server is a redis-server without persistence.
type Server struct {
	Addr string // host:port

	t      testing.TB
	at     proctest.Place // nil: on loopback
	tls    *tls.Config    // nil: no TLS
	more   []string       // further arguments
	binary string
	dir    string
	cmd    *exec.Cmd // nil: it is not running
}

// StartGuarded starts a server that requires TLS, a client certificate of the same authority,
// and a password.
func StartGuarded(t testing.TB, files certtest.Files, password string) *Server {
	t.Helper()
	c, err := files.ClientConfig()
	if err != nil {
		t.Fatal(err)
	}
	return launch(t, &Server{tls: c, more: []string{
		"--tls-ca-cert-file", files.CA, "--tls-cert-file", files.Cert, "--tls-key-file", files.Key, "--requirepass", password,
	}})
}

// Start starts a server that ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	return launch(t, &Server{})
}

// StartAt starts a server at a place.
func StartAt(t testing.TB, at proctest.Place) *Server {
	t.Helper()
	return launch(t, &Server{at: at, Addr: at.Address(6379), more: []string{"--protected-mode", "no"}})
}

func launch(t testing.TB, s *Server) *Server {
	t.Helper()
	binary, err := proctest.Program(t.Context(), "redis")
	if err != nil {
		t.Fatal(err)
	}
	s.t, s.binary, s.dir = t, binary, t.TempDir()
	if s.Addr == "" {
		if s.Addr, err = freeAddr(); err != nil {
			t.Fatal(err)
		}
	}
	s.Restart()
	t.Cleanup(func() {
		if s.cmd != nil {
			s.Kill()
		}
	})
	return s
}

// freeAddr finds a free port below the range of ephemeral ports, so that no connection takes it
// while the server is killed.
func freeAddr() (string, error) {
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(22_000)))
		if err == nil {
			return l.Addr().String(), l.Close()
		}
	}
	return "", errors.New("redistest: no free port")
}

// Restart starts the server, empty, at its port and returns when it answers.
func (s *Server) Restart() {
	s.t.Helper()
	host, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		s.t.Fatal(err)
	}
	args := []string{"--port", port, "--bind", host, "--save", "", "--appendonly", "no", "--dir", s.dir}
	if s.tls != nil {
		args[1] = "0"
		args = append(args, "--tls-port", port)
	}
	command := exec.Command
	if s.at != nil {
		command = s.at.Command
	}
	cmd := command(s.binary, append(args, s.more...)...)
	if err := proctest.Start(cmd, s.dir, "redis"); err != nil {
		s.t.Fatal(err)
	}
	s.cmd = cmd
	if err := proctest.Wait(s.t.Context(), s.dir, "redis", starting, s.answers); err != nil {
		s.t.Fatal(err)
	}
}

// answers reports whether the server responds to PING, or asks for authentication.
func (s *Server) answers(ctx context.Context) bool {
	dial := (&net.Dialer{}).DialContext
	if s.at != nil {
		dial = s.at.DialContext
	}
	conn, err := dial(ctx, "tcp", s.Addr)
	if err != nil {
		return false
	}
	if s.tls != nil {
		conn = tls.Client(conn, s.tls)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return false
	}
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return false
	}
	answer := make([]byte, 7)
	n, err := conn.Read(answer)
	return err == nil && (strings.HasPrefix(string(answer[:n]), "+PONG") || strings.HasPrefix(string(answer[:n]), "-NOAUTH"))
}

// Signal sends the server a signal.
func (s *Server) Signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// Kill ends the server as kill -9 does.
func (s *Server) Kill() {
	s.t.Helper()
	if err := proctest.Kill(&s.cmd); err != nil {
		s.t.Fatal(err)
	}
}
