//go:build unix

package dirlock

import (
	"errors"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestLockExcludesASecondHolder(t *testing.T) {
	dir := t.TempDir()
	first, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Lock(dir); !errors.Is(err, graph.ErrLocked) || second != nil {
		t.Errorf("a second lock: %v, %v", second, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
