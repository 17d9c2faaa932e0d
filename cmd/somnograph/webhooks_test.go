package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A webhook is refused when it is made if its URL can't be public, however the host is written, unless the operator allows
// private addresses.
func TestWebhooksOfPrivateHostsAreRefused(t *testing.T) {
	strict, open := start(t, t.TempDir()), start(t, t.TempDir(), "--webhooks-allow-private")
	create := func(s *server, url string) string {
		t.Helper()
		body, err := json.Marshal(map[string]any{"query": `mutation($u: String!) { createWebhook(input: {url: $u}) { webhook { url } } }`, "variables": map[string]any{"u": url}})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post(s.url+"/graphql", "application/json", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(answer)
	}
	for _, host := range []string{"localhost", "app.localhost", "127.0.0.1", "127.1", "0x7f000001", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "metadata.google.internal", "redis"} {
		if a := create(strict, "https://"+host+":9000/hook"); !strings.Contains(a, `"INVALID_REQUEST"`) || !strings.Contains(a, `"field":"url"`) || !strings.Contains(a, "webhooks.allow-private") {
			t.Errorf("%s: %s", host, a)
		}
	}
	if a := create(strict, "https://app.example/hook"); strings.Contains(a, "errors") {
		t.Errorf("a public name: %s", a)
	}
	for _, url := range []string{"http://localhost:9000/hook", "http://127.0.0.1:9000/hook"} {
		if a := create(open, url); strings.Contains(a, "errors") {
			t.Errorf("allowed, %s: %s", url, a)
		}
	}
	strict.stop()
	open.stop()
}
