package keyring

import (
	"errors"
	"os"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A file of keys from before an erasure, put back alone, is refused, also if all of its keys were destroyed. On request it is taken,
// unless the data is older too.
func TestAnOlderSegmentIsRefused(t *testing.T) {
	for name, last := range map[string]uint64{"one key destroyed": 1, "all keys destroyed": SegmentKeys} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			k, r := opened(t, dir)
			for range SegmentKeys + 5 {
				next(t, r)
			}
			path := r.segmentPath(0)
			former, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var all []uint64
			for n := range last {
				all = append(all, n+1)
			}
			if err := r.Destroy(all); err != nil {
				t.Fatal(err)
			}
			older := Mark{Generation: r.Generation(), Highest: SegmentKeys + 5}
			if err := r.Destroy([]uint64{SegmentKeys + 1}); err != nil {
				t.Fatal(err)
			}
			now := Mark{Generation: r.Generation(), Highest: SegmentKeys + 5}
			if err := errors.Join(r.Check("tenant", now), k.Close()); err != nil {
				t.Fatal(err)
			}
			check := func(mark Mark, accept bool, refused string) { t.Helper(); checkRing(t, dir, mark, accept, refused) }
			check(now, false, "")
			if err := os.WriteFile(path, former, 0o600); err != nil {
				t.Fatal(err)
			}
			check(now, false, path)
			check(now, false, path) // the first start changed nothing
			check(older, true, path)
			check(now, true, "")
			check(now, false, "")
		})
	}
}

// checkRing opens the ring of a directory and checks it against a mark. It is refused because of a file; empty: it is not.
func checkRing(t *testing.T, dir string, mark Mark, accept bool, refused string) {
	t.Helper()
	k, err := Open(dir, Options{AcceptOlder: accept})
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Ring("tenant")
	if err != nil {
		t.Fatal(err)
	}
	var damaged *graph.DamagedKeysError
	if err := r.Check("tenant", mark); refused == "" && err != nil || refused != "" && (!errors.As(err, &damaged) || damaged.Path != refused) {
		t.Errorf("%v, want a refusal because of %q", err, refused)
	}
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
}

// A file of keys that is missing is no file whose keys were destroyed. On request the ring goes on without it.
func TestALostSegmentIsRefused(t *testing.T) {
	dir := t.TempDir()
	k, r := opened(t, dir)
	for range 3*SegmentKeys + 5 {
		next(t, r)
	}
	first, err := r.BeginRenewal()
	if err != nil {
		t.Fatal(err)
	}
	kept := next(t, r).Number
	var all []uint64 // of the second segment
	for n := range uint64(SegmentKeys) {
		all = append(all, SegmentKeys+n+1)
	}
	if err := r.Destroy(all); err != nil {
		t.Fatal(err)
	}
	mark := Mark{Generation: r.Generation(), Highest: kept}
	path := r.segmentPath(4)
	if _, err := os.Stat(r.segmentPath(1)); !os.IsNotExist(err) {
		t.Errorf("the file of a segment without keys: %v", err)
	}
	if err := errors.Join(r.Check("tenant", mark), k.Close(), os.Remove(r.segmentPath(2))); err != nil {
		t.Fatal(err)
	}
	checkRing(t, dir, mark, false, "") // its keys are being replaced: a crash may have come while they were destroyed
	_, r = opened(t, dir)
	if err := r.EndRenewal(first); err != nil {
		t.Fatal(err)
	}
	mark.Generation, mark.First = r.Generation(), r.First()
	if err := errors.Join(r.close(), os.Rename(path, path+".away")); err != nil {
		t.Fatal(err)
	}
	checkRing(t, dir, mark, false, path)
	checkRing(t, dir, mark, false, path)
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	checkRing(t, dir, mark, false, "")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	checkRing(t, dir, mark, true, "")
	checkRing(t, dir, mark, false, "")
}

// A state of a version that did not count the keys is read, and counts them from then on.
func TestAStateWithoutCounts(t *testing.T) {
	dir := t.TempDir()
	k, r := opened(t, dir)
	for range 3 {
		next(t, r)
	}
	r.mu.Lock()
	text, _, err := parseState(r.text())
	if err != nil || text.reserved != r.reserved {
		t.Fatalf("%+v, %v", text, err)
	}
	if _, counts, err := parseState(r.text()); counts != nil || err != nil {
		t.Errorf("%v, %v", counts, err)
	}
	if _, counts, err := parseState(appendCounts(r.text(), r.counts)); len(counts) != 1 || counts[0] != SegmentKeys || err != nil {
		t.Errorf("%v, %v", counts, err)
	}
	if _, counts, err := parseState(appendCounts(r.text(), nil)); counts == nil || len(counts) > 0 || err != nil {
		t.Errorf("%v, %v", counts, err)
	}
	for _, text := range [][]byte{r.text()[:39], append(r.text(), 2), append(r.text(), 1, 0), nil} {
		if _, _, err := parseState(text); !errors.Is(err, graph.ErrIntegrity) {
			t.Errorf("a state of %d bytes: %v", len(text), err)
		}
	}
	r.mu.Unlock()
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
}
