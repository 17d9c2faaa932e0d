//go:build linux

package badgerstore_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/somnograph/somnograph/graph/badgerstore"
)

// newImage makes an ext4 file system in a file, or skips the test.
func newImage(t *testing.T) string {
	t.Helper()
	image := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 400<<20); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", image).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: a power cut. It takes mkfs.ext4: %v %s", err, out)
	}
	return image
}

// mountExt4 mounts the image, or skips the test.
func mountExt4(t *testing.T, image string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-o", "loop", image, dir).CombinedOutput(); err != nil {
		t.Skipf("NOT TESTED: a power cut. Mounting a loop device takes root: %v %s", err, out)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) }) // most are unmounted by then
	return dir
}

// powerCut is EXT4_IOC_SHUTDOWN without a flush of the journal: everything that was not
// synced is lost.
func powerCut(t *testing.T, dir string) {
	t.Helper()
	const shutdown, noLogFlush = 0x8004587d, 2
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.IoctlSetPointerInt(int(f.Fd()), shutdown, noLogFlush); err != nil {
		t.Skipf("NOT TESTED: a power cut. This file system has no shutdown: %v", err)
	}
}

// A power cut while eight writers run may lose the uses of the last second, nothing else.
func TestPowerCut(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	powerRounds(t, 3)
}

// powerRounds cuts the power n times.
func powerRounds(t *testing.T, n int) {
	image, o := newImage(t), newOracle()
	var slowest time.Duration
	for round := range n {
		disk := mountExt4(t, image)
		c := startChild(t, filepath.Join(disk, "store"))
		left := 100 + rand.IntN(2000)
		c.read(t, o, func(line string) bool {
			if strings.HasPrefix(line, "W") {
				left--
			}
			return left == 0
		})
		powerCut(t, disk)
		if err := c.kill(t, o); err == nil {
			t.Fatal("the child process ended before it was killed")
		}
		unmount(t, disk)

		disk = mountExt4(t, image)
		before := time.Now()
		s, err := badgerstore.Open(filepath.Join(disk, "store"), small)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		slowest = max(slowest, time.Since(before))
		o.check(t, s, false)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if len(o.written) > 20_000 { // start again before the image is full
			t.Logf("%d writes acknowledged, 0 lost", len(o.written))
			*o = *newOracle()
			if err := os.RemoveAll(filepath.Join(disk, "store")); err != nil {
				t.Fatal(err)
			}
		}
		unmount(t, disk)
	}
	t.Logf("%d power cuts, %d writes acknowledged since the last fresh store, 0 lost; slowest opening %s", n, len(o.written), slowest.Round(time.Millisecond))
}

func unmount(t *testing.T, dir string) {
	t.Helper()
	for range 100 {
		err := unix.Unmount(dir, 0)
		if err == nil {
			return
		}
		if err != unix.EBUSY {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond) // the killed process is still running
	}
	t.Fatalf("%s stays busy", dir)
}
