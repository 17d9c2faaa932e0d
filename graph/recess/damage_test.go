package recess

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// furnished is a disk with sealed files of two namespaces, a journal, an erasure, a
// withdrawal and a codebook, and the engrams that must be readable.
func furnished(t *testing.T) (*powerDisk, []Engram) {
	t.Helper()
	d := newPowerDisk()
	o := options(d, &alarms{})
	o.TrainAt = 30
	r, err := Open(o)
	must(t, err)
	m := newMaker(5)
	list := append(m.engrams(50, 7), m.engrams(14, 0)...)
	vectors := clusteredVectors(len(list), 64, 8, 0.3, 5)
	for i := range list {
		list[i].EngravedAt = start
		list[i].Memory.EmbeddingModel, list[i].Vector = "test", vectors[i]
		if i%3 == 0 {
			list[i].Memory.Namespace = "work"
		}
	}
	must(t, r.Append(ctx, kiwi, list[:52]...))
	_, err = r.Seal(ctx, kiwi)
	must(t, err)
	must(t, r.Append(ctx, kiwi, list[52:]...))
	_, err = r.Erase(ctx, kiwi, list[0].Memory.ID)
	must(t, err)
	must(t, r.Withdraw(ctx, kiwi, list[1].Memory.ID))
	more := m.engrams(12, 3)
	must(t, r.Append(ctx, kiwi, more[:7]...))
	must(t, r.Append(ctx, kiwi, more[7:]...))
	must(t, r.Close())
	return d.clone(), append(list[2:], more...)
}

// A flipped bit is detected or does no harm: no wrong data is returned, and undamaged engrams
// can be read.
func TestFlippedBits(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	disk, list := furnished(t)
	vectors := map[graph.ID][]float32{}
	r := begin(t, disk.clone(), &alarms{})
	for _, e := range list {
		got, err := r.Read(ctx, kiwi, e.Memory.ID)
		must(t, err)
		vectors[e.Memory.ID] = got.Vector
	}
	must(t, r.Close())
	var names []string
	for name, data := range disk.files() {
		if len(data) > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 1))
	outcome := map[string]int{}
	for i := range 308 {
		d := disk.clone()
		name := names[i%len(names)]
		n := d.walk(name)
		bit := rng.IntN(8 * len(n.data))
		n.data[bit/8] ^= 1 << (bit % 8)
		outcome[flipped(t, d, name, bit, list, vectors)]++
	}
	t.Logf("seed %d, %d files: %v", seed, len(names), outcome)
	if outcome["harmless"] == 0 || outcome["noticed"] == 0 {
		t.Error("the flipped bytes are not where they should be")
	}
}

func flipped(t *testing.T, d *powerDisk, name string, bit int, list []Engram, vectors map[graph.ID][]float32) string {
	t.Helper()
	var a alarms
	r, err := Open(options(d, &a))
	if err != nil {
		t.Fatalf("%s bit %d: open: %v", name, bit, err)
	}
	defer func() { must(t, r.Close()) }()
	missing := 0
	for _, e := range list {
		got, err := r.Read(ctx, kiwi, e.Memory.ID)
		switch {
		case err == nil:
			if !reflect.DeepEqual(got.Memory, e.Memory) || !slices.Equal(got.Vector, vectors[e.Memory.ID]) {
				t.Fatalf("%s bit %d: %s came back changed", name, bit, e.Memory.ID)
			}
		case errors.Is(err, graph.ErrIntegrity), errors.Is(err, graph.ErrNotFound):
			missing++
		default:
			t.Fatalf("%s bit %d: %v", name, bit, err)
		}
	}
	if _, err := r.Search(ctx, kiwi, Query{Model: "test", Vector: list[0].Vector, K: 10}); err != nil {
		t.Fatalf("%s bit %d: search: %v", name, bit, err)
	}
	switch {
	case missing > 0 && a.count() == 0:
		t.Fatalf("%s bit %d: %d engrams are missing without an alarm", name, bit, missing)
	case missing == len(list):
		t.Fatalf("%s bit %d: all is blocked", name, bit)
	case strings.Contains(name, ".log") && missing > 1:
		t.Fatalf("%s bit %d: one flip in the journal cost %d engravings", name, bit, missing)
	case strings.HasSuffix(name, ".a") && missing > 0 || strings.HasSuffix(name, ".b") && missing > 0:
		t.Fatalf("%s bit %d: a ledger was not repaired", name, bit)
	case missing > 0 || a.count() > 0:
		return "noticed"
	}
	return "harmless"
}

