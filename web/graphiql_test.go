package web

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestGraphiQLIsEmbedded(t *testing.T) {
	for _, target := range []string{"/graphiql", "/graphiql/"} {
		r := get(t, GraphiQL(), http.MethodGet, target, nil)
		html := text(t, r)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != "text/html; charset=utf-8" || r.Header.Get("Content-Security-Policy") != GraphiQLPolicy {
			t.Fatalf("%s: %d %v", target, r.StatusCode, r.Header)
		}
		loaded := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(html, -1)
		if len(loaded) < 3 {
			t.Errorf("the page refers to %d files", len(loaded))
		}
		for _, m := range loaded {
			if m[1] == "/favicon.svg" { // the explorer's
				continue
			}
			file := get(t, GraphiQL(), http.MethodGet, m[1], nil)
			if file.StatusCode != 200 || !strings.Contains(file.Header.Get("Cache-Control"), "immutable") || len(text(t, file)) == 0 {
				t.Errorf("%s: %d %v", m[1], file.StatusCode, file.Header)
			}
		}
		for _, name := range []string{"<style", " style=", "<script>", "onload=", "http://", "https://"} {
			if strings.Contains(html, name) {
				t.Errorf("the page contains %q", name)
			}
		}
	}
}

// Scripts run only from this origin, and nothing is requested from another.
func TestGraphiQLPolicy(t *testing.T) {
	for _, directive := range strings.Split(GraphiQLPolicy, "; ") {
		if strings.Contains(directive, "unsafe") && !strings.HasPrefix(directive, "style-src ") || strings.Contains(directive, "http") || strings.Contains(directive, "*") {
			t.Errorf("the policy has %q", directive)
		}
	}
}

func TestGraphiQLNotFound(t *testing.T) {
	for _, target := range []string{"/graphiql/nothing", "/graphiql/assets", "/graphiql/index.html.gz", "/graphiql/../graphiql.go", "/graphiql/../../embed.go"} {
		if r := get(t, GraphiQL(), http.MethodGet, target, nil); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", target, r.StatusCode)
		}
	}
	if r := get(t, GraphiQL(), http.MethodPost, "/graphiql", nil); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", r.StatusCode)
	}
	if r := get(t, GraphiQL(), http.MethodHead, "/graphiql", nil); r.StatusCode != 200 || text(t, r) != "" {
		t.Errorf("HEAD: %d", r.StatusCode)
	}
}

// Compressed and plain responses have the same content. Together the files are no larger than
// what a binary may grow by.
func TestGraphiQLIsCompressed(t *testing.T) {
	total := 0
	err := fs.WalkDir(graphiqlFiles, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if !strings.HasSuffix(name, ".gz") {
			t.Errorf("%s is not compressed", name)
		}
		body, err := graphiqlFiles.ReadFile(name)
		total += len(body)
		return err
	})
	if err != nil || total < 500_000 || total > 2_500_000 {
		t.Errorf("%d bytes, %v", total, err)
	}
	plain := text(t, get(t, GraphiQL(), http.MethodGet, "/graphiql", nil))
	r := get(t, GraphiQL(), http.MethodGet, "/graphiql", http.Header{"Accept-Encoding": {"gzip"}})
	z, err := gzip.NewReader(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := io.ReadAll(z)
	if err != nil || string(unzipped) != plain || r.Header.Get("Content-Encoding") != "gzip" || r.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("%d of %d bytes, %v, %v", len(unzipped), len(plain), err, r.Header)
	}
	if notices := text(t, get(t, GraphiQL(), http.MethodGet, "/graphiql/third-party.txt", nil)); !strings.Contains(notices, "graphiql 5.4.0 (MIT)") || !strings.Contains(notices, "monaco-editor ") {
		t.Error("the licences of what is embedded are not served")
	}
}
