package badgerstore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/graph"
)

// tablesOf returns the tables of a store's database.
func tablesOf(t *testing.T, dir string) []string {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(badgerDir(dir), "*.sst"))
	must(t, err)
	return tables
}

// closedStore returns the directory of a closed store whose memories lie in tables.
func closedStore(t *testing.T) (dir string, ids []graph.ID) {
	t.Helper()
	dir = t.TempDir()
	s := openSmall(t, dir)
	ids = putMemories(t, s, 50)
	must(t, s.Close())
	if len(tablesOf(t, dir)) == 0 {
		t.Fatal("there are no tables")
	}
	return dir, ids
}

func TestLostManifestDestroysNothing(t *testing.T) {
	dir, ids := closedStore(t)
	path := filepath.Join(badgerDir(dir), badger.ManifestFilename)
	manifest, err := os.ReadFile(path)
	must(t, err)
	must(t, os.Remove(path))
	tables := tablesOf(t, dir)
	_, err = Open(dir, Options{})
	if !errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), path+" is missing") {
		t.Fatalf("opened with %v", err)
	}
	if left := tablesOf(t, dir); len(left) != len(tables) {
		t.Errorf("%d of %d tables are left", len(left), len(tables))
	}
	must(t, os.WriteFile(path, manifest, 0o600))
	wantUses(t, openSmall(t, dir), ids, 0)
}

func TestCutManifestKeepsTablesAside(t *testing.T) {
	dir, ids := closedStore(t)
	path := filepath.Join(badgerDir(dir), badger.ManifestFilename)
	manifest, err := os.ReadFile(path)
	must(t, err)
	const left = 12 // the header and half of the length of the first entry
	must(t, os.Truncate(path, left))
	aside := filepath.Join(dir, asideName)
	for range 2 { // the second attempt keeps what the first one set aside
		_, err = Open(dir, Options{})
		if !errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), "kept in "+aside) {
			t.Fatalf("opened with %v", err)
		}
	}
	cut, err := os.ReadFile(filepath.Join(aside, badger.ManifestFilename))
	must(t, err)
	if len(cut) != left {
		t.Errorf("the manifest that is kept has %d bytes, want %d", len(cut), left)
	}
	kept, err := filepath.Glob(filepath.Join(aside, "*.sst"))
	must(t, err)
	for _, table := range kept {
		must(t, os.Rename(table, filepath.Join(badgerDir(dir), filepath.Base(table))))
	}
	must(t, os.WriteFile(path, manifest, 0o600))
	wantUses(t, openSmall(t, dir), ids, 0)
	if _, err := os.Stat(aside); err == nil {
		t.Error("the folder is still there although the data is complete")
	}
}

// After a kill there may be tables that were not finished: they are removed as before.
func TestUnfinishedTablesAreRemoved(t *testing.T) {
	dir, ids := closedStore(t)
	unfinished := filepath.Join(badgerDir(dir), "009999.sst")
	must(t, os.WriteFile(unfinished, []byte("half a table"), 0o600))
	wantUses(t, openSmall(t, dir), ids, 0)
	for _, path := range []string{unfinished, filepath.Join(dir, asideName), filepath.Join(dir, asideName+".new")} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
}
