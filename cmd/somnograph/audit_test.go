package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
)

// ran returns the standard output of a command that succeeds.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, code := output(t, args...)
	if code != 0 {
		t.Fatalf("%q: code %d\n%s%s", args, code, out, errs)
	}
	return out
}

func TestAuditAndProofsOnADataDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	ran(t, "remember", "--data", dir, "--user", "bram", "The spare key lies under the stone.")
	ran(t, "remember", "--data", dir, "--user", "sunniva", "Oats are sown in March.")
	if out := ran(t, "forget", "--data", dir, "--user", "bram", "--dry-run"); !strings.Contains(out, "1 memory would be erased") {
		t.Error(out)
	}
	var receipt client.Receipt
	if err := json.Unmarshal([]byte(ran(t, "forget", "--data", dir, "--user", "bram", "--yes", "--json")), &receipt); err != nil {
		t.Fatal(err)
	}
	document, key := ran(t, "receipt", "--data", dir, receipt.ID), strings.TrimSpace(ran(t, "receipt", "--data", dir, "--public-key"))
	file := filepath.Join(t.TempDir(), "receipt.json")
	check := func(text string, args ...string) (string, int) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, code := output(t, append([]string{"verify", file}, args...)...)
		return out + errs, code
	}
	if said, code := check(document, "--key", key); code != 0 || !strings.Contains(said, "the receipt is valid: 1 memory erased") {
		t.Errorf("code %d: %s", code, said)
	}
	if said, code := check(document); code != 0 { // with the directory of keys of this machine
		t.Errorf("code %d: %s", code, said)
	}
	if said, code := check(strings.Replace(document, receipt.IDs[0], "019c74e9-bbe8-7000-9fb8-d82978daf007", 1), "--key", key); code != 1 || !strings.Contains(said, "not valid") {
		t.Errorf("forged: code %d: %s", code, said)
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	foreign := strings.TrimSpace(ran(t, "receipt", "--data", other, "--public-key"))
	if said, code := check(document, "--key", foreign); code != 1 || !strings.Contains(said, "another server") {
		t.Errorf("foreign: code %d: %s", code, said)
	}

	if out := ran(t, "audit", "verify", "--data", dir); !strings.Contains(out, "the audit is intact") {
		t.Error(out)
	}
	lines := strings.Split(strings.TrimSpace(ran(t, "audit", "export", "--data", dir, "--verb", "remember")), "\n")
	var e client.AuditEntry
	if err := json.Unmarshal([]byte(lines[0]), &e); err != nil || len(lines) != 2 || e.Principal != "loopback" || len(e.IDs) == 0 || e.Outcome != "OK" {
		t.Errorf("%d rows: %+v, %v", len(lines), e, err)
	}
	rows, err := csv.NewReader(strings.NewReader(ran(t, "audit", "export", "--data", dir, "--format", "csv"))).ReadAll()
	if err != nil || len(rows) < 5 || rows[0][1] != "seq" || rows[1][1] != "1" {
		t.Errorf("%v, %v", rows, err)
	}
	if strings.Contains(strings.Join(lines, ""), "stone") {
		t.Error("the audit holds content")
	}
	for _, args := range [][]string{{"audit", "export", "--format", "xml"}, {"audit", "export", "--since", "yesterday"}, {"receipt"}, {"verify"}, {"audit", "look"}} {
		if strings.HasPrefix(strings.Join(args, " "), "audit export") || args[0] == "receipt" {
			args = append(args, "--data", dir)
		}
		if out, errs, code := output(t, args...); code != 2 {
			t.Errorf("%q: code %d\n%s%s", args, code, out, errs)
		}
	}
}
