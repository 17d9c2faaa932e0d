package dgraphtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Place is where a server of a spread cluster runs: a machine, or a network namespace.
type Place interface {
	// Command is a command that runs there.
	Command(name string, args ...string) *exec.Cmd
	// Address is the address of a port of the place for others.
	Address(port int) string
	// DialContext connects from the place.
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Spread is a running Dgraph whose servers each have a place.
type Spread struct {
	binary, dir string
	replicas    int
	zero        Place
	alphas      []Place
	cmds        []*exec.Cmd // of the zero and of the alphas
}

// StartSpread starts a zero and alphas that are replicas of each other, and returns when all
// are healthy. Their data is in the directory.
func StartSpread(ctx context.Context, dir string, zero Place, alphas ...Place) (*Spread, error) {
	binary, err := Binary(ctx)
	if err != nil {
		return nil, err
	}
	s := &Spread{binary: binary, dir: dir, replicas: len(alphas), zero: zero, alphas: alphas, cmds: make([]*exec.Cmd, 1+len(alphas))}
	for i := range s.cmds {
		if err := s.Start(ctx, i); err != nil {
			return nil, errors.Join(err, s.Stop())
		}
	}
	return s, nil
}

// Addrs returns the gRPC addresses of the alphas.
func (s *Spread) Addrs() []string {
	var all []string
	for _, a := range s.alphas {
		all = append(all, a.Address(alphaGRPC))
	}
	return all
}

// Start starts a server, or restarts it on the same data. 0 is the zero, 1 the first alpha.
func (s *Spread) Start(ctx context.Context, i int) error {
	at, port, role := s.zero, zeroHTTP, "zero"
	args := []string{"zero", "--my", at.Address(zeroGRPC), "--replicas", strconv.Itoa(s.replicas), "--wal", "zw"}
	if i > 0 {
		at, port, role = s.alphas[i-1], alphaHTTP, fmt.Sprint("alpha", i)
		args = []string{
			"alpha", "--my", at.Address(alphaPeer), "--zero", s.zero.Address(zeroGRPC), "--postings", fmt.Sprint("p", i), "--wal", fmt.Sprint("w", i),
			"--tmp", fmt.Sprint("t", i), "--survive", "filesystem", "--cache", "size-mb=64", "--security", "whitelist=10.0.0.0/8",
		}
	}
	log, err := os.OpenFile(filepath.Join(s.dir, role+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the server has its own handle
	cmd := at.Command(s.binary, append(args, "--telemetry", "reports=false; sentry=false")...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = s.dir, log, log, withParent()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("dgraphtest: start %s: %w", role, err)
	}
	s.cmds[i] = cmd
	return s.healthy(ctx, at, port, role)
}

// healthy waits until a server is healthy.
func (s *Spread) healthy(ctx context.Context, at Place, port int, role string) error {
	ctx, cancel := context.WithTimeout(ctx, starting)
	defer cancel()
	transport := &http.Transport{DialContext: at.DialContext, DisableKeepAlives: true}
	ticker := time.NewTicker(between)
	defer ticker.Stop()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+local(port)+"/health", nil)
		if err != nil {
			return err
		}
		if res, err := transport.RoundTrip(req); err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			if err = errors.Join(err, res.Body.Close()); err == nil && res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			said, err := os.ReadFile(filepath.Join(s.dir, role+".log"))
			return fmt.Errorf("dgraphtest: %s is not healthy: %w; it says (%v):\n%s", role, ctx.Err(), err, said[max(0, len(said)-2000):])
		case <-ticker.C:
		}
	}
}

// Signal sends a server a signal.
func (s *Spread) Signal(i int, sig syscall.Signal) error { return s.cmds[i].Process.Signal(sig) }

// Kill ends a server as kill -9 does.
func (s *Spread) Kill(i int) error { return kill(&s.cmds[i]) }

// Stop kills the servers: their data belongs to the test.
func (s *Spread) Stop() error {
	var errs []error
	for i, cmd := range s.cmds {
		if cmd != nil {
			errs = append(errs, s.Kill(i))
		}
	}
	return errors.Join(errs...)
}
