// Package redistest runs a real redis-server for tests, on a loopback port of its own.
// There is no stand-in, so a server that can't be had is a failure and no reason to skip.
package redistest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	starting = time.Minute // a server may take that long on a busy machine
	between  = 20 * time.Millisecond
)

// Server is a redis-server that keeps nothing on disk, as one that carries signals and
// budgets may.
type Server struct {
	Addr string // host:port

	t      testing.TB
	binary string
	dir    string
	cmd    *exec.Cmd // nil: it does not run
}

// Binary is the redis-server program: .ci/redis finds it, or gets it.
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

// Start starts a server that ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	binary, err := Binary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{Addr: l.Addr().String(), t: t, binary: binary, dir: t.TempDir()}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	t.Cleanup(func() {
		if s.cmd != nil {
			s.Kill()
		}
	})
	return s
}

// Restart starts the server at its port, empty, and answers when it does.
func (s *Server) Restart() {
	s.t.Helper()
	_, port, err := net.SplitHostPort(s.Addr)
	if err != nil {
		s.t.Fatal(err)
	}
	log, err := os.OpenFile(filepath.Join(s.dir, "redis.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = log.Close() }() // the server has its own handle
	cmd := exec.Command(s.binary, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", s.dir)
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
			said, _ := os.ReadFile(filepath.Join(s.dir, "redis.log")) // without it the error stands alone
			s.t.Fatalf("redistest: no answer at %s: %s", s.Addr, said)
		case <-tick.C:
		}
	}
}

// answers reports whether the server says PONG.
func (s *Server) answers(ctx context.Context) bool {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		return false
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
	return err == nil && strings.HasPrefix(string(answer[:n]), "+PONG")
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
