package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
