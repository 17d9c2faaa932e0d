package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestIngestStoresFoldersAndNamesRefusedFiles(t *testing.T) {
	s := start(t, t.TempDir())
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("guide.md", "# Guide\n\nThe spare sail lies in the loft.\n")
	write("stock.csv", "item,place\nline,quay\n")
	write("noise.md", "\x00\x01\xff\xfe\x00")
	write(".hidden.md", "not for others")
	out, errs, code := output(t, "ingest", "--dry-run", dir)
	if code != exitFailed || !strings.Contains(out, "2 files with 2 chunks would be sent, 1 would be refused") || !strings.Contains(errs, "noise.md: is unsupported: it is binary") {
		t.Errorf("dry run: code %d\n%s%s", code, out, errs)
	}
	out, errs, code = output(t, "ingest", "--addr", s.url, "--user", "ana", dir)
	if code != exitFailed || !strings.Contains(out, "3 files: 2 stored, 0 unchanged, 1 refused; 2 chunks written") || !strings.Contains(errs, "noise.md") {
		t.Errorf("ingest: code %d\n%s%s", code, out, errs)
	}
	write("guide.md", "# Guide\n\nThe spare sail lies in the cedar chest.\n")
	if err := os.Remove(filepath.Join(dir, "noise.md")); err != nil {
		t.Fatal(err)
	}
	var sum ingestSummary
	out, errs, code = output(t, "ingest", "--addr", s.url, "--user", "ana", "--json", dir)
	if err := json.Unmarshal([]byte(out), &sum); err != nil || code != 0 || sum.Files != 2 || sum.Unchanged != 1 || sum.Written != 1 || sum.Superseded != 1 {
		t.Errorf("again: code %d, %v\n%s%s", code, err, out, errs)
	}
	out, errs, code = output(t, "search", "--addr", s.url, "--user", "ana", "where does the spare sail lie")
	if code != 0 || !strings.Contains(out, "cedar chest") || strings.Contains(out, "loft") {
		t.Errorf("search: code %d\n%s%s", code, out, errs)
	}
	for _, args := range [][]string{{"ingest"}, {"ingest", "-"}, {"ingest", "--consent", "PERHAPS", dir}, {"ingest", "--path", "a.md", dir}, {"ingest", "ftp://example.org/a.md"}, {"ingest", "--dry-run", "HTTPS://example.org/a.md"}} {
		if out, errs, code := output(t, args...); code != exitUsage {
			t.Errorf("%v: code %d\n%s%s", args, code, out, errs)
		}
	}
	s.stop()
}

