package main

import (
	"os"
	"path/filepath"
	"regexp"
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
	s.stop() // it seals what waits
	written := regexp.MustCompile(`(\d+) audit rows`).FindStringSubmatch(ran(t, "doctor", "--data", at("data"), "--keys", at("keys")))

	ran(t, "restore", "--from", at("bk"), "--data", at("new"), "--keys", at("keys"), "--at", boundary)
	if out := ran(t, "doctor", "--data", at("new"), "--keys", at("keys")); !strings.Contains(out, "the data is sound") || strings.Contains(out, "AUDIT") {
		t.Errorf("doctor after the restore: %s", out)
	}
	s = start(t, at("new"), "--keys", at("keys"))
	remember(t, s.client(), "The ferry is late.")
	check, err := s.client().CheckAudit(t.Context())
	if err != nil || !check.Intact || len(check.Chains) != 1 || len(check.Chains[0].Restores) != 1 || written == nil || check.Chains[0].Restores[0].Last != written[1] {
		t.Errorf("%+v, %v; written %v, before %+v", check, err, written, before)
	}
	if out := ran(t, "audit", "verify", "--addr", s.url); !strings.Contains(out, "are missing, because the store was restored at") || !strings.Contains(out, "the audit is intact") {
		t.Errorf("audit verify: %s", out)
	}
	s.stop()
	if out := ran(t, "doctor", "--data", at("new"), "--keys", at("keys")); !strings.Contains(out, "the data is sound") {
		t.Errorf("doctor after the server: %s", out)
	}
}

// A bit of the index flips: the doctor names the file and says what to do, and the next run finds
// nothing.
func TestDoctorNamesADamagedIndex(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	s.stop()
	for suffix, want := range map[string]string{".index": "INDEX default: damaged: the snapshot", ".vectors": "INDEX default: damaged: 1 records of the vector files"} {
		names, err := filepath.Glob(filepath.Join(at("data"), "index", "*"+suffix))
		if err != nil || len(names) != 1 {
			t.Fatalf("%v, %v", names, err)
		}
		b, err := os.ReadFile(names[0])
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)/2] ^= 4
		if err := os.WriteFile(names[0], b, 0o600); err != nil {
			t.Fatal(err)
		}
		if out := ran(t, "doctor", "--data", at("data"), "--keys", at("keys")); !strings.Contains(out, want) || !strings.Contains(out, "to do: check the disk") {
			t.Errorf("%s: %s", suffix, out)
		}
		if out := ran(t, "doctor", "--data", at("data"), "--keys", at("keys")); strings.Contains(out, "INDEX") {
			t.Errorf("%s, again: %s", suffix, out)
		}
	}
}

// A directory without a store is not checked, and stays as it is.
func TestDoctorWantsADataDirectory(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Join(dir, "absent")} {
		if out, errs, code := output(t, "doctor", "--data", d, "--keys", t.TempDir()); code != exitUsage || !strings.Contains(errs, "--data: "+d+" has no store") {
			t.Errorf("doctor --data %s: code %d, %s%s", d, code, out, errs)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("doctor wrote %v, %v", left, err)
	}
}

// An export of an audit with missing rows prints the rows that are there, names the others, and fails.
func TestAnExportNamesTheRowsThatItLacks(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	s.stop()
	if err := os.CopyFS(at("older"), os.DirFS(at("data"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(at("older"), "access", "pepper"), 0o600); err != nil { // the copy has other modes
		t.Fatal(err)
	}
	ran(t, "audit", "export", "--data", at("data"), "--keys", at("keys"))
	for _, format := range []string{"json", "csv"} {
		out, errs, code := output(t, "audit", "export", "--data", at("older"), "--keys", at("keys"), "--format", format)
		if code != 1 || !strings.Contains(out, "remember") || !strings.Contains(errs, "missing") || !strings.Contains(errs, "row ") {
			t.Errorf("%s: code %d\n%s\n%s", format, code, out, errs)
		}
	}
}
