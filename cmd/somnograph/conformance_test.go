package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/mcp"
)

// The official conformance suite calls tools with fixed names, so the SDK's own test server answers
// behind this server's chain of handlers: guard, headers, body deadline, credentials, limits. All
// scenarios that a revision of the protocol requires must pass. UPDATE=1 writes the report.
func TestMCPConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	suite, err := filepath.Abs(filepath.Join("..", "..", "test", "conformance", "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(suite); err != nil {
		t.Skip("run npm ci in test/conformance first")
	}
	bin := filepath.Join(t.TempDir(), "fixtures")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "github.com/modelcontextprotocol/go-sdk/conformance/everything-server").CombinedOutput(); err != nil {
		t.Fatalf("build the fixtures: %v\n%s", err, out)
	}
	var report strings.Builder
	report.WriteString(reportHead)
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		var text string
		var err error
		for range conformanceTries {
			// Revision 2025-11-25 has sessions, and requires them where a server asks its client.
			endpoint := chain(t, fixtures(t, bin, revision >= "2026-07-28"))
			cmd := exec.CommandContext(t.Context(), filepath.Join(suite, ".bin", "node"), filepath.Join(suite, "@modelcontextprotocol", "conformance", "dist", "index.js"),
				"server", "--url", endpoint, "--requirements", revision, "--output-dir", t.TempDir())
			var out []byte
			out, err = cmd.CombinedOutput()
			if text = escapes.ReplaceAllString(string(out), ""); err == nil {
				break
			}
			t.Logf("revision %s: %v\n%s", revision, err, text)
		}
		if err != nil {
			t.Errorf("revision %s fails %d times", revision, conformanceTries)
			continue
		}
		conformanceOf(t, &report, revision, text)
	}
	path := filepath.Join("..", "..", "docs", "mcp-conformance.md")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(report.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != report.String() {
		t.Errorf("%s is not the report of this run (%v); write it with UPDATE=1", path, err)
	}
}

// conformanceTries is how often a revision may be run. A scenario ends after 30 s, which it may
// reach on a busy machine while its client and the fixtures wait for each other.
const conformanceTries = 3

// escapes are colours and the like.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// fixtures starts the SDK's test server and returns its address.
func fixtures(t *testing.T, bin string, stateless bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	log := &lockedBuffer{}
	cmd := exec.Command(bin, "-http", addr, "-stateless="+strconv.FormatBool(stateless))
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	})
	for end := time.Now().Add(testTimeout); ; time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			return addr
		}
		if time.Now().After(end) {
			t.Fatalf("the fixtures do not answer: %v\n%s", err, log)
		}
	}
}

// chain serves /mcp as the server does, with the fixtures in place of the tools.
func chain(t *testing.T, fixtures string) string {
	t.Helper()
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: fixtures})
	proxy.FlushInterval = -1 // streams
	service := mcp.New(mcp.Config{
		Authenticate: func(*http.Request) (engine.Caller, error) { return engine.Loopback(), nil },
		Transport:    proxy,
	})
	mux := http.NewServeMux()
	service.Routes(mux, func(h http.Handler) http.Handler { return h })
	gate := httpd.NewGate("test", time.Now)
	l, err := httpd.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := httpd.Start(l, httpd.Options{Gate: gate, Logger: slog.New(slog.DiscardHandler), Now: time.Now})
	gate.Open(mux, func(context.Context) error { return nil }, func() bool { return false })
	t.Cleanup(func() {
		service.Close()
		if err := server.Shutdown(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return "http://" + server.Addr().String() + "/mcp"
}

const reportHead = `# Conformance of the MCP endpoint

The official suite [@modelcontextprotocol/conformance](https://www.npmjs.com/package/@modelcontextprotocol/conformance) 0.2.0-alpha.12 runs
every scenario that a revision of the protocol requires of a server. Its scenarios call tools with fixed names. So the test server of the
Go SDK answers them, behind the chain of handlers of Somnograph. ` + "`go test ./cmd/somnograph -run TestMCPConformance`" + ` repeats the run, and fails
if a scenario fails or if this report differs.

Somnograph itself keeps no sessions over HTTP. So for revision 2025-11-25 its own tools do not use what the scenarios
` + "`tools-call-elicitation`, `tools-call-sampling` and `elicitation-*`" + ` test: ` + "`forget`" + ` asks for a second call instead. Over standard input and
output, and with revision 2026-07-28, it asks the user through the client. For 2025-11-25 the test server runs with sessions.
`

// result is the line of one scenario in the summary of the suite.
var result = regexp.MustCompile(`^. (\S+): (\d+) passed, (\d+) failed`)

// unscored is the line of a scenario that a revision does not require.
var unscored = regexp.MustCompile(`^  . (\S+) \((\w+)\)`)

// conformanceOf adds the results of a revision to the report. The output must have no scored
// scenario that failed.
func conformanceOf(t *testing.T, b *strings.Builder, revision, output string) {
	t.Helper()
	_, summary, found := strings.Cut(output, "=== SUMMARY ===")
	if !found {
		t.Fatalf("revision %s: no summary\n%s", revision, output)
	}
	other := map[string]string{} // unscored scenario: why
	for _, line := range strings.Split(summary, "\n") {
		if m := unscored.FindStringSubmatch(line); m != nil {
			other[m[1]] = m[2]
		}
	}
	var scored, rest strings.Builder
	scenarios := 0
	for _, line := range strings.Split(summary, "\n") {
		m := result.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		// The number of checks differs between runs of one scenario, so it is left out.
		if why := other[m[1]]; why != "" {
			fmt.Fprintf(&rest, "- `%s` (%s)\n", m[1], why)
			continue
		}
		if m[3] != "0" {
			t.Errorf("revision %s: %s", revision, line)
		}
		scenarios++
		fmt.Fprintf(&scored, "- `%s`\n", m[1])
	}
	if scenarios == 0 {
		t.Fatalf("revision %s: no scenario was run\n%s", revision, output)
	}
	fmt.Fprintf(b, "\n## Revision %s: %d of %d required scenarios pass\n\n%s", revision, scenarios, scenarios, scored.String())
	if rest.Len() > 0 {
		fmt.Fprintf(b, "\nRun, but not required:\n\n%s", rest.String())
	}
}
