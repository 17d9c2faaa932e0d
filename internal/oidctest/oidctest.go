// Package oidctest runs a real OpenID Connect issuer for tests, the program test/oidc, on loopback. A
// missing program is a failure, not a reason to skip.
package oidctest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/internal/proctest"
)

// Issuer is a running issuer. Its users and clients are listed in test/oidc.
type Issuer struct {
	URL string

	t       testing.TB
	program string
	cmd     *exec.Cmd // nil: it is not running
	stdin   io.Closer
	runs    int
}

// Start starts an issuer that ends with the test.
func Start(t testing.TB) *Issuer {
	t.Helper()
	program, err := proctest.Program(t.Context(), "oidc")
	if err != nil {
		t.Fatal(err)
	}
	i := &Issuer{t: t, program: program}
	i.run("127.0.0.1:0")
	t.Cleanup(func() {
		if i.cmd != nil {
			i.Stop()
		}
	})
	return i
}

// Restart starts an issuer that was stopped again, at the same address with other keys.
func (i *Issuer) Restart() {
	i.t.Helper()
	u, err := url.Parse(i.URL)
	if err != nil {
		i.t.Fatal(err)
	}
	i.run("127.0.0.1:" + u.Port())
}

func (i *Issuer) run(addr string) {
	i.t.Helper()
	i.cmd = exec.CommandContext(context.WithoutCancel(i.t.Context()), i.program, "-addr", addr)
	stdin, err := i.cmd.StdinPipe() // the issuer ends when it is closed
	if err != nil {
		i.t.Fatal(err)
	}
	i.runs++
	i.stdin = stdin
	dir, role := i.t.TempDir(), fmt.Sprintf("issuer%d", i.runs)
	if err := proctest.Start(i.cmd, dir, role); err != nil {
		i.t.Fatal(err)
	}
	err = proctest.Wait(i.t.Context(), dir, role, time.Minute, func(context.Context) bool {
		out, err := os.ReadFile(filepath.Join(dir, role+".log"))
		if err != nil {
			return false
		}
		_, rest, found := strings.Cut(string(out), "issuer http")
		line, _, whole := strings.Cut(rest, "\n")
		i.URL = "http" + line
		return found && whole
	})
	if err != nil {
		i.t.Fatal(err)
	}
}

// Stop ends the issuer.
func (i *Issuer) Stop() {
	i.t.Helper()
	_ = i.stdin.Close() // it is killed in any case
	if err := proctest.Kill(&i.cmd); err != nil {
		i.t.Fatal(err)
	}
}

// Control changes the issuer, see test/oidc: Control("lifetime", "seconds", "5").
func (i *Issuer) Control(what, name, value string) {
	i.t.Helper()
	i.post("/control/"+what, url.Values{name: {value}}, "")
}

// Token returns an access token of a user with those of the scopes that the user may have.
func (i *Issuer) Token(user string, scopes ...string) string {
	i.t.Helper()
	body := i.post("/oauth/token", url.Values{"grant_type": {"client_credentials"}, "scope": {strings.Join(append(scopes, "user:"+user), " ")}}, "service secret")
	var answer struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Token == "" {
		i.t.Fatalf("the issuer made no token: %v", err)
	}
	return answer.Token
}

func (i *Issuer) post(path string, form url.Values, secret string) []byte {
	i.t.Helper()
	r, err := http.NewRequestWithContext(i.t.Context(), http.MethodPost, i.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		i.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if secret != "" {
		r.SetBasicAuth("service", secret)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		i.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		i.t.Fatalf("%s: %d %s, %v", path, resp.StatusCode, body, err)
	}
	return body
}
