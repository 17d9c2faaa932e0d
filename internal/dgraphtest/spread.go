package dgraphtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strconv"
	"syscall"

	"github.com/somnograph/somnograph/internal/proctest"
)

// Place is where a server of a spread cluster runs.
type Place = proctest.Place

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
	binary, err := proctest.Program(ctx, "dgraph")
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
	cmd := at.Command(s.binary, append(args, "--telemetry", "reports=false; sentry=false")...)
	if err := proctest.Start(cmd, s.dir, role); err != nil {
		return err
	}
	s.cmds[i] = cmd
	client := &http.Client{Transport: &http.Transport{DialContext: at.DialContext, DisableKeepAlives: true}}
	return healthy(ctx, s.dir, role, client, "http://"+local(port))
}

// Signal sends a server a signal.
func (s *Spread) Signal(i int, sig syscall.Signal) error { return s.cmds[i].Process.Signal(sig) }

// Kill ends a server as kill -9 does.
func (s *Spread) Kill(i int) error { return proctest.Kill(&s.cmds[i]) }

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
