package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// testTimeout limits the wait for a server.
const testTimeout = 5 * time.Minute

// commandVariable makes the test binary run the command.
const commandVariable = "SOMNOTEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(commandVariable) != "" {
		main()
		return
	}
	os.Exit(runInTemporaryHome(m))
}

// runInTemporaryHome runs the tests with a configuration directory of their own, which the
// servers that they start inherit: their default directory of keys is in it.
func runInTemporaryHome(m *testing.M) int {
	home, err := os.MkdirTemp("", "somnograph-config-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(home) }() // it is in the temporary directory
	if err := os.Setenv("XDG_CONFIG_HOME", home); err != nil {
		panic(err)
	}
	return m.Run()
}

// command runs the command in its own process.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), commandVariable+"=1", "XDG_CACHE_HOME="+t.TempDir())
	return cmd
}

// output runs a command and returns its output.
func output(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := command(t, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// server is a running server process.
type server struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	log  *lockedBuffer
	done chan error
	dial func(ctx context.Context, network, address string) (net.Conn, error) // nil: the default
}

// lockedBuffer is a buffer for concurrent use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var explorerLine = regexp.MustCompile(`explorer +(https?://[^/]+)/`)

// start starts a server on a free port and waits until it is ready.
func start(t *testing.T, dir string, args ...string) *server {
	t.Helper()
	return waitReady(t, &server{t: t, cmd: serveCommand(t, dir, args...)})
}

// serveCommand is a serve command on a free port.
func serveCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	return command(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dir}, args...)...)
}

// waitReady starts a server process and waits until it is ready.
func waitReady(t *testing.T, s *server) *server {
	t.Helper()
	cmd := s.cmd
	s.log, s.done = &lockedBuffer{}, make(chan error, 1)
	cmd.Stderr = s.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-ended
	})
	ready := make(chan string, 1)
	go func() {
		defer close(ended)
		url := ""
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := explorerLine.FindStringSubmatch(lines.Text()); m != nil {
				url = m[1]
			}
			if strings.HasPrefix(lines.Text(), "ready in") {
				ready <- url
			}
		}
		s.done <- cmd.Wait()
		close(ready)
	}()
	select {
	case s.url = <-ready:
	case <-time.After(testTimeout):
	}
	if s.url == "" {
		t.Fatalf("the server did not become ready:\n%s", s.log)
	}
	return s
}

func (s *server) client() *client.Client {
	s.t.Helper()
	c, err := client.New(s.url, client.Options{Dial: s.dial})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	return c
}

func (s *server) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// exit waits for the end and returns the exit code.
func (s *server) exit() int {
	s.t.Helper()
	select {
	case <-s.done:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(testTimeout):
		s.t.Fatalf("the server did not end:\n%s", s.log)
		return 0
	}
}

// stop shuts the server down gracefully.
func (s *server) stop() {
	s.t.Helper()
	s.signal(syscall.SIGTERM)
	if code := s.exit(); code != 0 {
		s.t.Fatalf("exit code %d:\n%s", code, s.log)
	}
}

func (s *server) get(path string, header ...string) (int, http.Header, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		} else {
			req.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(body)
}

// remember writes one memory over the API and returns its id.
func remember(t *testing.T, c *client.Client, content string) string {
	t.Helper()
	var out struct {
		Remember struct{ Memory struct{ ID string } }
	}
	err := c.Do(t.Context(), `mutation($i:RememberInput!){remember(input:$i){memory{id}}}`,
		map[string]any{"i": map[string]any{"content": content, "consent": "EXPLICIT"}}, &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.Remember.Memory.ID
}
