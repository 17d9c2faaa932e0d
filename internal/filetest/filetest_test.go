package filetest_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/internal/filetest"
)

func TestMarks(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "below", "two")
	if err := os.Mkdir(filepath.Dir(two), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{one: "ash, elm, ash", two: "oak", filepath.Join(dir, "three"): "birch"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found := filetest.Marks(t, dir, []byte("ash"), []byte("oak"))
	slices.Sort(found.In)
	if found.Files != 3 || found.Times != 3 || !slices.Equal(found.In, []string{two, one}) {
		t.Errorf("%+v", found)
	}
	if found := filetest.Marks(t, dir, []byte("yew")); found.Files != 3 || found.Times != 0 || found.In != nil {
		t.Errorf("%+v", found)
	}
}
