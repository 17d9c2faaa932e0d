package index

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// Codes and sketches are restored from a snapshot unchanged, for any new order of slots.
func TestCodesAndSketchesRoundTrip(t *testing.T) {
	const dim = 256
	f, dir := newFeed(), t.TempDir()
	for i := range 600 {
		vector := testvectors.Unit(uint64(i), dim)
		if i%13 == 0 {
			vector = nil
		}
		f.put(f.memory(epoch.Add(time.Duration(i)*time.Minute), fmt.Sprint("note ", i)), vector)
	}
	x := opened(t, f, Options{Dir: dir})
	settle(t, x, f)
	ids := sortedKeys(f.memories)
	for i := 5; i < len(ids); i += 7 {
		f.erase(ids[i], epoch.Add(time.Hour))
	}
	settle(t, x, f)
	tn := x.tenantOrNil(world)
	pic, err := tn.captureSnapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := pic.write(&b, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	fresh := copied(t, tn, dir, b.Bytes())
	for _, p := range tn.partitions(nil) {
		before, after := p.view.Load(), fresh.partitions([]string{p.name})[0].view.Load()
		expect(t, "memories", after.live, before.live)
		sameCodes(t, before, after)
	}
}

// copied returns a tenant that was read from the bytes of another tenant's snapshot.
func copied(t *testing.T, from *tenant, dir string, snapshot []byte) *tenant {
	t.Helper()
	if err := from.files.Sync(); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	filesOf(t, dir).put(t, other)
	path := filepath.Join(other, "snapshot")
	if err := os.WriteFile(path, snapshot, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	x := &Index{store: from.store, opts: *from.opts}
	x.opts.Dir = other
	fresh := newTenant(x, from.scope)
	if _, err := fresh.readSnapshot(context.Background(), file); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = fresh.files.Close() })
	return fresh
}

func sameCodes(t *testing.T, before, after *view) {
	t.Helper()
	compared := 0
	var was, is []uint32 // slots
	before.eachDoc(func(slot uint32, d *Doc) bool {
		now, got := after.find(d.ID)
		if got == nil {
			t.Fatalf("%s is gone", d.ID)
		}
		was, is = append(was, slot), append(is, now)
		if before.vectors.Has(slot) != after.vectors.Has(now) || got.vectorRef != d.vectorRef {
			t.Fatalf("%s is searched: %v, before %v; its vector is at %v, before at %v", d.ID, after.vectors.Has(now), before.vectors.Has(slot), got.vectorRef, d.vectorRef)
		}
		if before.vectors.Has(slot) {
			compared++
		}
		return true
	})
	if !bytes.Equal(before.vectors.AppendCodes(nil, was), after.vectors.AppendCodes(nil, is)) {
		t.Error("codes or sketches changed")
	}
	if compared < 100 {
		t.Fatalf("only %d memories were compared", compared)
	}
}

// The captured content may be older than the postings. A removed list that a memory names is
// still written, and the memory's text hash is 0.
func TestViewOlderThanItsListsIsWritten(t *testing.T) {
	f, dir := newFeed(), t.TempDir()
	m := f.memory(epoch, "a zebra", func(m *graph.Memory) {
		m.User, m.Session, m.Project, m.Subject, m.Tags = "u", "s", "p", "sub", []string{"one", "two"}
	})
	f.put(m, testvectors.Unit(1, 24))
	f.put(f.memory(epoch.Add(time.Minute), "a horse"), testvectors.Unit(2, 24))
	x := opened(t, f, Options{Dir: dir})
	settle(t, x, f)
	tn := x.tenantOrNil(world)
	pic, err := tn.captureSnapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	changed := *m
	changed.Content, changed.User, changed.Session, changed.Project, changed.Subject, changed.Tags = "a donkey", "", "", "", "", nil
	f.put(&changed, testvectors.Unit(1, 24))
	settle(t, x, f)
	var b bytes.Buffer
	if err := pic.write(&b, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	v := copied(t, tn, dir, b.Bytes()).partitions(nil)[0].view.Load()
	slot, d := v.find(m.ID)
	if d == nil || d.User != "u" || d.Session != "s" || d.Project != "p" || d.Subject != "sub" || fmt.Sprint(d.Tags) != "[one two]" {
		t.Fatalf("got %+v", d)
	}
	for _, k := range []listKey{{keyUser, "u"}, {keySession, "s"}, {keyProject, "p"}, {keySubject, "sub"}, {keyTag, "one"}, {keyTag, "two"}} {
		if _, items := v.postings.lookup(k.kind, k.key); len(items) != 1 || items[0].slot != slot {
			t.Errorf("%v: %v", k, items)
		}
	}
	expect(t, "the sum of its text", v.chunks[slot>>slots.ChunkBits].terms[slot&slots.ChunkMask].textHash, uint64(0))
	_, horse := v.postings.lookup(keyTerm, "hors")
	expect(t, "memories with a horse", len(horse), 1)
}