// A file that changes while the recess is open is detected at the next read. Only its engrams
// are blocked, and they can be read again after the file is restored.
func TestChangedFileIsDetected(t *testing.T) {
	disk, list := furnished(t)
	var a alarms
	r := begin(t, disk, &a)
	defer func() { must(t, r.Close()) }()
	for _, e := range list {
		_, err := r.Read(ctx, kiwi, e.Memory.ID) // all is cached
		must(t, err)
	}
	var hit string
	for _, name := range sortedNames(disk.files()) {
		if hasParquet(name) && strings.Contains(name, "/work/") {
			hit = name
		}
	}
	n := disk.walk(hit)
	before := slices.Clone(n.data)
	n.data[len(n.data)/2] ^= 4
	n.changed++
	blocked := 0
	for _, e := range list {
		_, err := r.Read(ctx, kiwi, e.Memory.ID)
		if errors.Is(err, graph.ErrIntegrity) {
			if graph.CodeOf(err) != graph.CodeIntegrityFailure || e.Memory.Namespace != "work" {
				t.Fatalf("%s: %v", e.Memory.ID, err)
			}
			blocked++
			continue
		}
		must(t, err)
	}
	if blocked == 0 || a.count() != blocked {
		t.Fatalf("%d engrams are blocked, %d alarms", blocked, a.count())
	}
	if x := a.list[0]; x.Tenant != "kiwi" || x.ID == "" || !strings.HasSuffix(hit, x.File) || strings.Contains(x.Reason, "kite") {
		t.Errorf("alarm %+v", x)
	}
	report, err := r.Scrub(ctx)
	must(t, err)
	if len(report.Damaged) != 1 {
		t.Errorf("scrub: %+v", report)
	}
	n.data, n.changed = before, n.changed+1
	for _, e := range list {
		_, err := r.Read(ctx, kiwi, e.Memory.ID)
		must(t, err)
	}

	// A missing file blocks like a damaged one; engraving again repairs it.
	must(t, disk.Remove(hit))
	var lost []Engram
	for _, e := range list {
		if _, err := r.Read(ctx, kiwi, e.Memory.ID); errors.Is(err, graph.ErrIntegrity) {
			lost = append(lost, e)
		} else {
			must(t, err)
		}
	}
	if len(lost) == 0 {
		t.Fatal("a missing file is not noticed")
	}
	must(t, r.Append(ctx, kiwi, lost...))
	for _, e := range lost {
		same(t, r, kiwi, e)
	}
	_, err = r.Seal(ctx, kiwi)
	must(t, err)
	for _, e := range list {
		same(t, r, kiwi, e)
	}
}

func sortedNames(files map[string][]byte) []string {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Damage in the journal stays an integrity failure after the journal is sealed.
func TestDamageInJournalSurvivesSeal(t *testing.T) {
	disk, list := furnished(t)
	last := list[len(list)-3] // in the second batch of the journal
	var a alarms
	r := begin(t, disk.clone(), &a)
	key, err := last.Memory.ID.Bytes()
	must(t, err)
	p := r.tenants["kiwi"].locate(key).entry
	must(t, r.Close())
	n := disk.walk(p.journal.path)
	n.data[p.at+p.size-9] ^= 1
	r = begin(t, disk, &a)
	defer func() { must(t, r.Close()) }()
	if a.count() != 1 || a.list[0].ID != last.Memory.ID {
		t.Fatalf("alarms %+v", a.list)
	}
	for range 2 {
		if _, err := r.Read(ctx, kiwi, last.Memory.ID); !errors.Is(err, graph.ErrIntegrity) {
			t.Fatalf("read: %v", err)
		}
		s, err := r.Seal(ctx, kiwi)
		must(t, err)
		t.Logf("%+v", s)
	}
	for _, e := range list {
		if e.Memory.ID != last.Memory.ID {
			same(t, r, kiwi, e)
		}
	}
	must(t, r.Append(ctx, kiwi, last))
	same(t, r, kiwi, last)
}
