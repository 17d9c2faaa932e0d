package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/client"
	"github.com/somnograph/somnograph/internal/s3test"
)

// place is a server's directories below a temporary one.
type place struct {
	t    *testing.T
	base string
}

func newPlace(t *testing.T) place { return place{t, t.TempDir()} }

func (p place) at(name string) string { return filepath.Join(p.base, name) }

// succeeds runs a command that must succeed, and returns what it prints.
func (p place) succeeds(args ...string) string {
	p.t.Helper()
	out, errs, code := output(p.t, args...)
	if code != 0 {
		p.t.Fatalf("%q: exit code %d: %s%s", args, code, out, errs)
	}
	return out + errs
}

// fails runs a command that must fail with one line.
func (p place) fails(want string, args ...string) {
	p.t.Helper()
	out, errs, code := output(p.t, args...)
	if code == 0 || !strings.Contains(errs, want) || strings.Count(errs, "\n") > 2 || strings.Contains(errs, "integrity check failed") || strings.Contains(errs, ": : ") {
		p.t.Errorf("%q: exit code %d, %q%q, want %q", args, code, out, errs, want)
	}
}

// folder is the folder of the store in the directory of keys.
func (p place) folder() string {
	p.t.Helper()
	id, err := os.ReadFile(p.at("data/store.id"))
	if err != nil {
		p.t.Fatal(err)
	}
	return filepath.Join(p.at("keys"), strings.TrimSpace(string(id)))
}

// A key that was revoked after a boundary stays revoked when the store is restored to it.
func TestARevokedKeyStaysRevokedAfterARestore(t *testing.T) {
	p := newPlace(t)
	args := []string{"--keys", p.at("keys"), "--auth", "keys"}
	admin := newKey(t, p.at("data"), "--scopes", "server:admin,memory:admin,memory:read,memory:write", "--keys", p.at("keys"))
	other := newKey(t, p.at("data"), "--scopes", "memory:read,memory:write,memory:share", "--keys", p.at("keys"))
	s := start(t, p.at("data"), args...)
	t.Setenv("SOMNOGRAPH_KEY", admin.Key)
	remember(t, s.withKey(other.Key), "The lane floods in spring.")
	boundary := boundaryOf(t, p.succeeds("backup", "--addr", s.url, "--to", p.at("bk")))
	p.succeeds("keys", "revoke", "--addr", s.url, other.APIKey.ID)
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	s.stop()
	out := p.succeeds("restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--data", p.at("restored"), "--at", boundary)
	if !strings.Contains(out, "1 API key revoked since, and still revoked") {
		t.Errorf("restore says %s", out)
	}
	s = start(t, p.at("restored"), args...)
	refused := func(key string) bool {
		_, err := s.withKey(key).RememberMany(t.Context(), nil)
		return err != nil && strings.Contains(err.Error(), "not accepted")
	}
	if !refused(other.Key) || refused(admin.Key) {
		t.Error("the revoked key is accepted, or the other is not")
	}
	s.stop()
	// An older copy of the data directory brings it back neither.
	p.fails("there is no such key", "keys", "revoke", "--data", p.at("restored"), "--keys", p.at("keys"), "nothing")
}

