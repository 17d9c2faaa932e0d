package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A restore to an earlier boundary takes rows of the audit away. The restored store says so: the
// doctor has no finding, and the check of the audit names the rows. The same copy without the
// statement is a finding.
func TestARestoreStatesTheAuditThatItTakesAway(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	if _, err := s.client().CheckAudit(t.Context()); err != nil { // seals
		t.Fatal(err)
	}
	out := ran(t, "backup", "--addr", s.url, "--to", at("bk"))
	boundary := boundaryOf(t, out)
	for _, text := range []string{"Oats are sown in March.", "The weir opens at dusk."} {
		remember(t, s.client(), text)
	}
	before, err := s.client().CheckAudit(t.Context())
	if err != nil || !before.Intact {
		t.Fatalf("%+v, %v", before, err)
	}
	s.stop()

	ran(t, "restore", "--from", at("bk"), "--data", at("new"), "--keys", at("keys"), "--at", boundary)
	if out := ran(t, "doctor", "--data", at("new"), "--keys", at("keys")); !strings.Contains(out, "the data is sound") || strings.Contains(out, "AUDIT") {
		t.Errorf("doctor after the restore: %s", out)
	}
	s = start(t, at("new"), "--keys", at("keys"))
	remember(t, s.client(), "The ferry is late.")
	check, err := s.client().CheckAudit(t.Context())
	if err != nil || !check.Intact || len(check.Chains) != 1 || len(check.Chains[0].Restores) != 1 || check.Chains[0].Restores[0].Last != before.Chains[0].Last {
		t.Errorf("%+v, %v; before %+v", check, err, before)
	}
	if out := ran(t, "audit", "verify", "--addr", s.url); !strings.Contains(out, "are missing, because the store was restored at") || !strings.Contains(out, "the audit is intact") {
		t.Errorf("audit verify: %s", out)
	}
	s.stop()
	if out := ran(t, "doctor", "--data", at("new"), "--keys", at("keys")); !strings.Contains(out, "the data is sound") {
		t.Errorf("doctor after the server: %s", out)
	}
}
