package recess

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// After a renewal no former data key is in the ring, and every engram is under a new one.
func TestRenewedDataKeysReplaceAllFormerOnes(t *testing.T) {
	disk, list := furnished(t)
	var a alarms
	r := begin(t, disk, &a)
	former := slices.Collect(maps.Keys(r.tenants["kiwi"].keys.byID))
	files := map[string][]byte{}
	for name, data := range disk.files() {
		if hasParquet(name) {
			files[name] = bytes.Clone(data)
		}
	}
	must(t, r.RenewKeys(ctx, kiwi))
	for range 2 {
		k := r.tenants["kiwi"]
		for _, id := range former {
			if k.keys.get(id) != nil {
				t.Fatalf("the former key %x is in the ring", id)
			}
		}
		for _, e := range list {
			same(t, r, kiwi, e)
		}
		report, err := r.Scrub(ctx)
		if err != nil || len(report.Damaged) > 0 || report.Engrams == 0 {
			t.Fatalf("%+v %v", report, err)
		}
		if s, err := r.Stats(ctx, kiwi); err != nil || s.Erasing || s.Journal != 0 {
			t.Errorf("%+v %v", s, err)
		}
		must(t, r.Close())
		r = begin(t, disk, &a)
	}
	must(t, r.Close())
	for name := range files {
		if _, left := disk.files()[name]; left {
			t.Errorf("the file %s is still there", name)
		}
	}
	if a.count() > 0 {
		t.Errorf("alarms %+v", a.list)
	}
	r = begin(t, disk, &a)
	must(t, r.RenewKeys(ctx, graph.Scope{Tenant: "nobody"}))
	must(t, r.Close())
}

// A key ring from before a renewal opens nothing of today.
func TestAFormerKeyRingOpensNothingAfterARenewal(t *testing.T) {
	disk, list := furnished(t)
	former := map[string][]byte{}
	for _, name := range []string{"keys.a", "keys.b"} {
		former[name] = bytes.Clone(disk.files()["/recess/tenants/kiwi/"+name])
	}
	r := begin(t, disk, &alarms{})
	must(t, r.RenewKeys(ctx, kiwi))
	must(t, r.Close())
	for name, data := range former {
		disk.walk("recess/tenants/kiwi/" + name).data = data
	}
	var a alarms
	r = begin(t, disk, &a)
	if _, err := r.Read(ctx, kiwi, list[0].Memory.ID); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("with the ring of before: %v", err)
	}
	if a.count() == 0 {
		t.Error("the ring of before raised no alarm")
	}
	must(t, r.Close())
}

// Data keys are replaced while engrams are read, searched and appended: no call fails.
func TestDataKeysAreRenewedUnderLoad(t *testing.T) {
	var a alarms
	r := open(t, Options{Dir: t.TempDir(), Rand: chacha(1), Alarm: a.raise, Cache: 4})
	list := newMaker(1).engrams(60, 5)
	for i := range list {
		list[i].Vector = []float32{1, float32(i), 2}
	}
	must(t, r.Append(ctx, kiwi, list[:30]...))
	var calls sync.WaitGroup
	var stop atomic.Bool
	for range 2 {
		calls.Go(func() {
			for !stop.Load() {
				for _, e := range list[:30] {
					if _, err := r.Read(ctx, kiwi, e.Memory.ID); err != nil {
						t.Errorf("read: %v", err)
					}
				}
				if f, err := r.Search(ctx, kiwi, Query{Vector: []float32{1, 2, 3}, K: 20}); err != nil || f.Unreadable > 0 {
					t.Errorf("search: %+v %v", f, err)
				}
			}
		})
	}
	var appends sync.WaitGroup
	appends.Go(func() {
		for _, e := range list[30:] {
			if err := r.Append(ctx, kiwi, e); err != nil {
				t.Errorf("append: %v", err)
			}
		}
	})
	for range 5 {
		must(t, r.RenewKeys(ctx, kiwi))
	}
	appends.Wait()
	must(t, r.RenewKeys(ctx, kiwi))
	stop.Store(true)
	calls.Wait()
	for _, e := range list {
		same(t, r, kiwi, e)
	}
	if a.count() > 0 {
		t.Errorf("alarms %+v", a.list)
	}
}

// A damaged file keeps its keys: an intact copy of it can be put back after the renewal.
func TestADamagedFileKeepsItsKeys(t *testing.T) {
	disk, list := furnished(t)
	name := ""
	for n := range disk.files() {
		if hasParquet(n) && (name == "" || n < name) {
			name = n
		}
	}
	intact := bytes.Clone(disk.files()[name])
	node := disk.walk(strings.TrimPrefix(name, "/"))
	node.data = bytes.Clone(intact)
	node.data[len(node.data)/2] ^= 1
	r := begin(t, disk, &alarms{})
	must(t, r.RenewKeys(ctx, kiwi))
	must(t, r.Close())
	node.data = intact
	r = begin(t, disk, &alarms{})
	for _, e := range list {
		same(t, r, kiwi, e)
	}
	must(t, r.Close())
}
