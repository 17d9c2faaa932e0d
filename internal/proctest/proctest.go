// Package proctest runs the servers that tests need as processes.
package proctest

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
	"time"
)

// Place is where a server runs that is reached over a network: a machine, or a network
// namespace.
type Place interface {
	// Command is a command that runs there.
	Command(name string, args ...string) *exec.Cmd
	// Address is the address of a port of the place for others.
	Address(port int) string
	// DialContext connects from the place.
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Program is the path that a script in .ci prints. The script finds, downloads or builds the
// program, which may take minutes the first time.
func Program(ctx context.Context, script string) (string, error) {
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	cmd := exec.CommandContext(ctx, filepath.Join(filepath.Dir(strings.TrimSpace(string(mod))), ".ci", script))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("find %s: %w: %s", script, err, stderr.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// Start starts a server in a directory, with its output in the file role.log. On Linux it
// ends with the test process, even if that is killed.
func Start(cmd *exec.Cmd, dir, role string) error {
	log, err := os.OpenFile(logPath(dir, role), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the server has its own handle
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = dir, log, log, withParent()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", role, err)
	}
	return nil
}

func logPath(dir, role string) string { return filepath.Join(dir, role+".log") }

// Wait returns when ready reports true. The error after the limit has the end of the server's
// output.
func Wait(ctx context.Context, dir, role string, limit time.Duration, ready func(context.Context) bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for !ready(ctx) {
		select {
		case <-ctx.Done():
			log, err := os.ReadFile(logPath(dir, role))
			return fmt.Errorf("%s is not ready: %w; its output ends (%v):\n%s", role, ctx.Err(), err, log[max(0, len(log)-2000):])
		case <-ticker.C:
		}
	}
	return nil
}

// Kill ends a server as kill -9 does, and sets the command to nil.
func Kill(cmd **exec.Cmd) error {
	if err := (*cmd).Process.Kill(); err != nil {
		return err
	}
	var exit *exec.ExitError
	if err := (*cmd).Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	*cmd = nil
	return nil
}
