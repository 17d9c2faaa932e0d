package recess

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A rotation wraps the tenants' keys again and touches nothing else.
func TestRotation(t *testing.T) {
	disk, list := furnished(t)
	r := begin(t, disk, &alarms{})
	must(t, r.Append(ctx, graph.Scope{Tenant: "moa"}, newMaker(8).engram("tea")))
	before := maps.Clone(disk.files())
	for name := range before {
		before[name] = bytes.Clone(before[name])
	}
	must(t, r.RotateMaster(ctx, nil))
	same(t, r, kiwi, list[0])
	var changed []string
	for name, data := range disk.files() {
		if !bytes.Equal(before[name], data) {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	want := []string{"/recess/master.key", "/recess/tenants/kiwi/tenant.a", "/recess/tenants/kiwi/tenant.b", "/recess/tenants/moa/tenant.a", "/recess/tenants/moa/tenant.b"}
	if !slices.Equal(changed, want) {
		t.Errorf("changed: %q", changed)
	}
	must(t, r.Close())
	old := string(before["/recess/master.key"][:64])
	for name, data := range disk.files() {
		if strings.Contains(string(data), old) {
			t.Errorf("%s holds the old master key", name)
		}
	}
	r = begin(t, disk, &alarms{})
	for _, e := range list {
		same(t, r, kiwi, e)
	}
	must(t, r.Close())
}

// A copy of the key ring from before an erasure is of no use with the tenant's key of today.
func TestTheFormerKeyRingCantBeOpenedAfterARotation(t *testing.T) {
	putBack := func(rotate bool) error {
		disk, list := furnished(t)
		r := begin(t, disk, &alarms{})
		former := map[string][]byte{}
		for _, name := range []string{"keys.a", "keys.b"} {
			former[name] = bytes.Clone(disk.files()["/recess/tenants/kiwi/"+name])
		}
		_, err := r.Erase(ctx, kiwi, list[0].Memory.ID)
		must(t, err)
		if rotate {
			must(t, r.RotateKeys(ctx))
		}
		for _, e := range list[1:] {
			same(t, r, kiwi, e)
		}
		must(t, r.Close())
		for name, data := range former {
			disk.walk("recess/tenants/kiwi/" + name).data = data
		}
		r = begin(t, disk, &alarms{})
		_, err = r.Read(ctx, kiwi, list[1].Memory.ID)
		must(t, r.Close())
		return err
	}
	if err := putBack(false); errors.Is(err, graph.ErrIntegrity) {
		t.Fatalf("without a rotation the ring of then opens, otherwise this test shows nothing: %v", err)
	}
	if err := putBack(true); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("the ring of then was opened: %v", err)
	}
}

func TestMasterKey(t *testing.T) {
	one, two, three := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32), bytes.Repeat([]byte{3}, 32)
	d := newPowerDisk()
	o := options(d, &alarms{})
	o.Master = one
	r, err := Open(o)
	must(t, err)
	e := newMaker(1).engram("tea")
	must(t, r.Append(ctx, kiwi, e))
	if err := r.RotateMaster(ctx, nil); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("no key given: %v", err)
	}
	if err := r.RotateMaster(ctx, []byte("short")); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("short key: %v", err)
	}
	must(t, r.RotateMaster(ctx, two))
	must(t, r.Append(ctx, graph.Scope{Tenant: "new"}, newMaker(2).engram("tea")))
	must(t, r.Close())
	if _, ok := d.files()["/recess/master.key"]; ok {
		t.Error("a key from Options is on the disk")
	}
	if _, err := Open(o); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("the old key: %v", err)
	}
	o.Master, o.Previous = three, [][]byte{one, two} // a rotation at opening
	r, err = Open(o)
	must(t, err)
	same(t, r, kiwi, e)
	must(t, r.Close())
	o.Previous = nil
	r, err = Open(o)
	must(t, err)
	same(t, r, kiwi, e)
	must(t, r.Close())
	o.Master = []byte("short")
	if _, err := Open(o); graph.CodeOf(err) != graph.CodeInvalidRequest {
		t.Errorf("a short key: %v", err)
	}
	o.Master = nil // no file, but tenants
	if _, err := Open(o); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("no key: %v", err)
	}
}

// One process at a time can open the directory, and only its owner can read the key file.
func TestDirectoryIsLocked(t *testing.T) {
	o := Options{Dir: t.TempDir(), Rand: chacha(1)}
	r := open(t, o)
	if _, err := Open(o); !errors.Is(err, graph.ErrLocked) {
		t.Errorf("opened twice: %v", err)
	}
	info, err := statMode(o.Dir + "/master.key")
	must(t, err)
	if info != 0o600 {
		t.Errorf("mode %o", info)
	}
	must(t, r.Append(ctx, kiwi, newMaker(1).engram("tea")))
	closeNow(t, r)
	if err := r.Append(ctx, kiwi, newMaker(2).engram("tea")); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	if _, err := r.Seal(ctx, kiwi); !errors.Is(err, graph.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// A tenant whose ledgers are lost in both copies is blocked; the others are not.
func TestDamagedTenantBlocksOnlyItself(t *testing.T) {
	disk, list := furnished(t)
	r := begin(t, disk, &alarms{})
	other := graph.Scope{Tenant: "moa"}
	e := newMaker(8).engram("tea")
	must(t, r.Append(ctx, other, e))
	must(t, r.Close())
	for _, name := range []string{"manifest.a", "manifest.b"} {
		n := disk.walk("recess/tenants/kiwi/" + name)
		n.data[len(n.data)/2] ^= 1
	}
	var a alarms
	r = begin(t, disk, &a)
	if _, err := r.Read(ctx, kiwi, list[0].Memory.ID); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("read: %v", err)
	}
	if err := r.Append(ctx, kiwi, e); !errors.Is(err, graph.ErrIntegrity) {
		t.Errorf("append: %v", err)
	}
	same(t, r, other, e)
	if a.count() != 1 || a.list[0].Tenant != "kiwi" {
		t.Errorf("alarms %+v", a.list)
	}
	report, err := r.Scrub(ctx)
	if err != nil || len(report.Damaged) != 1 || report.Engrams != 1 {
		t.Errorf("%+v %v", report, err)
	}
	must(t, r.Close())
}
