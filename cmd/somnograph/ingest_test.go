package main

import (
	"encoding/json"
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
	if code != exitFailed || !strings.Contains(out, "2 files with 2 chunks would be sent, 1 would be refused") || !strings.Contains(errs, "noise.md") {
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
	for _, args := range [][]string{{"ingest"}, {"ingest", "-"}, {"ingest", "--consent", "PERHAPS", dir}, {"ingest", "--path", "a.md", dir}} {
		if out, errs, code := output(t, args...); code != exitUsage {
			t.Errorf("%v: code %d\n%s%s", args, code, out, errs)
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
	if out := succeed(t, "ingest", "--data", dir, file); !strings.Contains(out, "1 files: 1 stored") {
		t.Errorf("a stopped server: %s", out)
	}
	if out := succeed(t, "ingest", "--data", dir, file); !strings.Contains(out, "1 files: 0 stored, 1 unchanged") {
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
