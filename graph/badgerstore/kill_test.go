package badgerstore_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph/badgerstore"
)

// TestKill kills a process with eight writers at random moments. The soak runs it
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
			t.Fatal("the child ended by itself")
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

// copyDir copies a directory as it lies, also while a store has it open: what a
// crash of the process would leave.
func copyDir(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}
