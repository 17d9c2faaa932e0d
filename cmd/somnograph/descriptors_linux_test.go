package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/limits"
)

// Streams and silent connections that could use up all descriptors leave enough for the store.
func TestConnectionsLeaveDescriptorsForTheStore(t *testing.T) {
	serve := serveCommand(t, t.TempDir())
	limited := exec.Command("sh", append([]string{"-c", `ulimit -n 256; exec "$@"`, "sh"}, serve.Args...)...)
	limited.Env = serve.Env
	s := waitReady(t, &server{t: t, cmd: limited})
	c := s.client()
	remember(t, c, "The pump house has two pumps.") // the client's connection is open

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	streams := 0
	for range 100 {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/graphql", strings.NewReader(`{"query":"subscription{memoryEvents{kind}}"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "text/event-stream")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if body := resp.Body; resp.StatusCode == http.StatusOK {
			streams++
			t.Cleanup(func() { _ = body.Close() })
		} else {
			_ = body.Close()
		}
	}
	if want := int(limits.ShareDescriptors(256).Streams); streams != want {
		t.Errorf("%d streams are open, want %d", streams, want)
	}
	for range 300 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
	id := remember(t, c, "The pump house has three pumps.")
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid))
	if left := 256 - len(open); err != nil || left < limits.LeastKept/2 {
		t.Errorf("%d descriptors are left, want %d: %v", left, limits.LeastKept/2, err)
	}
	if known, err := c.Knows(t.Context(), id); err != nil || !known {
		t.Errorf("reads beside 400 connections: %v", err)
	}
	if !strings.Contains(s.log.String(), "too many connections") {
		t.Errorf("the log does not say so:\n%.2000s", s.log)
	}
	cancel()
	s.stop()
}
