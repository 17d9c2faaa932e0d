//go:build !windows

package badgerstore_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
	"github.com/somnograph/somnograph/graph/keyring"
)

// filesBelow is the time of change and the content of each file below directories, without the reserve and the lock.
func filesBelow(t *testing.T, dirs ...string) string {
	t.Helper()
	var b strings.Builder
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "reserve" || d.Name() == "lock" {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			content, err := os.ReadFile(path)
			b.WriteString(path + " " + info.ModTime().String() + " " + digest(string(content)) + "\n")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// A store that was closed opens for reading alone without a change of its files and keys; one that was not closed is refused unchanged.
func TestReadOnlyChangesNothing(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	o := small
	o.OpenKeys = keysIn(keys)
	s, err := badgerstore.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	put := func(s *badgerstore.Store) error {
		_, err := s.Update(t.Context(), scope, func(tx graph.Tx) error { return tx.PutSetting("colour", []byte("red")) })
		return err
	}
	if err := put(s); err != nil {
		t.Fatal(err)
	}
	killed := copyDir(t, dir)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o.ReadOnly = true
	o.OpenKeys = func(bool, bool) (*keyring.Keyring, error) {
		return keyring.Open(keys, keyring.Options{Existing: true, ReadOnly: true})
	}
	before := filesBelow(t, dir, keys)
	if s, err = badgerstore.Open(dir, o); err != nil {
		t.Fatal(err)
	}
	err = s.View(t.Context(), scope, func(r graph.Reader) error {
		v, err := r.Setting("colour")
		if string(v) != "red" {
			t.Errorf("the setting is %q", v)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if err := put(s); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("a write: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if after := filesBelow(t, dir, keys); after != before {
		t.Errorf("the files were\n%sand are\n%s", before, after)
	}
	before = filesBelow(t, killed, keys)
	if _, err := badgerstore.Open(killed, o); !errors.Is(err, graph.ErrUnfinished) {
		t.Errorf("a store that was not closed: %v", err)
	}
	if after := filesBelow(t, killed, keys); after != before {
		t.Errorf("the files of one that was not closed were\n%sand are\n%s", before, after)
	}
}
