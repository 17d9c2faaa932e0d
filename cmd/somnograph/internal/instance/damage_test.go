package instance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// onlyFile returns the path of the one file below a directory whose name ends so.
func onlyFile(t *testing.T, dir, suffix string) string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, suffix) {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) != 1 {
		t.Fatalf("files ending in %s: %v, %v", suffix, found, err)
	}
	return found[0]
}

// flipBit changes a bit in the middle of the one file below a directory whose name ends so.
func flipBit(t *testing.T, dir, suffix string) {
	t.Helper()
	path := onlyFile(t, dir, suffix)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte{b[len(b)/2] ^ 4}, int64(len(b)/2)); err != nil {
		t.Fatal(err)
	}
}

// acting lists the active alarms with their actions after a refresh.
func acting(t *testing.T, in *Instance) string {
	t.Helper()
	alarmsOf(t, in)
	all, err := in.Engine.Alarms(t.Context(), engine.Loopback(), engine.AlarmInput{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range all {
		out = append(out, a.Indicator+"/"+string(a.Severity)+"/"+string(a.Action))
	}
	return strings.Join(out, " ")
}

// A bit of a sealed file of the recess flips: the alarm blocks the engram, it is engraved again from
// the store, and the alarm ends.
func TestDamagedEngramIsRestored(t *testing.T) {
	dir, clock := t.TempDir(), clockAt(now)
	o := options(dir)
	o.Source = clock.now
	in := open(t, o)
	id := remember(t, in, "Mira is allergic to walnuts.")
	live(t, in, "walnuts", 5, clock)
	if v := read(t, in, id); v.State.Tier != graph.L3 {
		t.Fatalf("tier %s", v.State.Tier)
	}
	if got := acting(t, in); got != "" {
		t.Fatalf("before: %s", got)
	}
	shut(t, in)
	flipBit(t, filepath.Join(dir, "recess"), ".parquet.sealed")
	in = open(t, o)
	defer func() { shut(t, in) }()
	if v := read(t, in, id); v.Unavailable == nil || v.Content != "" {
		t.Fatalf("a damaged engram is served: %q", v.Content)
	}
	if got := acting(t, in); got != "checksum_failures/CRITICAL/BLOCK_DAMAGED" {
		t.Errorf("damaged: %q", got)
	}
	if v := read(t, in, id); v.Unavailable != nil || v.Content != "Mira is allergic to walnuts." {
		t.Errorf("restored: %q, %v", v.Content, v.Unavailable)
	}
	if got := acting(t, in); got != "" {
		t.Errorf("restored: %q", got)
	}
	shut(t, in)
	in = open(t, o) // the new engram is durable
	if v := read(t, in, id); v.Unavailable != nil || v.Content == "" {
		t.Errorf("after a restart: %q, %v", v.Content, v.Unavailable)
	}
}

// Bits of the files of the index flip, before the start and while the server runs: the alarm rebuilds
// them, searches answer all the while, and the alarm ends.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	in := open(t, o)
	remember(t, in, "The ferry to Brodno leaves at noon.")
	shut(t, in)
	files := filepath.Join(dir, "index")
	found := func(when string) {
		t.Helper()
		r, err := in.Engine.Search(t.Context(), engine.Loopback(), engine.SearchInput{Query: "When does the ferry leave?"})
		if err != nil || len(r.Hits) != 1 {
			t.Errorf("%s: %+v, %v", when, r, err)
		}
	}
	rebuilt := func(when string) {
		t.Helper()
		found(when)
		if got := acting(t, in); got != "index_damage/WARNING/REBUILD_INDEX" {
			t.Errorf("%s: %q", when, got)
		}
		if got := acting(t, in); got != "" {
			t.Errorf("%s, rebuilt: %q", when, got)
		}
		found(when + ", rebuilt")
	}
	flipBit(t, files, ".index")
	in = open(t, o)
	rebuilt("a snapshot before the start")
	flipBit(t, files, ".index")
	rebuilt("a snapshot")
	flipBit(t, files, ".vectors")
	rebuilt("a vector")
	shut(t, in)
	in = open(t, o)
	if got := acting(t, in); got != "" {
		t.Errorf("after a restart: %q", got)
	}
	shut(t, in)
}
