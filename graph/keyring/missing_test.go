package keyring

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A file of keys that is missing is no set of keys that were destroyed.
func TestAMissingFileIsNamed(t *testing.T) {
	dir := t.TempDir()
	k, r := opened(t, dir)
	number := next(t, r).Number
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	path := r.segmentPath(0)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, r = opened(t, dir)
	if _, err := r.Key(number); !errors.Is(err, graph.ErrIntegrity) || errors.Is(err, ErrDestroyed) || !strings.Contains(err.Error(), path) {
		t.Errorf("a key of a missing file: %v", err)
	}
	if err := r.Destroy([]uint64{number}); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("destroying it: %v", err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Key(number); err != nil {
		t.Errorf("put back: %v", err)
	}
}

func opened(t *testing.T, dir string) (*Keyring, *Ring) {
	t.Helper()
	k, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Ring("tenant")
	if err != nil {
		t.Fatal(err)
	}
	return k, r
}
