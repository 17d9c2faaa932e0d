package web

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/somnograph/somnograph/viz/frame"
)

func get(t *testing.T, h http.Handler, method, target string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	if header != nil {
		r.Header = header
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var reference = regexp.MustCompile(`(?:src|href)="\./([^"]+)"`)

func TestExplorerIsEmbedded(t *testing.T) {
	page := get(t, Handler(), http.MethodGet, "/", nil)
	html := text(t, page)
	if page.StatusCode != http.StatusOK || !strings.Contains(html, "<title>Somnograph</title>") {
		t.Fatalf("%d: %.200s", page.StatusCode, html)
	}
	if got := page.Header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("the page may be cached: %q", got)
	}
	for _, name := range []string{"<style", " style=", "<script>", "onload=", "http://", "https://"} {
		if strings.Contains(html, name) {
			t.Errorf("the page contains %q, which the policy forbids", name)
		}
	}
	// The scene is not a file: another handler serves it.
	before, after, found := strings.Cut(html, `<link rel="preload" href="./viz/graph" as="fetch" crossorigin`)
	if !found {
		t.Error("the page does not preload the scene")
	}
	references := reference.FindAllStringSubmatch(before+after, -1)
	if len(references) < 3 {
		t.Fatalf("the page refers to %d files", len(references))
	}
	for _, m := range references {
		file := get(t, Handler(), http.MethodGet, "/"+m[1], nil)
		if file.StatusCode != http.StatusOK || text(t, file) == "" {
			t.Errorf("%s: %d", m[1], file.StatusCode)
		}
		if strings.HasPrefix(m[1], "assets/") && !strings.Contains(file.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s is not cached: %q", m[1], file.Header.Get("Cache-Control"))
		}
		if strings.HasSuffix(m[1], ".js") && file.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%s is %q", m[1], file.Header.Get("Content-Type"))
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, target := range []string{"/", "/nowhere", "/favicon.svg"} {
		r := get(t, Handler(), http.MethodGet, target, nil)
		if r.Header.Get("Content-Security-Policy") != Policy || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", target, r.Header)
		}
	}
	if strings.Contains(Policy, "unsafe") {
		t.Error("the policy allows something unsafe")
	}
}

func TestNotModified(t *testing.T) {
	tag := get(t, Handler(), http.MethodGet, "/", nil).Header.Get("ETag")
	if again := get(t, Handler(), http.MethodGet, "/", http.Header{"If-None-Match": {tag}}); tag == "" || again.StatusCode != http.StatusNotModified {
		t.Errorf("with tag %q: %d", tag, again.StatusCode)
	}
}

func TestNotFound(t *testing.T) {
	for _, target := range []string{"/nowhere", "/assets", "/assets/", "/../embed.go", "/assets/../../embed.go", "/dist/index.html"} {
		if r := get(t, Handler(), http.MethodGet, target, nil); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", target, r.StatusCode)
		}
	}
	if r := get(t, Handler(), http.MethodPost, "/", nil); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") == "" {
		t.Errorf("POST: %d", r.StatusCode)
	}
	if r := get(t, Handler(), http.MethodHead, "/", nil); r.StatusCode != http.StatusOK || text(t, r) != "" {
		t.Errorf("HEAD: %d", r.StatusCode)
	}
}

func TestUnbuilt(t *testing.T) {
	r := get(t, handler(fstest.MapFS{}), http.MethodGet, "/", nil)
	if html := text(t, r); r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(html, "npm run build") {
		t.Errorf("%d: %s", r.StatusCode, html)
	}
}

// Page and server must have the same frame version.
func TestFrameVersion(t *testing.T) {
	source, err := os.ReadFile("src/api/frame.ts")
	if err != nil {
		t.Fatal(err)
	}
	if want := "FRAME_VERSION = " + strconv.Itoa(frame.Version) + "\n"; !strings.Contains(string(source), want) {
		t.Errorf("src/api/frame.ts does not say %q", want)
	}
}

// The first view needs the page, its scripts and styles, and the font. Its size is that of the
// responses, compressed by the server.
func TestFirstViewSize(t *testing.T) {
	page, err := files.ReadFile("dist/index.html")
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`assets/[^"]+\.(?:js|css)`).FindAllString(string(page), -1)
	fonts, err := fs.Glob(files, "dist/assets/inter-latin-wght-*.woff2")
	if err != nil || len(fonts) != 1 || len(names) < 2 {
		t.Fatalf("the page refers to %q, fonts %q, %v", names, fonts, err)
	}
	size := func(accept, encoding string) int {
		total := 0
		for _, name := range append([]string{"", strings.TrimPrefix(fonts[0], "dist/")}, names...) {
			r := get(t, Handler(), http.MethodGet, "/"+name, http.Header{"Accept-Encoding": {accept}})
			if want := map[bool]string{true: "", false: encoding}[strings.HasSuffix(name, ".woff2")]; r.StatusCode != 200 || r.Header.Get("Content-Encoding") != want {
				t.Errorf("/%s: %d, Content-Encoding %q, want %q", name, r.StatusCode, r.Header.Get("Content-Encoding"), want)
			}
			total += len(text(t, r))
		}
		return total
	}
	gzip, zstd := size("gzip, br", "gzip"), size("gzip, deflate, br, zstd", "zstd")
	t.Logf("%d bytes of gzip, %d of zstd", gzip, zstd)
	if gzip > 350_000 {
		t.Errorf("the first view is %d bytes, more than 350,000", gzip)
	}
	if zstd > gzip {
		t.Errorf("browsers that accept zstd get %d bytes, more than %d of gzip", zstd, gzip)
	}
}

// Compressed and plain responses have the same content, and one ETag revalidates both.
func TestCompressedFiles(t *testing.T) {
	zipped := get(t, Handler(), http.MethodGet, "/", http.Header{"Accept-Encoding": {"gzip"}})
	plain := get(t, Handler(), http.MethodGet, "/", nil)
	z, err := gzip.NewReader(zipped.Body)
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := io.ReadAll(z)
	if err != nil || string(unzipped) != text(t, plain) || !strings.Contains(zipped.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("%d bytes, %v, Vary %q", len(unzipped), err, zipped.Header.Get("Vary"))
	}
	for _, encoding := range []string{"gzip", "identity"} {
		r := get(t, Handler(), http.MethodGet, "/", http.Header{"Accept-Encoding": {encoding}, "If-None-Match": {zipped.Header.Get("ETag")}})
		if r.StatusCode != http.StatusNotModified {
			t.Errorf("%s: %d, want 304", encoding, r.StatusCode)
		}
	}
}
