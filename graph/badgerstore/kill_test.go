package badgerstore_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph/badgerstore"
)

// TestKill kills a process with eight writers at random moments. The soak test runs it
// for longer.
func TestKill(t *testing.T) { killRounds(t, 4) }

func killRounds(t *testing.T, rounds int) {
	dir, o := t.TempDir(), newOracle()
	var slowest time.Duration
	for range rounds {
		c := startChild(t, dir)
		left := 50 + rand.IntN(600)
		c.read(t, o, func(line string) bool {
			if strings.HasPrefix(line, "W") {
				left--
			}
			return left == 0
		})
		if err := c.kill(t, o); err == nil {
			t.Fatal("the child process ended before it was killed")
		}
		before := time.Now()
		s, err := badgerstore.Open(dir, small)
		if err != nil {
			t.Fatal(err)
		}
		slowest = max(slowest, time.Since(before))
		o.check(t, s, true)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(o.written) < 50*rounds {
		t.Fatalf("only %d writes were acknowledged", len(o.written))
	}
	t.Logf("%d kills, %d writes acknowledged, 0 lost; slowest opening %s", rounds, len(o.written), slowest.Round(time.Millisecond))
}

// copyDir copies a directory while a store may have it open: the files that a crash of the
// process would leave. Badger's files are mostly holes; the copies too. If files come or go meanwhile,
// it begins again: a memtable that is not copied may be in a table that is not copied either.
func copyDir(t testing.TB, from string) string {
	t.Helper()
	for {
		before := filesIn(t, from)
		to := t.TempDir()
		err := copyFiles(before, from, to)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err == nil && slices.Equal(before, filesIn(t, from)) {
			return to
		}
	}
}

// filesIn returns the paths of the files below a directory.
func filesIn(t testing.TB, dir string) (paths []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func copyFiles(paths []string, from, to string) error {
	for _, path := range paths {
		target := filepath.Join(to, path)
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		if err := copyFile(filepath.Join(from, path), target); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Truncate(int64(len(data))); err != nil {
		return err
	}
	const block = 64 << 10
	for at := 0; at < len(data); at += block {
		b := data[at:min(len(data), at+block)]
		if len(bytes.TrimRight(b, "\x00")) == 0 {
			continue
		}
		if _, err := f.WriteAt(b, int64(at)); err != nil {
			return err
		}
	}
	return f.Close()
}
