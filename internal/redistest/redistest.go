// Package redistest runs a real redis-server for tests, on its own loopback port. A missing
// program is a failure, not a reason to skip.
package redistest

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/certtest"
)

const (
	starting = time.Minute // limit for a server to answer
	between  = 20 * time.Millisecond
)

// Server is a redis-server without persistence.
type Server struct {
	Addr string // host:port

	t      testing.TB
	at     Place       // nil: on loopback
	tls    *tls.Config // nil: no TLS
	more   []string    // further arguments
	binary string
	dir    string
	cmd    *exec.Cmd // nil: it is not running
}

// Binary is the redis-server program: .ci/redis finds or downloads it.
func Binary(ctx context.Context) (string, error) {
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("redistest: find the module: %w", err)
	}
	cmd := exec.CommandContext(ctx, filepath.Join(filepath.Dir(strings.TrimSpace(string(mod))), ".ci", "redis"))
	var trouble bytes.Buffer
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("redistest: find a redis-server: %w: %s", err, trouble.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// StartGuarded starts a server that requires TLS, a client certificate of the same authority,
// and a password.
func StartGuarded(t testing.TB, files certtest.Files, password string) *Server {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	ca, err := os.ReadFile(files.CA)
	if err != nil {
		t.Fatal(err)
	}
	c := &tls.Config{RootCAs: x509.NewCertPool(), Certificates: []tls.Certificate{pair}, ServerName: "localhost", MinVersion: tls.VersionTLS13}
	c.RootCAs.AppendCertsFromPEM(ca)
	return launch(t, &Server{tls: c, more: []string{
		"--tls-ca-cert-file", files.CA, "--tls-cert-file", files.Cert, "--tls-key-file", files.Key, "--requirepass", password,
	}})
}

// Start starts a server that ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	return launch(t, &Server{})
}

// Place is where a server runs that is reached over a network.
type Place interface {
	// Command is a command that runs there.
	Command(name string, args ...string) *exec.Cmd
	// Address is the address of a port of the place for others.
	Address(port int) string
	// DialContext connects from the place.
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// StartAt starts a server at a place.
func StartAt(t testing.TB, at Place) *Server {
	t.Helper()
	return launch(t, &Server{at: at, Addr: at.Address(6379), more: []string{"--protected-mode", "no"}})
}

func launch(t testing.TB, s *Server) *Server {
	t.Helper()
	binary, err := Binary(t.Context())
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
	log, err := os.OpenFile(filepath.Join(s.dir, "redis.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // the server has its own handle
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
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, withParent()
	if err := cmd.Start(); err != nil {
		s.t.Fatalf("redistest: start %s: %v", s.binary, err)
	}
	s.cmd = cmd
	ctx, cancel := context.WithTimeout(s.t.Context(), starting)
	defer cancel()
	tick := time.NewTicker(between)
	defer tick.Stop()
	for !s.answers(ctx) {
		select {
		case <-ctx.Done():
			said, _ := os.ReadFile(filepath.Join(s.dir, "redis.log")) // the log is optional
			s.t.Fatalf("redistest: no answer at %s: %s", s.Addr, said)
		case <-tick.C:
		}
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
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	s.cmd = nil
}
