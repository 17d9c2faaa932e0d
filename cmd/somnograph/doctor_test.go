package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A damaged file of keys is named by doctor and serve, and is not told as damage of the data.
func TestADamagedFileOfKeysIsNamed(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	s.stop()
	for _, name := range []string{"0", "key", "reserved"} {
		paths, err := filepath.Glob(filepath.Join(at("keys"), "*", "rings", "*", name))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v", name, paths, err)
		}
		whole, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		flipped := append([]byte(nil), whole...)
		flipped[len(flipped)/2] ^= 4
		if err := os.WriteFile(paths[0], flipped, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"doctor"}, {"serve", "--addr", "127.0.0.1:0"}} {
			out, errs, code := output(t, append(args, "--data", at("data"), "--keys", at("keys"))...)
			said := out + errs
			if code != 1 || !strings.Contains(said, "the file of keys "+paths[0]) || !strings.Contains(said, "put it back from the newest backup of the directory of keys") {
				t.Errorf("%s, %s: code %d, %s", args[0], name, code, said)
			}
			if strings.Contains(said, "STORE") || strings.Contains(said, "is damaged and is not served") || strings.Contains(said, "somnograph restore") {
				t.Errorf("%s, %s: the data is called damaged: %s", args[0], name, said)
			}
		}
		if err := os.WriteFile(paths[0], whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out := ran(t, "doctor", "--data", at("data"), "--keys", at("keys")); !strings.Contains(out, "the data is sound") {
		t.Error(out)
	}
}

// A changed key of the audit is named by doctor, audit verify and serve, and is not told as a changed row. Without a
// copy, another chain begins when both files are moved away.
func TestADamagedKeyOfTheAuditIsNamed(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	s.stop()
	paths, err := filepath.Glob(filepath.Join(at("keys"), "*", "secrets", "audit-*"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("%v, %v", paths, err)
	}
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	// One letter of the seed: the file can still be parsed.
	seed := bytes.Index(whole, []byte(`"seed":"`)) + len(`"seed":"`)
	changed := bytes.Clone(whole)
	if changed[seed] = 'A'; whole[seed] == 'A' {
		changed[seed] = 'B'
	}
	if err := os.WriteFile(paths[0], changed, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"doctor"}, {"serve", "--addr", "127.0.0.1:0"}} {
		out, errs, code := output(t, append(args, "--data", at("data"), "--keys", at("keys"))...)
		said := out + errs
		if code != exitFailed || !strings.Contains(said, "the file of keys "+paths[0]) || !strings.Contains(said, "move both away") || strings.Contains(said, "was changed") || strings.Contains(said, "AUDIT") {
			t.Errorf("%s: code %d, %s", args[0], code, said)
		}
	}
	if err := os.Rename(paths[0], at("aside")); err != nil {
		t.Fatal(err)
	}
	s = start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The ford is passable in August.")
	s.stop()
	out, errs, code := output(t, "doctor", "--data", at("data"), "--keys", at("keys"))
	if code != 0 || !strings.Contains(out, "only the signed roots were checked") {
		t.Errorf("without the former keys: code %d, %s%s", code, out, errs)
	}
}

// What doctor says about other keys names the command that has the flag.
func TestDoctorSuggestsFlagsThatExist(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	s.stop()
	ids, err := filepath.Glob(filepath.Join(at("keys"), "*", "keys.id"))
	if err != nil || len(ids) != 1 {
		t.Fatalf("%v, %v", ids, err)
	}
	if err := os.WriteFile(ids[0], []byte("\x1b[31m"+strings.Repeat("\xff", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code := output(t, "doctor", "--data", at("data"), "--keys", at("keys"))
	if code != 1 || !strings.Contains(out, "start once with somnograph serve --accept-keys=true: the server goes on with this one") || !strings.Contains(out, "to do: name the right one with --keys") || strings.Contains(out, "see the finding") || !strings.Contains(out, `its fingerprint is "\x1b[31m\xff`) || len(out) > 1500 {
		t.Errorf("code %d, %s%s", code, out, errs)
	}
}

// A file of data keys from before an erasure is refused when it is put back alone. An older copy of the data is told by doctor, which removes
// what was erased since.
func TestOlderKeysAndDataAreTold(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	gone := remember(t, s.client(), canary)
	remember(t, s.client(), "The lane floods in spring.")
	s.stop()
	paths, err := filepath.Glob(filepath.Join(at("keys"), "*", "rings", "*", "0"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	former, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	copied(t, at("data"), at("older"))
	ran(t, "forget", gone, "--data", at("data"), "--keys", at("keys"), "--yes")
	newest, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(paths[0], former, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"data", "older"} {
		for _, args := range [][]string{{"doctor"}, {"serve", "--addr", "127.0.0.1:0"}} {
			out, errs, code := output(t, append(args, "--data", at(data), "--keys", at("keys"))...)
			if said := out + errs; code != 1 || !strings.Contains(said, "the file of keys "+paths[0]) || !strings.Contains(said, "older than the others") || !strings.Contains(said, "put its newest copy back") {
				t.Errorf("%s of %s: code %d, %s", args[0], data, code, said)
			}
		}
	}
	if out, errs, code := output(t, "serve", "--addr", "127.0.0.1:0", "--data", at("older"), "--keys", at("keys"), "--accept-keys=true"); code != 1 || !strings.Contains(out+errs, "older than the others") {
		t.Errorf("older data and an older file of keys: code %d, %s%s", code, out, errs)
	}
	if err := os.WriteFile(paths[0], newest, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := ran(t, "doctor", "--data", at("data"), "--keys", at("keys")); !strings.Contains(out, "the data is sound") {
		t.Error(out)
	}
	if out, errs, _ := output(t, "doctor", "--data", at("older"), "--keys", at("keys")); !strings.Contains(out, "opening the store removed 1 erased memory that should not have been here") {
		t.Errorf("%s%s", out, errs)
	}
}

// A key of the proofs of erasures that is missing or damaged is named by doctor.
func TestALostKeyOfTheProofsIsNamed(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	s := start(t, at("data"), "--keys", at("keys"))
	gone := remember(t, s.client(), canary)
	s.stop()
	ran(t, "forget", gone, "--data", at("data"), "--keys", at("keys"), "--yes")
	paths, err := filepath.Glob(filepath.Join(at("keys"), "*", "secrets", "proof-*"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	whole, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)/2] ^= 4
	for _, c := range []struct {
		content []byte
		want    string
	}{{whole, "the data is sound"}, {flipped, "the file of keys " + paths[0]}, {nil, "the key of the proofs of erasures is missing"}} {
		err := os.WriteFile(paths[0], c.content, 0o600)
		if c.content == nil {
			err = os.Remove(paths[0])
		}
		if err != nil {
			t.Fatal(err)
		}
		out, errs, code := output(t, "doctor", "--data", at("data"), "--keys", at("keys"))
		if !strings.Contains(out, c.want) || (code == 0) != (c.want == "the data is sound") {
			t.Errorf("%q: code %d, %s%s", c.want, code, out, errs)
		}
	}
	start(t, at("data"), "--keys", at("keys")).stop() // makes another key
	ran(t, "receipt", "--public-key", "--data", at("data"), "--keys", at("keys"))
	out, errs, code := output(t, "doctor", "--data", at("data"), "--keys", at("keys"))
	if code != 0 || !strings.Contains(out, "signed with a key that was lost, for which a server made another one: 1") {
		t.Errorf("after another key was made: code %d, %s%s", code, out, errs)
	}
}
