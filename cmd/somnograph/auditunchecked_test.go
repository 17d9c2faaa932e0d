package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A check of a stopped server changes no file, also of a copy of the data directory, neither there nor in the directory of keys.
func TestCheckOfAStoppedServerChangesNothing(t *testing.T) {
	for _, seal := range []string{"on", "off"} {
		base := t.TempDir()
		at := func(name string) string { return filepath.Join(base, name) }
		s := start(t, at("data"), "--keys", at("keys"), "--seal="+seal)
		remember(t, s.client(), "The lane floods in spring.")
		s.stop()
		if err := os.CopyFS(at("copy"), os.DirFS(at("data"))); err != nil {
			t.Fatal(err)
		}
		for _, data := range []string{"data", "copy"} {
			before := filesBelow(t, base)
			if said := ran(t, "doctor", "--data", at(data), "--keys", at("keys")); !strings.Contains(said, "the data is sound") {
				t.Errorf("seal %s, %s: %s", seal, data, said)
			}
			if said := ran(t, "audit", "verify", "--data", at(data), "--keys", at("keys")); !strings.Contains(said, "rows 1 to ") || !strings.Contains(said, "the audit is intact") {
				t.Errorf("seal %s, %s: %s", seal, data, said)
			}
			after := filesBelow(t, base)
			for name, was := range before {
				if after[name] != was {
					t.Errorf("seal %s, %s: %s changed from %.200q to %.200q", seal, data, name, was, after[name])
				}
			}
			if len(after) != len(before) {
				t.Errorf("seal %s, %s: %d files, before there were %d", seal, data, len(after), len(before))
			}
		}
	}
}

// filesBelow is the time of change and the hash of each file below a directory, by its path.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		files[path] = fmt.Sprintf("%s %x", info.ModTime(), sha256.Sum256(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// An audit whose keys are missing is not said to be intact, the check makes no keys, and serve and doctor name it.
func TestAnAuditWithoutKeysIsNotChecked(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	place := []string{"--data", at("data"), "--keys", at("keys")}
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	s.stop()
	keys := func() []string {
		t.Helper()
		all, err := filepath.Glob(filepath.Join(at("keys"), "*", "secrets", "audit-*"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	verify := append([]string{"audit", "verify"}, place...)
	before := ran(t, verify...)
	if !strings.Contains(before, "the audit is intact") || ran(t, verify...) != before {
		t.Errorf("%s: a check wrote to the audit, or is not repeated", before)
	}
	chain := strings.TrimSuffix(strings.Fields(before)[1], ":")
	if len(keys()) == 0 {
		t.Fatal("no keys")
	}
	for _, path := range keys() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	unchecked := func(when string, args ...string) {
		t.Helper()
		out, errs, code := output(t, append(verify, args...)...)
		if said := out + errs; code != exitFailed || strings.Contains(said, "intact") || !strings.Contains(said, "the audit was not checked") {
			t.Errorf("%s: code %d, %s", when, code, said)
		}
	}
	unchecked("without keys")
	unchecked("without keys, the chain is known", "--other-chain", chain) // nothing was checked
	if left := keys(); len(left) > 0 {
		t.Errorf("a check made %v", left)
	}
	out, errs, code := output(t, append([]string{"doctor"}, place...)...)
	if said := out + errs; code != exitFailed || !strings.Contains(said, "the keys of chain "+chain+" are missing") {
		t.Errorf("doctor: code %d, %s", code, said)
	}
	s = start(t, at("data"), "--keys", at("keys"))
	if said := s.log.String(); !strings.Contains(said, "the directory of keys has no key of it") {
		t.Errorf("serve: %s", said)
	}
	remember(t, s.client(), "The lane is dry in summer.")
	if out, errs, code := output(t, "audit", "verify", "--addr", s.url); code != exitFailed || strings.Contains(out, "intact") {
		t.Errorf("of a server with another chain: code %d, %s%s", code, out, errs)
	}
	s.stop()
	s = start(t, at("data"), "--keys", at("keys"))
	s.stop()
	unchecked("with another chain")
	if out, _, _ := output(t, verify...); !strings.Contains(out, "a server has begun another chain") || strings.Contains(out, "Put the newest copy") {
		t.Errorf("with another chain: %s", out)
	}
	if out := ran(t, append([]string{"doctor"}, place...)...); !strings.Contains(out, "the keys of chain "+chain+" are missing") || !strings.Contains(out, "a server has begun another chain") ||
		!strings.Contains(out, "keep the present files") || strings.Contains(out, "put the newest copy of the directory of keys back") {
		t.Errorf("doctor, with another chain: %s", out)
	}
	if out := ran(t, append(verify, "--other-chain", chain)...); !strings.Contains(out, "the audit is intact") {
		t.Error(out)
	}
}
