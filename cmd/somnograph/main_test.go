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

// patiently is when a test that waits for a server gives up.
const patiently = 5 * time.Minute

// asCommand makes the test binary be the command.
const asCommand = "SOMNOTEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// command is the command as a process of its own.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", "XDG_CACHE_HOME="+t.TempDir())
	return cmd
}

// output runs a command to its end.
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

// server is a running serve.
type server struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	log  *lockedBuffer
	done chan error
	dial func(ctx context.Context, network, address string) (net.Conn, error) // nil: as others do
}

// lockedBuffer is a buffer that two goroutines may use.
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

var explorerLine = regexp.MustCompile(`explorer +(http://[^/]+)/`)

// start starts a server on a free port and waits until it says that it is ready.
func start(t *testing.T, dir string, args ...string) *server {
	t.Helper()
	return begun(t, &server{t: t, cmd: serving(t, dir, args...)})
}

// serving is a serve on a free port.
func serving(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	return command(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dir}, args...)...)
}

// begun starts a server and waits until it says that it is ready.
func begun(t *testing.T, s *server) *server {
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
	case <-time.After(patiently):
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

// exit waits for the end and answers the code.
func (s *server) exit() int {
	s.t.Helper()
	select {
	case <-s.done:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(patiently):
		s.t.Fatalf("the server did not end:\n%s", s.log)
		return 0
	}
}

// stop ends the server gently.
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

// remember writes one memory over the API and answers its id.
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
