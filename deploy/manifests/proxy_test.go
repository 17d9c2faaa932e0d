package manifests

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// serve starts the program as the manifests do, but on a free port, and returns its URL.
func serve(t *testing.T, origin string) *url.URL {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program(t), "serve", "--data", t.TempDir(), "--keys", t.TempDir(), "--addr", "127.0.0.1:0", "--sleep-mode", "off")
	cmd.Env = []string{"SOMNOGRAPH_ALLOWED_ORIGINS=" + origin}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // the error says that it was killed
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(lines.Text()); at != "" {
			u, err := url.Parse(at)
			if err != nil {
				t.Fatal(err)
			}
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return u
		}
	}
	t.Fatal("the server did not start")
	return nil
}

// The server accepts requests from a proxy that sets Host as the Caddyfile does, for pages of the
// allowed origin only. It refuses a proxy that forwards the client's Host.
func TestServerBehindProxy(t *testing.T) {
	host := regexp.MustCompile(`header_up Host (127\.0\.0\.1:8420)`).FindStringSubmatch(read(t, "proxy/Caddyfile"))
	if host == nil {
		t.Fatal("the Caddyfile does not set Host")
	}
	const origin = "https://memory.example"
	server := serve(t, origin)
	proxy := func(name string) *httptest.Server {
		p := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(server)
			r.SetXForwarded()
			r.Out.Host = r.In.Host
			if name != "" {
				r.Out.Host = name
			}
		}})
		t.Cleanup(p.Close)
		return p
	}
	good, bad := proxy(host[1]), proxy("")
	ask := func(at *httptest.Server, path string, header map[string]string) int {
		method, body := http.MethodGet, ""
		if path == "/graphql" && header["Upgrade"] == "" {
			method, body = http.MethodPost, `{"query": "{ __typename }"}`
		}
		r, err := http.NewRequestWithContext(t.Context(), method, at.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "memory.example"
		r.Header.Set("Content-Type", "application/json")
		for k, v := range header {
			r.Header.Set(k, v)
		}
		answer, err := at.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Body.Close(); err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode
	}
	socket := func(origin string) map[string]string {
		return map[string]string{"Origin": origin, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
			"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "graphql-transport-ws"}
	}
	for _, x := range []struct {
		what   string
		at     *httptest.Server
		path   string
		header map[string]string
		want   int
	}{
		{"alive", good, "/livez", nil, 200},
		{"ready", good, "/readyz", nil, 200},
		{"the explorer", good, "/", nil, 200},
		{"an agent", good, "/graphql", nil, 200},
		{"our page", good, "/graphql", map[string]string{"Origin": origin, "Sec-Fetch-Site": "same-origin"}, 200},
		{"another page", good, "/graphql", map[string]string{"Origin": "https://elsewhere.example"}, 403},
		{"our page's socket", good, "/graphql", socket(origin), 101},
		{"another page's socket", good, "/graphql", socket("https://elsewhere.example"), 403},
		{"a proxy that forwards Host", bad, "/graphql", nil, 403},
		{"a probe of that proxy", bad, "/readyz", nil, 403},
	} {
		if got := ask(x.at, x.path, x.header); got != x.want {
			t.Errorf("%s: %d, want %d", x.what, got, x.want)
		}
	}
}
