// Package s3test runs a real S3 server for tests, versitygw, on loopback. A missing program is a
// failure, not a reason to skip.
package s3test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/proctest"
)

// Credentials of the server.
const (
	AccessKey = "somnograph-test"
	SecretKey = "not-a-secret-at-all"
)

// Bucket is the bucket that the server has.
const Bucket = "memories"

// Server is a running server.
type Server struct {
	Addr string // host:port, without TLS
	Dir  string // objects of Bucket are files in Dir/Bucket

	t   testing.TB
	cmd *exec.Cmd // nil: it is not running
}

// Start starts a server that ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, Dir: t.TempDir()}
	if err := os.Mkdir(filepath.Join(s.Dir, Bucket), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Addr = l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s.Restart()
	t.Cleanup(func() {
		if s.cmd != nil {
			s.Stop()
		}
	})
	return s
}

// Restart starts a server that was stopped, at the same address.
func (s *Server) Restart() {
	s.t.Helper()
	program, err := proctest.Program(s.t.Context(), "s3")
	if err != nil {
		s.t.Fatal(err)
	}
	logs := s.t.TempDir()
	s.cmd = exec.CommandContext(context.WithoutCancel(s.t.Context()), program,
		"--access", AccessKey, "--secret", SecretKey, "--port", s.Addr, "--region", "us-east-1", "posix", "--nometa", s.Dir)
	if err := proctest.Start(s.cmd, logs, "s3"); err != nil {
		s.t.Fatal(err)
	}
	err = proctest.Wait(s.t.Context(), logs, "s3", time.Minute, func(ctx context.Context) bool {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Addr+"/", nil)
		if err != nil {
			return false
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		_ = resp.Body.Close() // any answer will do
		return true
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// Stop ends the server as kill -9 does.
func (s *Server) Stop() {
	s.t.Helper()
	if err := proctest.Kill(&s.cmd); err != nil {
		s.t.Fatal(err)
	}
}

// Path is the file of an object.
func (s *Server) Path(name string) string {
	return filepath.Join(s.Dir, Bucket, filepath.FromSlash(name))
}

// Environment are the variables with the credentials for a command.
func (s *Server) Environment() []string {
	return strings.Fields(fmt.Sprintf("SOMNOGRAPH_BACKUP_ENDPOINT=%s SOMNOGRAPH_BACKUP_ACCESS_KEY=%s SOMNOGRAPH_BACKUP_SECRET_KEY=%s SOMNOGRAPH_BACKUP_INSECURE=true SOMNOGRAPH_BACKUP_REGION=us-east-1",
		s.Addr, AccessKey, SecretKey))
}
