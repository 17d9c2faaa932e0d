package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/internal/s3test"
)

// useBucket gives the commands of a test the endpoint and credentials of a bucket.
func useBucket(t *testing.T, s *s3test.Server) {
	t.Helper()
	for _, e := range s.Environment() {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
	}
}

// Backup, check and restore by command, to and from a bucket of a real S3 server.
func TestBackupToABucketByCommand(t *testing.T) {
	bucket := s3test.Start(t)
	useBucket(t, bucket)
	p := newPlace(t)
	at := "s3://" + s3test.Bucket + "/yard"
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	remember2(t, s, 0, 0, 30)
	out := p.succeeds("backup", "--addr", s.url, "--to", at)
	if !strings.Contains(out, "backed up to "+at) {
		t.Errorf("backup says %s", out)
	}
	first := exportOf(t, s)
	remember(t, s.client(), "The lane floods in spring.")
	p.succeeds("backup", "--addr", s.url, "--to", at)
	last := exportOf(t, s)
	if out := p.succeeds("backup", "verify", "--from", at, "--keys", p.at("keys")); !strings.Contains(out, "the backup is intact") {
		t.Errorf("verify says %s", out)
	}
	s.stop()
	sameExport(t, "the end", restored(t, p.at("keys"), at, p.at("end")), last, "")
	sameExport(t, "the first boundary", restored(t, p.at("keys"), at, p.at("first"), "--at", boundaryOf(t, out)), first, "")

	// A cut object is refused by both, and credentials that are not those of the bucket are.
	objects, err := os.ReadDir(bucket.Path("yard/000001"))
	if err != nil || len(objects) < 3 {
		t.Fatalf("%d objects: %v", len(objects), err)
	}
	path := bucket.Path("yard/000001/" + objects[0].Name())
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b[:len(b)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	p.fails("damaged or cut", "backup", "verify", "--from", at, "--keys", p.at("keys"))
	p.fails("damaged or cut", "restore", "--from", at, "--keys", p.at("keys"), "--data", p.at("cut"))
	t.Setenv("SOMNOGRAPH_BACKUP_SECRET_KEY", "another")
	if _, errs, code := output(t, "backup", "verify", "--from", at, "--keys", p.at("keys")); code == 0 || strings.Count(errs, "\n") > 2 {
		t.Errorf("other credentials: code %d: %s", code, errs)
	}
}

// Backup of a cluster, restore into the embedded store and into another, empty cluster, and doctor over
// that, by command.
func TestBackupOfDgraphByCommand(t *testing.T) { testBackupOfDgraph(t) }

// The same, of a sealed cluster into another one.
func TestBackupOfASealedClusterByCommand(t *testing.T) { testBackupOfDgraph(t, "--seal=on") }

func testBackupOfDgraph(t *testing.T, args ...string) {
	from, into := startDgraph(t), startDgraph(t)
	p := newPlace(t)
	on := func(addr string) []string {
		return []string{"--store", "dgraph", "--dgraph", addr, "--keys", p.at("keys")}
	}
	over := func(addr string) []string { return append(on(addr), args...) }
	s := start(t, p.at("data"), over(from.Addr)...)
	remember2(t, s, 0, 0, 30)
	gone := remember(t, s.client(), canary)
	kept := remember(t, s.client(), "The winch sticks again.")
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	forget(t, s.client(), gone)
	var want string
	for out := ""; want == ""; { // until nothing changes in the background meanwhile
		before := exportOf(t, s)
		out = p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
		if after := exportOf(t, s); after == before && strings.Contains(out, "boundary is at") {
			want = after
		}
	}
	p.succeeds("backup", "verify", "--from", p.at("bk"), "--keys", p.at("keys"))
	s.stop()
	p.fails("not empty", append([]string{"restore", "--from", p.at("bk"), "--data", p.at("again")}, over(from.Addr)...)...)
	sameExport(t, "in the embedded store", restored(t, p.at("keys"), p.at("bk"), p.at("badger")), want, "")
	p.succeeds(append([]string{"restore", "--from", p.at("bk"), "--data", p.at("cluster")}, over(into.Addr)...)...)

	var report struct {
		Sound   bool
		Checked struct{ Memories int }
	}
	out, errs, code := output(t, append([]string{"doctor", "--data", p.at("cluster"), "--json"}, on(into.Addr)...)...)
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || !report.Sound || report.Checked.Memories < 31 {
		t.Errorf("doctor: code %d, %v: %s%s", code, err, out, errs)
	}
	again := start(t, p.at("cluster"), over(into.Addr)...)
	sameExport(t, "in the other cluster", exportOf(t, again), want, "")
	finds(t, again, "winch", kept)
	again.stop()
}
