package upload_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/fetch"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/upload"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// serve starts a server over a world.
func serve(t *testing.T, w *enginetest.World) *httptest.Server {
	t.Helper()
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1000, Logger: slog.New(slog.DiscardHandler)}
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { h.Serve(w.Caller, rw, r) }))
	t.Cleanup(s.Close)
	return s
}

// A document is downloaded only if the server takes URLs, and never from a private address, not
// even by a redirect.
func TestDocumentsOfTheWeb(t *testing.T) {
	w := enginetest.New(t)
	page := "# Kite\n\nFold the tail before landing.\n"
	mux := http.NewServeMux()
	mux.HandleFunc("/kite.md", func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte(page)) })
	mux.HandleFunc("/away", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "http://10.0.0.1/secret", http.StatusFound)
	})
	web := httptest.NewServer(mux)
	defer web.Close()
	host := netip.MustParseAddrPort(web.Listener.Addr().String()).Addr()
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1000, Logger: slog.New(slog.DiscardHandler)}
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { h.Serve(w.Caller, rw, r) }))
	defer s.Close()
	ask := func(address string) upload.Result {
		t.Helper()
		status, body := post(t, s.URL+"/documents?consent=EXPLICIT&url="+url.QueryEscape(address), "", "", nil) // as curl -X POST sends it
		var a upload.Answer
		if err := json.Unmarshal(body, &a); err != nil || status != http.StatusOK || len(a.Documents) != 1 {
			t.Fatalf("%s: %d, %v, %s", address, status, err, body)
		}
		return a.Documents[0]
	}
	if x := ask(web.URL + "/kite.md"); x.Error == nil || x.Error.Field != "url" || !strings.Contains(x.Error.Message, "--ingest-urls") {
		t.Errorf("URLs are off: %+v", x.Error)
	}
	h.Fetch = fetch.New(fetch.Options{Allow: func(a netip.Addr) bool { return a == host }}).Get // the test's own server
	if x := ask(web.URL + "/kite.md"); x.Error != nil || x.Written != 1 || x.Path != web.URL+"/kite.md" {
		t.Errorf("a page: %+v, %+v", x, x.Error)
	}
	if x := ask(web.URL + "/kite.md"); !x.Unchanged {
		t.Errorf("the same page again: %+v, %+v", x, x.Error)
	}
	for _, address := range []string{web.URL + "/away", "http://10.0.0.1/", "ftp://example.org/a.md", web.URL + "/none"} {
		if x := ask(address); x.Error == nil || x.Error.Field != "url" || x.Document != nil {
			t.Errorf("%s: %+v", address, x)
		}
	}
	h.Fetch = fetch.New(fetch.Options{}).Get
	if x := ask(web.URL + "/kite.md"); x.Error == nil || !strings.Contains(x.Error.Message, "not public") {
		t.Errorf("loopback: %+v", x.Error)
	}
}

// post sends a body and returns the status and the response.
func post(t *testing.T, url, contentType, accept string, body []byte) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var b bytes.Buffer
	if _, err := b.ReadFrom(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, b.Bytes()
}

