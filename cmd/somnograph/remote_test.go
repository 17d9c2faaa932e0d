package main

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Commands reach a server behind a proxy with TLS, a certificate of a private authority, and
// basic authentication.
func TestCommandsReachAServerBehindAProxy(t *testing.T) {
	s := start(t, t.TempDir())
	target, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Header.Del("Authorization") }}
	proxy := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, password, ok := r.BasicAuth(); !ok || name != "anna" || password != "hush" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	defer proxy.Close()
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	block := &pem.Block{Type: "CERTIFICATE", Bytes: proxy.Certificate().Raw}
	if err := os.WriteFile(ca, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	remember(t, s.client(), "The winch sticks again.")
	t.Setenv("SOMNOGRAPH_PASSWORD", "hush")
	at := strings.Replace(proxy.URL, "https://", "https://anna@", 1)
	over := []string{"--addr", at, "--ca", ca}
	for want, args := range map[string][]string{
		"winch sticks": {"search", "winch"},
		"1 memory":     {"export", filepath.Join(dir, "out")},
		"ready":        {"ready"},
	} {
		if out, errs, code := output(t, append(args, over...)...); code != exitOK || !strings.Contains(out, want) {
			t.Errorf("%q: code %d: %s%s", args, code, out, errs)
		}
	}
	for name, x := range map[string]struct {
		args []string
		want string
		code int
	}{
		"no authority":         {[]string{"ready", "--addr", at}, "certificate", exitFailed},
		"nobody":               {[]string{"ready", "--addr", proxy.URL, "--ca", ca}, "who are you", exitFailed},
		"a file that is none":  {[]string{"ready", "--addr", at, "--ca", filepath.Join(dir, "none")}, "--ca", exitUsage},
		"a password in clear":  {[]string{"ready", "--addr", strings.Replace(s.url, "http://", "http://anna@", 1)}, "https only", exitUsage},
		"nobody at all":        {[]string{"ready", "--addr", "127.0.0.1:1"}, "no server answers", exitFailed},
		"a certificate beside": {[]string{"search", "x", "--addr", strings.Replace(at, "127.0.0.1", "localhost", 1), "--ca", ca}, "certificate", exitFailed},
	} {
		out, errs, code := output(t, x.args...)
		if code != x.code || !strings.Contains(errs, x.want) || strings.Contains(out+errs, "hush") {
			t.Errorf("%s: code %d\n%s%s", name, code, out, errs)
		}
	}
	s.stop()
}