func TestPruneRemovesDocumentsWhoseFileIsGone(t *testing.T) {
	s := start(t, t.TempDir())
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("docs/lamp.md", "The puffin lamp is green.\n")
	write("docs/in/rope.md", "The dunlin rope is long.\n")
	write("docs2/sail.md", "The spare sail is white.\n")
	docs := filepath.Join(dir, "docs")
	succeed(t, "ingest", "--addr", s.url, "--user", "ana", dir)
	succeed(t, "ingest", "--addr", s.url, docs) // of nobody
	if err := os.Rename(filepath.Join(docs, "in", "rope.md"), filepath.Join(docs, "cord.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(docs, "lamp.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "docs2")); err != nil {
		t.Fatal(err)
	}
	kept := filepath.ToSlash(filepath.Join(docs, "kept.md")) // of an agent, which no file of this folder is
	resp, err := http.Post(s.url+"/documents?consent=EXPLICIT&user=ana&agent=bot&private=true&path="+url.QueryEscape(kept), "text/markdown", strings.NewReader("The plover kite is folded.\n"))
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(answer), `"DONE"`) {
		t.Fatalf("%v: %s", err, answer)
	}
	_ = resp.Body.Close()
	if _, errs, code := output(t, "ingest", "--addr", s.url, "--user", "ana", "--prune", "--dry-run", docs); code != 0 || strings.Count(errs, "would be removed: ") != 2 {
		t.Errorf("dry run: code %d, %s", code, errs)
	}
	if out := succeed(t, "ingest", "--addr", s.url, "--user", "ana", docs); !strings.Contains(out, "1 file: 1 stored, 0 unchanged, 0 refused; 1 chunk written, 0 ended") {
		t.Errorf("without --prune: %s", out)
	}
	if out := succeed(t, "ingest", "--addr", s.url, "--user", "ana", "--prune", docs); !strings.Contains(out, "1 file: 0 stored, 1 unchanged, 0 refused, 2 removed; 0 chunks written, 2 ended") {
		t.Errorf("with --prune: %s", out)
	}
	// What belongs to nobody stays.
	for query, want := range map[string]int{"puffin lamp": 1, "dunlin rope": 2, "spare sail": 1} {
		if out := succeed(t, "search", "--addr", s.url, "--user", "ana", query); strings.Count(out, "/DOCUMENT") != want {
			t.Errorf("%s: want %d hits\n%s", query, want, out)
		}
	}
	if out := succeed(t, "ingest", "--addr", s.url, "--user", "ana", "--prune", filepath.Join(dir, "docs2")); !strings.Contains(out, "0 files: 0 stored, 0 unchanged, 0 refused, 1 removed") {
		t.Errorf("a folder that is gone: %s", out)
	}
	if out := succeed(t, "ingest", "--addr", s.url, "--user", "ana", "--prune", docs); strings.Contains(out, "removed") {
		t.Errorf("again: %s", out)
	}
	write("docs/lamp.md", "The puffin lamp is green.\n")
	if out := succeed(t, "ingest", "--addr", s.url, "--user", "ana", docs); !strings.Contains(out, "1 stored, 1 unchanged, 0 refused; 1 chunk written") {
		t.Errorf("the file is back: %s", out)
	}
	for _, args := range [][]string{{"-"}, {"http://example.org/a.md"}, {"docs/*.md"}, {".."}, {"--path", "a.md", docs}} {
		if _, errs, code := output(t, append([]string{"ingest", "--addr", s.url, "--prune"}, args...)...); code != exitUsage || !strings.Contains(errs, "--prune") {
			t.Errorf("%v: code %d, %s", args, code, errs)
		}
	}
	s.stop()
}

// With --data the documents go into the directory of a stopped server, or to the server that has it
// open.
func TestIngestIntoADirectory(t *testing.T) {
	dir, docs := t.TempDir(), t.TempDir()
	file := filepath.Join(docs, "guide.md")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# Guide\n\nThe spare sail lies in the loft.\n")
	if out := succeed(t, "ingest", "--data", dir, file); !strings.Contains(out, "1 file: 1 stored") {
		t.Errorf("a stopped server: %s", out)
	}
	if out := succeed(t, "ingest", "--data", dir, file); !strings.Contains(out, "1 file: 0 stored, 1 unchanged") {
		t.Errorf("again: %s", out)
	}
	s := start(t, dir)
	if out := succeed(t, "search", "--addr", s.url, "where does the spare sail lie"); !strings.Contains(out, "loft") {
		t.Errorf("the server finds %s", out)
	}
	write("# Guide\n\nThe spare sail lies in the cedar chest.\n")
	if out := succeed(t, "ingest", "--data", dir, file); !strings.Contains(out, "1 stored") {
		t.Errorf("a running server: %s", out)
	}
	if out := succeed(t, "search", "--addr", s.url, "where does the spare sail lie"); !strings.Contains(out, "cedar chest") || strings.Contains(out, "loft") {
		t.Errorf("the server finds %s", out)
	}
	s.stop()
	if _, errs, code := output(t, "ingest", "--data", dir, "--addr", "127.0.0.1:1", file); code != exitUsage || !strings.Contains(errs, "exclude each other") {
		t.Errorf("both: code %d, %s", code, errs)
	}
	if out := succeed(t, "ingest", "--data", dir, "--dry-run", file); !strings.Contains(out, "would be sent") {
		t.Errorf("a dry run: %s", out)
	}
}