// form makes a form with fields and files, in order.
func form(t *testing.T, fields map[string]string, files ...[2]string) (contentType string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		if err := w.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		p, err := w.CreateFormFile("file", f[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.Bytes()
}

func TestFormWithRefusedFilesStoresTheOthers(t *testing.T) {
	w := enginetest.New(t)
	s := serve(t, w)
	media, body := form(t, map[string]string{"consent": "EXPLICIT", "user": "ana", "project": "heron"},
		[2]string{"kites/a.md", "# Kite\n\nThe Heron is red.\n"}, [2]string{"bad.pdf", "%PDF-1.7 cut"}, [2]string{"big.txt", strings.Repeat("words and ", 200)},
		[2]string{"b.txt", "The Stork is white."})
	status, text := post(t, s.URL+"/documents", media, "application/json", body)
	var a upload.Answer
	if err := json.Unmarshal(text, &a); err != nil || status != http.StatusOK || len(a.Documents) != 4 {
		t.Fatalf("%d: %s, %v", status, text, err)
	}
	for i, want := range []struct{ path, code string }{{"kites/a.md", ""}, {"bad.pdf", "INVALID_REQUEST"}, {"big.txt", "LIMIT_EXCEEDED"}, {"b.txt", ""}} {
		x := a.Documents[i]
		if x.Path != want.path || (x.Error == nil) != (want.code == "") || x.Error != nil && (x.Error.Code != want.code || x.Error.Message == "" || x.Error.Field != "text") {
			t.Errorf("%s: %+v, %+v", want.path, x, x.Error)
		}
	}
	if d := a.Documents[0]; d.Document == nil || d.Written != 1 || d.Document.Version != 1 || d.Document.Status != "CURRENT" {
		t.Errorf("the first document is %+v", d)
	}
	page, _, err := w.Documents(t.Context(), w.Caller, nil, 10, "")
	if err != nil || len(page) != 2 || page[0].User != "ana" || page[0].Project != "heron" {
		t.Errorf("stored are %v, %v", page, err)
	}
}

func TestSecondFileOfAPathIsRefused(t *testing.T) {
	w := enginetest.New(t)
	s := serve(t, w)
	media, body := form(t, map[string]string{"consent": "EXPLICIT"}, [2]string{"README.md", "The Heron is red."}, [2]string{"README.md", "The Stork is white."}, [2]string{"b/README.md", "The Gull is grey."})
	status, text := post(t, s.URL+"/documents", media, "", body)
	var a upload.Answer
	if err := json.Unmarshal(text, &a); err != nil || status != http.StatusOK || len(a.Documents) != 3 {
		t.Fatalf("%d: %s, %v", status, text, err)
	}
	if x := a.Documents[1]; x.Error == nil || x.Error.Field != "path" || a.Documents[0].Error != nil || a.Documents[2].Error != nil {
		t.Errorf("the files are %s", text)
	}
	if page, _, err := w.Documents(t.Context(), w.Caller, nil, 10, ""); err != nil || len(page) != 2 || page[0].Version+page[1].Version != 2 {
		t.Errorf("stored are %v, %v", page, err)
	}
}

func TestBodyIsOneDocument(t *testing.T) {
	s := serve(t, enginetest.New(t))
	const at = "/documents?path=notes/kite.md&consent=EXPLICIT"
	status, text := post(t, s.URL+at, "text/markdown", "application/x-ndjson", []byte("# Kite\n\nThe Heron is red.\n"))
	var phases []string
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var x upload.Result
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		phases = append(phases, x.Phase)
	}
	if want := []string{"READING", "EMBEDDING", "WRITING", "DONE", ""}; status != http.StatusOK || !slices.Equal(phases, want) {
		t.Errorf("%d: %s", status, text)
	}
	if _, text = post(t, s.URL+at, "text/markdown", "", []byte("# Kite\n\nThe Heron is red.\n")); !strings.Contains(string(text), `"unchanged":true`) {
		t.Errorf("again: %s", text)
	}
}

func TestFaultyRequestNamesItsFault(t *testing.T) {
	s := serve(t, enginetest.New(t))
	media, unknown := form(t, map[string]string{"colour": "red"})
	for what, c := range map[string]struct {
		query, media string
		body         []byte
		status       int
		says         string
	}{
		"no path":           {"", "text/plain", []byte("words"), 400, "path or url is required"},
		"unknown parameter": {"?path=a&colour=red", "text/plain", []byte("words"), 400, "colour"},
		"unknown field":     {"", media, unknown, 400, "colour"},
		"cut form":          {"", media, unknown[:20], 400, "no file"},
		"consent":           {"?path=a.txt&consent=PERHAPS", "text/plain", []byte("words"), 200, "EXPLICIT, IMPLICIT or NONE"},
		"no consent":        {"?path=a.txt", "text/plain", []byte("words"), 200, "CONSENT_REQUIRED"},
	} {
		if status, text := post(t, s.URL+"/documents"+c.query, c.media, "", c.body); status != c.status || !strings.Contains(string(text), c.says) {
			t.Errorf("%s: %d %s", what, status, text)
		}
	}
	resp, err := http.Get(s.URL + "/documents")
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET answers %d, %v", resp.StatusCode, err)
	}
}

func TestBudgetRefusesFiles(t *testing.T) {
	w := enginetest.New(t)
	h := &upload.Handler{Engine: w.Engine, MaxBytes: 1000, Logger: slog.New(slog.DiscardHandler), Admit: admitNone}
	r := httptest.NewRequest(http.MethodPost, "/documents?path=a.txt&consent=EXPLICIT", strings.NewReader("words"))
	rec := httptest.NewRecorder()
	h.Serve(engine.Loopback(), rec, r)
	if !strings.Contains(rec.Body.String(), "RATE_LIMITED") {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

func TestFindLeavesOutWhatIsIgnored(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".git/config": "", ".gitignore": "*.log\n!keep.log\n/build/\nnode_modules/\n", "a.md": "", "x.log": "", "keep.log": "", "build/b.md": "",
		"docs/build/c.md": "", "docs/node_modules/n.md": "", "docs/.gitignore": "draft-*\n", "docs/draft-1.md": "", "docs/d.md": "", "docs/.hidden/h.md": "", ".env": "",
	} {
		at := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "a.md"), filepath.Join(root, "link.md")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	for _, c := range []struct {
		args []string
		keep bool
		want string
	}{
		{[]string{"."}, true, "a.md docs/build/c.md docs/d.md keep.log"},
		{[]string{"docs"}, true, "docs/build/c.md docs/d.md"},
		{[]string{"docs", "./docs/d.md"}, true, "docs/build/c.md docs/d.md"},
		{[]string{"x.log"}, true, "x.log"},
		{[]string{"**/*.md"}, true, "a.md build/b.md docs/build/c.md docs/d.md docs/draft-1.md docs/node_modules/n.md link.md"},
		{[]string{"docs"}, false, "docs/build/c.md docs/d.md docs/draft-1.md docs/node_modules/n.md"},
	} {
		files, err := upload.Find(c.args, c.keep)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range files {
			if !strings.Contains(f.Path, ".hidden") {
				got = append(got, f.Path)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %v, want %s", c.args, got, c.want)
		}
	}
	for _, arg := range []string{"missing.md", "*.missing", "[x"} {
		if _, err := upload.Find([]string{arg}, true); err == nil {
			t.Errorf("%s is found", arg)
		}
	}
}
