package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk mounts a file system of 300 MB in memory, or skips the test.
func smallDisk(t *testing.T) string {
	t.Helper()
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=300m"); err != nil {
		t.Skipf("NOT TESTED: a full disk. Mounting a small file system takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk
}

// fill writes to a new file of a disk until nothing is free, and returns its name.
func fill(t *testing.T, disk string) string {
	t.Helper()
	f, err := os.CreateTemp(disk, "filler")
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// The disk of a running server becomes full: the alarm begins, writes are refused and reads go on. When
// there is space again the alarm ends and writes are accepted, without a restart.
func TestFullDiskOfARunningServer(t *testing.T) {
	disk := smallDisk(t)
	s := serveHere(t, filepath.Join(disk, "data"), 0, "--badger-memtable", "8MiB", "--min-free-space", "80MiB")
	id := remember(t, s.client, "The sluice gate opens at low tide.")
	if a := s.alarm("disk_free"); a != nil {
		t.Fatalf("with space: %+v", a)
	}
	// The reserve has been used before: its space would let some more writes in.
	if err := os.Remove(filepath.Join(disk, "data", "store", "reserve")); err != nil {
		t.Fatal(err)
	}
	filler := fill(t, disk)
	a := s.mustAlarm("disk_free", "CRITICAL//REFUSE_WRITES")
	if !strings.Contains(a.Message, "Writes and erasures are refused") {
		t.Errorf("the alarm says %q", a.Message)
	}
	for range 10 { // more than open a breaker
		s.refuses()
	}
	var health struct {
		Health struct{ Details map[string]any }
	}
	if err := s.client.Do(t.Context(), "{health{details}}", nil, &health); err != nil || !strings.Contains(fmt.Sprint(health.Health.Details["breakers"]), "name:STORE state:CLOSED") {
		t.Errorf("the breakers on a full disk: %v, %v", health.Health.Details["breakers"], err)
	}
	if known, err := s.client.Knows(t.Context(), id); err != nil || !known {
		t.Errorf("a read on a full disk: %t, %v", known, err)
	}
	s.mustAlarm("disk_free", "CRITICAL//REFUSE_WRITES")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	s.ends(a)
	remember(t, s.client, "There is room again.")
	if again := s.alarm("disk_free"); again != nil {
		t.Errorf("with space again: %+v", again)
	}
}

// A server whose disk is too full to open the store for writes starts, answers reads, and says
// which disk is full to those who write. With space it writes again.
func TestStartOnAFullDisk(t *testing.T) {
	disk := smallDisk(t)
	dir := filepath.Join(disk, "data")
	s := start(t, dir, "--badger-memtable", "8MiB", "--min-free-space", "80MiB")
	id := remember(t, s.client(), "The sluice gate opens at low tide.")
	s.signal(unix.SIGKILL) // the log is not flushed
	s.exit()
	if err := os.Remove(filepath.Join(dir, "store", "reserve")); err != nil { // an earlier start has used it
		t.Fatal(err)
	}
	filler := fill(t, disk)

	full := start(t, dir, "--badger-memtable", "8MiB", "--min-free-space", "80MiB")
	if known, err := full.client().Knows(t.Context(), id); err != nil || !known {
		t.Errorf("a read on a full disk: %t, %v", known, err)
	}
	var found struct {
		Search struct {
			Hits []struct{ Memory struct{ ID string } }
		}
	}
	if err := full.client().Do(t.Context(), `{search(input:{query:"when does the sluice gate open"}){hits{memory{id}}}}`, nil, &found); err != nil || len(found.Search.Hits) == 0 {
		t.Errorf("a search on a full disk: %+v, %v", found, err)
	}
	err := full.client().Do(t.Context(), `mutation{remember(input:{content:"No room.",consent:EXPLICIT}){memory{id}}}`, nil, &struct{}{})
	if err == nil || !strings.Contains(err.Error(), "the disk of the data directory") {
		t.Errorf("a write on a full disk: %v", err)
	}
	var health struct {
		Health struct{ Status, Reason string }
	}
	if err := full.client().Do(t.Context(), `{health{status reason}}`, nil, &health); err != nil || health.Health.Status != "CRITICAL" || !strings.Contains(health.Health.Reason, "disk") {
		t.Errorf("health on a full disk: %+v, %v", health, err)
	}
	if status, _, body := full.get("/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "unavailable: the disk of the data directory") || strings.Contains(body, disk) {
		t.Errorf("/readyz says %d %q", status, body)
	}
	if _, errs, code := output(t, "ready", "--addr", full.url); code != exitFailed || !strings.Contains(errs, "is not ready: unavailable: the disk of the data directory") || strings.Contains(errs, disk) {
		t.Errorf("ready: code %d, %s", code, errs)
	}
	full.stop()
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	again := start(t, dir, "--badger-memtable", "8MiB", "--min-free-space", "80MiB")
	if known, err := again.client().Knows(t.Context(), id); err != nil || !known {
		t.Errorf("afterwards: %t, %v", known, err)
	}
	remember(t, again.client(), "There is room again.")
	again.stop()
}

// A restore onto a disk that has too little room says which directory is not restored, and what to do; it blames no segment and leaves
// nothing. With space it succeeds.
func TestRestoreOnAFullDisk(t *testing.T) {
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	keys, bk := at("keys"), at("bk")
	s := start(t, at("data"), "--keys", keys, "--backup-to", bk)
	remember(t, s.client(), "The sluice gate opens at low tide.")
	s.stop() // writes a last segment
	disk := smallDisk(t)
	filler, dir := filepath.Join(disk, "filler"), filepath.Join(disk, "new")
	if err := os.WriteFile(filler, make([]byte, 190<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errs, code := output(t, "restore", "--from", bk, "--keys", keys, "--data", dir)
	if code != exitFailed || !strings.Contains(errs, dir+" is not restored, and nothing is left of it: free some space") || strings.Contains(errs, "segment") {
		t.Errorf("a restore on a full disk: code %d, %s", code, errs)
	}
	if left, err := filepath.Glob(dir + "*"); err != nil || len(left) != 0 {
		t.Errorf("it left %v, %v", left, err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if out, errs, code := output(t, "restore", "--from", bk, "--keys", keys, "--data", dir); code != 0 {
		t.Errorf("with space: code %d, %s%s", code, out, errs)
	}
}
