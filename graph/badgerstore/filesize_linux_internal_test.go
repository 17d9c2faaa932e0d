package badgerstore

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A limit of the size of files is not damage, and the error says what to do.
func TestLimitOfFileSizeIsNotDamage(t *testing.T) {
	const variable = "BADGERSTORE_TEST_LIMITED"
	if dir := os.Getenv(variable); dir != "" {
		_, err := Open(dir, Options{MinFree: 1 << 20, MinOpen: 1 << 20, Reserve: 1 << 20})
		if err == nil || errors.Is(err, graph.ErrIntegrity) || !strings.Contains(err.Error(), "ulimit -f") {
			t.Errorf("Open = %v", err)
		}
		return
	}
	dir := t.TempDir()
	s := openTestStore(t, dir)
	if err := noteOfSize(t.Context(), s, 1, 10); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", `ulimit -f 20000; exec "$0" -test.run '^TestLimitOfFileSizeIsNotDamage$'`, os.Args[0])
	cmd.Env = append(os.Environ(), variable+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
