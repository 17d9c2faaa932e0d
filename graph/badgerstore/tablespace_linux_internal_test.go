package badgerstore

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A merge of tables that is due when the disk becomes full waits, instead of ending the process by
// SIGBUS. Reads go on meanwhile, the merge is done when there is space, and nothing is lost.
func TestMergesWaitForSpaceOnAFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=160m"); err != nil {
		t.Skipf("NOT TESTED: a full disk. Mounting a small file system takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	dir := filepath.Join(disk, "store")
	s := openTestStore(t, dir)
	guard := s.diskGuard
	guard.tableNeeds.Store(1 << 40) // a merge waits until the disk is full
	acked := 0
	write := func() {
		t.Helper()
		if err := noteOfSize(t.Context(), s, acked, 32<<10); err != nil {
			t.Fatalf("write %d: %v", acked, err)
		}
		acked++
	}
	waitFor(t, "a merge to be due", func() bool {
		write()
		return guard.waitedForTable.Load() > 0
	})
	waitFor(t, "the memtables to be flushed", func() bool {
		logs, err := filepath.Glob(filepath.Join(badgerDir(dir), "*.mem"))
		return err == nil && len(logs) == 2 // the one in use and the next one
	})
	fillWholly(t, filepath.Join(disk, "filler"))
	guard.tableNeeds.Store(tableSpace(s.options.MemTable))
	full := guard.waitedForTable.Load()
	waitFor(t, "the merge to look at the full disk", func() bool { return guard.waitedForTable.Load() > full+2 })
	if _, err := os.Stat(guard.reservePath()); !os.IsNotExist(err) {
		t.Errorf("the reserve is kept: %v", err)
	}
	fillWholly(t, filepath.Join(disk, "filler2")) // the space of the reserve
	full = guard.waitedForTable.Load()
	waitFor(t, "the merge to wait", func() bool { return guard.waitedForTable.Load() > full+2 })
	before := len(s.db.Tables())
	if n := countNotes(t, s); n != acked {
		t.Errorf("reads on the full disk: %d of %d notes", n, acked)
	}
	for _, name := range []string{"filler", "filler2"} {
		if err := os.Remove(filepath.Join(disk, name)); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "the merge", func() bool {
		for _, table := range s.db.Tables() {
			if table.Level > 0 {
				return true
			}
		}
		return false
	})
	t.Logf("%d tables before the merge, %d after it", before, len(s.db.Tables()))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := countNotes(t, openTestStore(t, dir)); n != acked {
		t.Errorf("afterwards %d of %d notes", n, acked)
	}
}

// waitFor calls done until it returns true.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
