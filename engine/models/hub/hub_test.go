package hub

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The test servers replace the hub. They use its paths, statuses and headers.

const secret = "hf_secret"

var (
	table = bytes.Repeat([]byte("table of vectors "), 200_000) // 3 MB
	words = []byte(`{"model":{"type":"WordPiece"}}`)
	files = []File{{"model.safetensors", 16 << 20}, {"tokenizer.json", 1 << 20}}
)

// hubWith answers for o/m@main at the top level the requests that handler does not answer.
func hubWith(t *testing.T, asked *atomic.Int64, handler func(w http.ResponseWriter, r *http.Request) bool) *httptest.Server {
	t.Helper()
	store := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the token reached the store")
		}
		w.Header().Set("ETag", `"`+strings.Repeat("0", 64)+`"`) // the storage's own, not a digest
		if _, err := w.Write(table); err != nil && r.Context().Err() == nil {
			t.Error(err)
		}
	}))
	t.Cleanup(store.Close)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if handler != nil && handler(w, r) {
			return
		}
		w.Header().Set("X-Repo-Commit", strings.Repeat("c", 40))
		switch r.URL.Path {
		case "/o/m/resolve/main/model.safetensors":
			sum := sha256.Sum256(table)
			w.Header().Set("X-Linked-Etag", `"`+hex.EncodeToString(sum[:])+`"`)
			w.Header().Set("X-Linked-Size", fmt.Sprint(len(table)))
			// Another host for the client: it must not send the token there.
			http.Redirect(w, r, strings.Replace(store.URL, "127.0.0.1", "localhost", 1), http.StatusFound)
		case "/o/m/resolve/main/tokenizer.json":
			blob := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(words), words))
			w.Header().Set("ETag", `"`+hex.EncodeToString(blob[:])+`"`)
			if _, err := w.Write(words); err != nil {
				t.Error(err)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

func wantFiles(t *testing.T, dir string) {
	t.Helper()
	for name, want := range map[string][]byte{"model.safetensors": table, "tokenizer.json": words} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	wantNoParts(t, dir)
}

// wantNoParts fails the test if a partial download remains.
func wantNoParts(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is left", e.Name())
		}
	}
}

func TestModelIsDownloadedOnce(t *testing.T) {
	var asked atomic.Int64
	srv := hubWith(t, &asked, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("asked with %q", r.Header.Get("Authorization"))
		}
		return false
	})
	var last, whole int64
	h := Hub{URL: srv.URL + "/", Token: secret, Dir: t.TempDir(), Progress: func(file string, done, total int64) {
		if file == "model.safetensors" {
			last, whole = done, total
		}
	}}
	dir, err := h.Fetch(t.Context(), "o/m", files, "")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir)
	if last != int64(len(table)) || whole != last {
		t.Errorf("progress ended at %d of %d", last, whole)
	}
	srv.Close() // no hub from here on
	before := asked.Load()
	again, err := h.Fetch(t.Context(), "o/m@main", files, "")
	if err != nil || again != dir || asked.Load() != before {
		t.Errorf("again: %s, %v", again, err)
	}
}

func TestModelInDirectory(t *testing.T) {
	var asked atomic.Int64
	srv := hubWith(t, &asked, func(_ http.ResponseWriter, r *http.Request) bool {
		if rest, inside := strings.CutPrefix(r.URL.Path, "/o/m/resolve/v1/0_Static/"); inside {
			r.URL.Path = "/o/m/resolve/main/" + rest
		}
		return false
	})
	dir, err := Hub{URL: srv.URL, Dir: t.TempDir()}.Fetch(t.Context(), "o/m@v1", files, "", "0_Static")
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, dir)
}

// An interrupted download is retried; a permanent failure leaves no file.
func TestInterruptedDownload(t *testing.T) {
	for name, broken := range map[string]func(w http.ResponseWriter, r *http.Request){
		"the hub is busy": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"other bytes than the hub names": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Linked-Etag", strings.Repeat("0", 64))
			_, _ = w.Write(table) // the client may hang up
		},
		"cut short": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(table)))
			_, _ = w.Write(table[:1000])
		},
	} {
		for _, times := range []int64{attempts - 1, attempts} {
			var asked, failed atomic.Int64
			srv := hubWith(t, &asked, func(w http.ResponseWriter, r *http.Request) bool {
				if strings.HasSuffix(r.URL.Path, "safetensors") && failed.Add(1) <= times {
					broken(w, r)
					return true
				}
				return false
			})
			h := Hub{URL: srv.URL, Dir: t.TempDir()}
			dir, err := h.Fetch(t.Context(), "o/m", files, "")
			switch {
			case times < attempts && err != nil:
				t.Errorf("%s: %v", name, err)
			case times < attempts:
				wantFiles(t, dir)
			case err == nil:
				t.Errorf("%s: fetched", name)
			default:
				wantNoParts(t, filepath.Join(h.Dir, "o--m", "main"))
				if strings.Contains(err.Error(), srv.URL) {
					t.Errorf("%s: the error names the URL: %v", name, err)
				}
			}
			srv.Close()
		}
	}
}

// mute sends nothing before its request ends.
type mute struct{ ended chan struct{} }

func (m mute) Read([]byte) (int, error) {
	<-m.ended
	return 0, context.Canceled
}

func TestStalledDownload(t *testing.T) {
	body := mute{make(chan struct{})}
	p := &patient{body: body, most: 1, stall: 1, stop: func() { close(body.ended) }}
	if _, err := p.Read(make([]byte, 1)); !errors.Is(err, errStalled) {
		t.Errorf("ended with %v", err)
	}
}

func TestFetchErrors(t *testing.T) {
	var asked atomic.Int64
	srv := hubWith(t, &asked, func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.HasPrefix(r.URL.Path, "/closed/"):
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasPrefix(r.URL.Path, "/half/") && strings.HasSuffix(r.URL.Path, "safetensors"):
			_, _ = w.Write([]byte("x"))
		default:
			return false
		}
		return true
	})
	dir := t.TempDir()
	for name, want := range map[string]string{
		"m":         "owner/model",
		"../m":      "owner/model",
		"o/m/x":     "owner/model",
		"o/..":      "owner/model",
		"o/m@../..": "owner/model",
		"o/other":   "no such model",
		"o/m@v9":    "no such model",
		"closed/m":  "requires a token",
		"half/m":    "no tokenizer.json next to",
	} {
		if _, err := (Hub{URL: srv.URL, Dir: dir}).Fetch(t.Context(), name, files, "", "sub"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	small := []File{{"model.safetensors", 1000}}
	if _, err := (Hub{URL: srv.URL, Dir: dir}).Fetch(t.Context(), "o/m", small, ""); err == nil || !strings.Contains(err.Error(), "more than 1000") {
		t.Errorf("too long: %v", err)
	}
	for _, u := range []string{"ftp://h", "h", "https://"} {
		if _, err := (Hub{URL: u, Dir: dir}).Fetch(t.Context(), "o/m", files, ""); err == nil {
			t.Errorf("%s was taken", u)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Hub{URL: srv.URL, Dir: t.TempDir()}).Fetch(ctx, "o/m", files, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}
