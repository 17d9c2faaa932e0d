package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A server whose disk is too full to open the store for writes starts, answers reads, and says
// which disk is full to those who write. With space it writes again.
func TestStartOnAFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=300m"); err != nil {
		t.Skipf("NOT TESTED: a full disk. Mounting a small file system takes root: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	dir := filepath.Join(disk, "data")
	s := start(t, dir, "--min-free-space", "32MiB")
	id := remember(t, s.client(), "The sluice gate opens at low tide.")
	s.signal(unix.SIGKILL) // the log is not flushed
	s.exit()
	if err := os.Remove(filepath.Join(dir, "store", "reserve")); err != nil { // an earlier start has used it
		t.Fatal(err)
	}
	filler, err := os.Create(filepath.Join(disk, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = filler.Write(block)
	}
	if err := filler.Close(); err != nil {
		t.Fatal(err)
	}

	full := start(t, dir, "--min-free-space", "32MiB")
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
	err = full.client().Do(t.Context(), `mutation{remember(input:{content:"No room.",consent:EXPLICIT}){memory{id}}}`, nil, &struct{}{})
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
	if err := os.Remove(filler.Name()); err != nil {
		t.Fatal(err)
	}
	again := start(t, dir, "--min-free-space", "32MiB")
	if known, err := again.client().Knows(t.Context(), id); err != nil || !known {
		t.Errorf("afterwards: %t, %v", known, err)
	}
	remember(t, again.client(), "There is room again.")
	again.stop()
}
