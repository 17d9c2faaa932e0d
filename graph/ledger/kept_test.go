package ledger_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph/ledger"
)

// refused opens a ledger that must not be opened, and leaves nothing in the directory of keys.
func refused(t *testing.T, root, data, want string) {
	t.Helper()
	l, err := ledger.Open(root, data, rand.Reader)
	var mismatch *ledger.MismatchError
	if err == nil {
		shut(t, l)
	}
	if !errors.As(err, &mismatch) || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want %q", err, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Another directory of keys than the one that the store had is refused, until it is accepted.
func TestAnotherDirectoryOfKeysIsRefused(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	must(t, os.Mkdir(filepath.Join(data, "store"), 0o700))
	l := open(t, root, data)
	store := l.Store()
	add(t, l, main, newIDs(t, 3)...)
	shut(t, l)
	empty := t.TempDir()
	refused(t, empty, data, "name the right one with --keys")
	if entries, err := os.ReadDir(empty); err != nil || len(entries) > 0 {
		t.Errorf("a refusal leaves %v, %v", entries, err)
	}
	if _, err := ledger.Directory(empty, data, rand.Reader); err == nil {
		t.Error("Directory takes it")
	}
	// A folder of the same name, of a server that was started with wrong keys before.
	other := t.TempDir()
	must(t, os.Mkdir(filepath.Join(other, store), 0o700))
	must(t, os.WriteFile(filepath.Join(other, store, "keys.id"), []byte(strings.Repeat("0", 32)+"\n"), 0o600))
	refused(t, other, data, `its fingerprint is "00000000`)
	must(t, os.WriteFile(filepath.Join(other, store, "keys.id"), []byte("\x1b[2J\x00\xff"+strings.Repeat("k", 4000)), 0o600))
	refused(t, other, data, `its fingerprint is "\x1b[2J\x00\xff`+strings.Repeat("k", 34)+`"… (4006 bytes)`)
	// A copy of the right one is the right one.
	same := filepath.Join(t.TempDir(), "copy")
	must(t, os.CopyFS(same, os.DirFS(root)))
	must(t, open(t, same, data).Close())
	must(t, ledger.Accept(empty, data))
	l = open(t, empty, data)
	if l.Store() != store || len(l.Tenants()) > 0 {
		t.Errorf("store %s with tenants %v, want %s with none", l.Store(), l.Tenants(), store)
	}
	shut(t, l)
	refused(t, root, data, "its fingerprint is")
}

// The identity of a store is known without its file, and a file that says another is refused.
func TestTheIdentityIsNotLostWithItsFile(t *testing.T) {
	root, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	must(t, os.MkdirAll(filepath.Join(data, "store"), 0o700))
	l := open(t, root, data)
	store := l.Store()
	shut(t, l)
	moved := data + "-moved" // the ledger is not found by the path
	must(t, os.Rename(data, moved))
	must(t, os.Remove(filepath.Join(moved, "store.id")))
	l = open(t, root, moved)
	if l.Store() != store {
		t.Errorf("the store is %s, and was %s", l.Store(), store)
	}
	shut(t, l)
	last := byte('0')
	if store[31] == '0' {
		last = '1'
	}
	must(t, os.WriteFile(filepath.Join(moved, "store.id"), []byte(store[:31]+string(last)+"\n"), 0o600))
	refused(t, root, moved, "the store there is "+store)
}

// Records that are missing or older than the store are refused, until they are accepted.
func TestOlderRecordsAreRefused(t *testing.T) {
	for _, name := range []string{"erased.log", "revoked.log"} {
		t.Run(name, func(t *testing.T) {
			root, data := t.TempDir(), t.TempDir()
			l := open(t, root, data)
			path := filepath.Join(root, l.Store(), name)
			write := func() {
				add(t, l, main, newIDs(t, 1)...)
				must(t, l.Revoke(string(newIDs(t, 1)[0]), at))
			}
			write()
			older, err := os.ReadFile(path)
			must(t, err)
			write()
			positions := l.Positions()
			newer, err := os.ReadFile(path)
			must(t, err)
			shut(t, l)
			lacks := func(want int) {
				t.Helper()
				if names, err := ledger.Lacks(root, l.Store(), positions); err != nil || len(names) != want {
					t.Errorf("lacks %v, %v", names, err)
				}
			}
			lacks(0)
			must(t, os.WriteFile(path, older, 0o600))
			refused(t, root, data, name+" is older than the data")
			lacks(1)
			must(t, os.Remove(path))
			refused(t, root, data, name+" is older than the data")
			must(t, os.WriteFile(path, newer, 0o600))
			must(t, open(t, root, data).Close())
			lacks(0)
			must(t, os.Remove(path))
			must(t, ledger.Accept(root, data))
			must(t, open(t, root, data).Close())
			lacks(1)
		})
	}
}

// Records that were put back together with an older store are refused, until they are accepted.
func TestOlderRecordsAreRefusedWithOlderData(t *testing.T) {
	root, data := t.TempDir(), filepath.Join(t.TempDir(), "data")
	must(t, os.Mkdir(data, 0o700))
	l := open(t, root, data)
	dir := l.Dir()
	add(t, l, main, newIDs(t, 1)...)
	must(t, l.Revoke("a", at))
	olderData, olderKeys := t.TempDir(), t.TempDir()
	must(t, os.CopyFS(filepath.Join(olderData, "data"), os.DirFS(data)))
	must(t, os.CopyFS(filepath.Join(olderKeys, "keys"), os.DirFS(dir)))
	must(t, l.Revoke("b", at))
	shut(t, l)
	must(t, os.RemoveAll(data))
	must(t, os.Rename(filepath.Join(olderData, "data"), data))
	newer, err := os.ReadFile(filepath.Join(dir, "revoked.log"))
	must(t, err)
	older, err := os.ReadFile(filepath.Join(olderKeys, "keys", "revoked.log"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "revoked.log"), older, 0o600))
	refused(t, root, data, "revoked.log is older than positions.json, or missing")
	must(t, os.WriteFile(filepath.Join(dir, "revoked.log"), newer, 0o600))
	l = open(t, root, data)
	if len(l.Revoked()) != 2 {
		t.Errorf("revoked: %v", l.Revoked())
	}
	shut(t, l)
	must(t, os.WriteFile(filepath.Join(dir, "positions.json"), []byte("{"), 0o600))
	refused(t, root, data, "positions.json is damaged")
	must(t, os.Remove(filepath.Join(dir, "positions.json")))
	refused(t, root, data, "positions.json is missing")
	must(t, os.WriteFile(filepath.Join(dir, "revoked.log"), older, 0o600))
	must(t, ledger.Accept(root, data))
	l = open(t, root, data)
	if len(l.Revoked()) != 1 {
		t.Errorf("revoked, once the older record is accepted: %v", l.Revoked())
	}
	shut(t, l)
}

