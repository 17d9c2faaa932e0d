//go:build linux

package badgerstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// mountTmpfs mounts a small file system in memory, or skips the test.
func mountTmpfs(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("NOT TESTED: a full disk. Mounting a small file system takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fillDisk writes until about left bytes are free.
func fillDisk(t *testing.T, dir string, left uint64) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "filler"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 256<<10)
	for {
		var s unix.Statfs_t
		if err := unix.Statfs(dir, &s); err != nil {
			t.Fatal(err)
		}
		free := s.Bavail * uint64(s.Bsize)
		if free <= left {
			return
		}
		if _, err := f.Write(block[:min(uint64(len(block)), free-left)]); err != nil {
			if errors.Is(err, unix.ENOSPC) {
				return
			}
			t.Fatal(err)
		}
	}
}

// TestDiskFull fills the disk while eight writers run: they are refused in time, reads
// continue, writes resume, nothing is lost, and a store opened on a full disk serves all of it
// for reading alone.
func TestDiskFull(t *testing.T) { fullRounds(t, mountTmpfs(t, "200m"), 1) }

// Writers that fill the disk themselves are refused before Badger's background work fills it, whatever
// little free space was configured: the process lives, reads go on, and nothing is lost.
func TestWritersFillTheDisk(t *testing.T) {
	dir, o := filepath.Join(mountTmpfs(t, "80m"), "store"), newOracle()
	c := startChild(t, dir) // a MinFree of 1 MiB
	refused := 0
	c.read(t, o, func(line string) bool {
		if strings.HasPrefix(line, "R reads no") {
			t.Errorf("reads failed: %s", line)
		}
		if strings.HasPrefix(line, "R") {
			refused++
		}
		return refused == 100 // and again after each merge that gave space back
	})
	if refused < 100 {
		t.Fatalf("the child died after %d writes: %v", len(o.written), c.cmd.Wait())
	}
	if err := c.interrupt(t, o); err != nil {
		t.Fatalf("closing: %v", err)
	}
	s, err := badgerstore.Open(dir, small)
	if err != nil {
		t.Fatal(err)
	}
	o.check(t, s, true)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d writes acknowledged before the first of %d refusals", len(o.written), refused)
}

func fullRounds(t *testing.T, disk string, rounds int) {
	dir, o := filepath.Join(disk, "store"), newOracle()
	guarded := small
	guarded.MinFree, guarded.Reserve, guarded.MinOpen = 64<<20, 8<<20, 16<<20
	for round := range rounds {
		c := startChild(t, dir, childDir+"_GUARD=1")
		await := func(prefix string, n int) {
			t.Helper()
			c.read(t, o, func(line string) bool {
				if strings.HasPrefix(line, "R reads no") {
					t.Errorf("reads failed: %s", line)
				}
				if strings.HasPrefix(line, prefix) {
					n--
				}
				return n == 0
			})
			if n > 0 {
				t.Fatalf("the child died: %v", c.cmd.Wait())
			}
		}
		await("W", 100)
		fillDisk(t, disk, 20<<20)
		await("R", 20)
		if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
			t.Fatal(err)
		}
		await("W", 100)
		fillDisk(t, disk, 0)
		await("R", 40)
		fillDisk(t, disk, 0) // including the space of the reserve
		await("R", 40)
		if err := c.interrupt(t, o); err != nil {
			t.Fatalf("closing on a full disk: %v", err)
		}
		full, err := badgerstore.Open(dir, guarded)
		if err != nil {
			t.Fatalf("opening on a full disk: %v", err)
		}
		o.check(t, full, true)
		if err := full.Ready(t.Context()); !errors.Is(err, graph.ErrUnavailable) || !strings.Contains(err.Error(), "MiB free") || !strings.Contains(err.Error(), "disk of the data directory") {
			t.Errorf("writes on a full disk: %v", err)
		}
		if _, err := badgerstore.Open(filepath.Join(disk, "new"), guarded); !errors.Is(err, graph.ErrUnavailable) || !strings.Contains(err.Error(), "MiB free") {
			t.Errorf("creating on a full disk: %v", err)
		}
		if err := full.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
			t.Fatal(err)
		}
		s, err := badgerstore.Open(dir, guarded)
		if err != nil {
			t.Fatal(err)
		}
		o.check(t, s, true)
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d disks filled twice, %d writes acknowledged, 0 lost", rounds, len(o.written))
}
