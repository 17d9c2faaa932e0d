package badgerstore

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// The log in use and the next one need no more blocks: writes go on without SIGBUS when the disk is
// full in an instant, before the guard sees it.
func TestLogsAreAllocated(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=64m"); err != nil {
		t.Skipf("NOT TESTED: a full disk. Mounting a small file system takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	dir := filepath.Join(disk, "store")
	s := openTestStore(t, dir)
	fillWholly(t, filepath.Join(disk, "filler"))
	s.diskGuard.mu.Lock()
	s.diskGuard.minFree, s.diskGuard.reserve, s.diskGuard.reserveHeld = 0, 0, true // as if the guard had not looked yet
	s.diskGuard.mu.Unlock()
	if err := s.diskGuard.checkSpace(); err != nil {
		t.Fatal(err)
	}
	acked := 0
	for ; acked < 100; acked++ { // most of a log of 4 MiB
		if err := noteOfSize(t.Context(), s, acked, 32<<10); err != nil {
			t.Fatalf("write %d: %v", acked, err)
		}
	}
	for _, name := range []string{s.standby.path(), filepath.Join(badgerDir(dir), "00001.mem")} {
		var stat unix.Stat_t
		if err := unix.Stat(name, &stat); err != nil || stat.Blocks*512 < logBytes(4<<20) {
			t.Errorf("%s has %d bytes of blocks, %v", filepath.Base(name), stat.Blocks*512, err)
		}
	}
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := openTestStore(t, dir)
	if n := countNotes(t, again); n != acked {
		t.Errorf("%d of %d notes", n, acked)
	}
	if left, err := filepath.Glob(filepath.Join(badgerDir(dir), "*.mem")); err != nil || len(left) > 3 {
		t.Errorf("logs %v, %v", left, err)
	}
}

// fillWholly writes until the disk is full.
func fillWholly(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatal(err)
	}
}