func TestRevocationsSurviveReopening(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	l := open(t, root, data)
	must(t, l.Revoke("a", at))
	must(t, l.Revoke("a", at.AddDate(1, 0, 0))) // the first one counts
	must(t, l.EndSession("session-b", at))
	shut(t, l)
	if err := l.Revoke("c", at); err == nil {
		t.Error("a closed ledger records")
	}
	l = open(t, root, data)
	if r, s := l.Revoked(), l.EndedSessions(); len(r) != 1 || !r["a"].Equal(at) || len(s) != 1 || !s["session-b"].Equal(at) {
		t.Errorf("revoked %v, ended %v", r, s)
	}
}

// A changed bit in what a store knows of its keys is called damage, and never another store or another directory of keys. Without the file the
// next start writes it again.
func TestChangedBitsInKeysJSONAreDamage(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	must(t, os.Mkdir(filepath.Join(data, "store"), 0o700))
	l := open(t, root, data)
	add(t, l, main, newIDs(t, 3)...)
	shut(t, l)
	file := filepath.Join(data, "store", "keys.json")
	whole, err := os.ReadFile(file)
	must(t, err)
	told := 0
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1 << (i % 7)
		must(t, os.WriteFile(file, changed, 0o600))
		l, err := ledger.Open(root, data, rand.Reader)
		if err == nil { // the name of the member with the checksum, without which nothing else is wrong
			shut(t, l)
			continue
		}
		told++
		if !strings.Contains(err.Error(), file+" is damaged") || !strings.Contains(err.Error(), "put it back from the newest copy of the data directory") {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	if told < len(whole)-20 {
		t.Errorf("%d of %d changed bits are told", told, len(whole))
	}
	must(t, os.Remove(file))
	shut(t, open(t, root, data))
	if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, whole) {
		t.Errorf("the file is %q, %v; it was %q", again, err, whole)
	}
}

// The errors about other or older keys say what to accept them does, when that is right, and what is lost.
func TestErrorsSayWhatAcceptKeysDoes(t *testing.T) {
	root, data := t.TempDir(), t.TempDir()
	l := open(t, root, data)
	add(t, l, main, newIDs(t, 3)...)
	dir := l.Dir()
	shut(t, l)
	for name, loses := range map[string]string{"keys.id": "what only the right one opens is lost", "positions.json": "does not notice if these are older", "erased.log": "can return from older copies"} {
		path := filepath.Join(dir, name)
		must(t, os.Rename(path, path+".away"))
		_, err := ledger.Open(root, data, rand.Reader)
		for _, want := range []string{"put its newest copy back", "Only if there is none, start once with somnograph serve --accept-keys=true", loses, "Until then nothing is changed"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("without %s: %v, want %q", name, err, want)
			}
		}
		must(t, os.Rename(path+".away", path))
	}
}