// Keys that lost a record, or were another store's, are refused by server and restore.
func TestLostAndForeignKeysAreRefused(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	gone := remember(t, s.client(), canary)
	remember(t, s.client(), "The lane floods in spring.")
	boundary := boundaryOf(t, p.succeeds("backup", "--addr", s.url, "--to", p.at("bk")))
	if err := s.client().Do(t.Context(), `mutation($i:ForgetInput!){forget(input:$i){__typename}}`, map[string]any{"i": map[string]any{"ids": []string{gone}}}, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	s.stop()
	serve := []string{"serve", "--addr", "127.0.0.1:0", "--data", p.at("data"), "--keys"}
	p.fails("name the right one with --keys", append(serve, p.at("wrong"))...)
	if err := os.Rename(filepath.Join(p.folder(), "erased.log"), p.at("erased.log")); err != nil {
		t.Fatal(err)
	}
	p.fails("erased.log is older than the data, or missing", append(serve, p.at("keys"))...)
	if err := os.RemoveAll(filepath.Join(p.folder(), "erased.log")); err != nil {
		t.Fatal(err)
	}
	restore := []string{"restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--at", boundary, "--data", p.at("restored")}
	p.fails("erased.log in "+p.folder()+" is missing, or older than the backup", restore...)
	p.succeeds(append(restore, "--accept-keys=true")...)
	accepted := start(t, p.at("data"), "--keys", p.at("keys"), "--accept-keys=true")
	accepted.stop()
	if !strings.Contains(accepted.log.String(), "the directory of keys is taken as it is") {
		t.Errorf("the log says nothing of the keys that were accepted:\n%s", accepted.log.String())
	}
	start(t, p.at("data"), "--keys", p.at("keys")).stop()
	// A changed digit of the identity is noticed, and damage is named as what it is.
	id, err := os.ReadFile(p.at("data/store.id"))
	if err != nil {
		t.Fatal(err)
	}
	changed := []byte(string(id))
	changed[3] = "0123456789abcdef0"[strings.IndexByte("0123456789abcdef", id[3])+1]
	for text, want := range map[string]string{string(changed): "put that into it", "x\n": "store.id, the identity of the store, must be 32 hexadecimal digits"} {
		if err := os.WriteFile(p.at("data/store.id"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.fails(want, append(serve, p.at("keys"))...)
	}
}

// An older copy of a backup is refused, also if only a command has made what it lacks.
func TestAnOlderCopyOfABackupIsRefused(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	p.fails("there is no directory", "backup", "--addr", s.url, "--to", p.at("no/such/directory"))
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	if err := os.CopyFS(p.at("older"), os.DirFS(p.at("bk"))); err != nil {
		t.Fatal(err)
	}
	remember(t, s.client(), "The winch sticks again.")
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	s.stop()
	p.fails("it is an older copy", "restore", "--from", p.at("older"), "--keys", p.at("keys"), "--data", p.at("restored"))
	p.succeeds("restore", "--from", p.at("older"), "--keys", p.at("keys"), "--data", p.at("restored"), "--older")
	if out := p.succeeds("backup", "verify", "--from", p.at("bk"), "--keys", p.at("keys")); !strings.Contains(out, "segments of 1 generation: --at reaches") {
		t.Errorf("verify says %s", out)
	}
}

// A target that does not answer does not keep a server from starting.
func TestAServerStartsWithoutItsBackupTarget(t *testing.T) {
	p := newPlace(t)
	t.Setenv("SOMNOGRAPH_BACKUP_SECRET_KEY", s3test.SecretKey)
	for _, to := range [][]string{
		{"--backup-to", p.at("no/such/directory")},
		{"--backup-to", "s3://bucket/x", "--backup-endpoint", "127.0.0.1:1", "--backup-insecure=true", "--backup-region", "us-east-1", "--backup-access-key", s3test.AccessKey},
	} {
		s := start(t, p.at("data"), append(to, "--keys", p.at("keys"))...)
		remember(t, s.client(), "The lane floods in spring.")
		s.stop()
		if log := s.log.String(); !strings.Contains(log, "[BACKUP] failed") && !strings.Contains(log, "[BACKUP] the last segment was not written") {
			t.Errorf("%q: the log says nothing:\n%.2000s", to, log)
		}
	}
	p.fails("must be s3://bucket", "serve", "--addr", "127.0.0.1:0", "--data", p.at("data"), "--keys", p.at("keys"), "--backup-to", "s3://")
	s := start(t, p.at("data"), "--keys", p.at("keys"), "--backup-to", p.at("data/backup"))
	s.stop()
	if log := s.log.String(); !strings.Contains(log, "lies in the data directory") {
		t.Errorf("a backup in the data directory is not warned of:\n%.2000s", log)
	}
	// Errors of routes that are not GraphQL have no code.
	s = start(t, p.at("data"), "--keys", p.at("keys"))
	p.succeeds("export", p.at("all.ndjson"), "--addr", s.url)
	p.fails("somnograph: the store is not empty", "import", p.at("all.ndjson"), "--addr", s.url)
}

// A backup from before a rotation of the keys is restored under the new ones, and the restored directory can be opened.
func TestARestoreAfterARotation(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"), "--backup-to", p.at("to"))
	p.succeeds("remember", "--addr", s.url, "Nadia keeps the spare rope in locker 7.")
	s.stop()
	p.succeeds("keys", "rotate", "--data", p.at("data"), "--keys", p.at("keys"))
	p.succeeds("restore", "--from", p.at("to"), "--data", p.at("new"), "--keys", p.at("keys"))
	if out := p.succeeds("doctor", "--data", p.at("new"), "--keys", p.at("keys")); !strings.Contains(out, "1 memory") || !strings.Contains(out, "the data is sound") {
		t.Error(out)
	}
}

// What was lost or damaged in the directory of keys is named with its file, by the command that needs it and by
// doctor, and nothing else counts as lost because of it.
func TestLostSecretsAreNamed(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"), "--backup-to", p.at("to"))
	p.succeeds("remember", "--addr", s.url, "Nadia keeps the spare rope in locker 7.")
	s.stop()
	id, err := os.ReadFile(filepath.Join(p.at("data"), "store.id"))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(p.at("keys"), strings.TrimSpace(string(id)))
	restore := []string{"restore", "--from", p.at("to"), "--data", p.at("new"), "--keys", p.at("keys")}
	// spoilt replaces a file while check runs; nil: the file is removed.
	spoilt := func(name string, content []byte, check func(path string)) {
		t.Helper()
		path := filepath.Join(folder, name)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if content == nil {
			err = os.Remove(path)
		} else {
			err = os.WriteFile(path, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		check(path)
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	doctor := func(want string, code int) string {
		t.Helper()
		out, errs, got := output(t, "doctor", "--data", p.at("data"), "--keys", p.at("keys"))
		if got != code || !strings.Contains(out, want) {
			t.Errorf("doctor: exit code %d, %s%s, want %d and %q", got, out, errs, code, want)
		}
		return out
	}
	spoilt("secrets/backup-key", nil, func(path string) {
		p.fails(path+" is missing", restore...)
		doctor(path+", the key of the backups, is missing", exitFailed)
		s := start(t, p.at("data"), "--keys", p.at("keys"))
		p.fails(path+", the key of the backups, is missing: put its newest copy back", "backup", "--addr", s.url, "--to", p.at("to"))
		s.stop()
		doctor(path+", the key of the backups, is missing", exitFailed)
	})
	spoilt("secrets/backup-heads", []byte("{"), func(path string) {
		p.fails("backup-heads in the directory of keys", restore...)
		doctor(path, exitFailed)
	})
	audits, err := filepath.Glob(filepath.Join(folder, "secrets", "audit-*"))
	if err != nil || len(audits) != 1 {
		t.Fatalf("%d keys of audits, %v", len(audits), err)
	}
	spoilt(filepath.Join("secrets", filepath.Base(audits[0])), nil, func(string) { doctor("only the signed roots were checked", exitFailed) })
	spoilt("erased.log", []byte("not a line\n"), func(string) {
		if out := doctor("LEDGER: ", exitFailed); strings.Contains(out, "RECESS") {
			t.Errorf("a damaged ledger is said to be a damage of the recess: %s", out)
		}
	})
	doctor("the data is sound", 0)
	manifest := filepath.Join(p.at("to"), "000001", "manifest")
	if err := os.Remove(manifest); err != nil {
		t.Fatal(err)
	}
	p.fails("has segments but no manifest", restore...)
	p.fails("put 000001/manifest back", "backup", "verify", "--from", p.at("to"), "--keys", p.at("keys"))
}

// A cursor of the event stream from before a restore would mean another change in the restored store, so it is refused. Cursors of the
// restored store are accepted.
func TestCursorsFromBeforeARestoreAreRefused(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	remember(t, s.client(), "The lane floods in spring.")
	before, err := s.client().EventCursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	remember(t, s.client(), "The mill is for sale.")
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	s.stop()
	p.succeeds("restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--data", p.at("restored"))
	s = start(t, p.at("restored"), "--keys", p.at("keys"))
	next := func(after string) (client.MemoryEvent, error) {
		for ev, err := range s.client().Events(t.Context(), client.EventsOptions{After: after}) {
			return ev, err
		}
		return client.MemoryEvent{}, errors.New("the stream ended")
	}
	if _, err := next(before); err == nil || !strings.Contains(err.Error(), "before the store was restored") {
		t.Errorf("a cursor from before the restore: %v", err)
	}
	after, err := s.client().EventCursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	id := remember(t, s.client(), "The ferry leaves at noon.")
	ev, err := next(after)
	if err != nil || ev.ID != id {
		t.Errorf("after the restore: %+v, %v", ev, err)
	}
}
