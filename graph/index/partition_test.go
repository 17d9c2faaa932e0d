package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/slots"
)

func TestPartitionWithManyDeadSlotsIsRebuilt(t *testing.T) {
	f := newFeed()
	var ids []graph.ID
	for i := range 1500 {
		m := f.memory(epoch.Add(time.Duration(i)*time.Second), fmt.Sprintf("note %d", i), func(m *graph.Memory) {
			m.Session, m.Tags = fmt.Sprint("s", i%40), []string{"t"}
		})
		f.put(m, testvectors.Unit(uint64(i), 8))
		ids = append(ids, m.ID)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	counted := func() (n, live int) {
		v := x.tenantOrNil(world).partitions(nil)[0].view.Load()
		return v.n, v.live
	}
	for i, id := range ids {
		if i%3 != 0 {
			f.erase(id, epoch.Add(time.Hour))
		}
	}
	settle(t, x, f)
	n, live := counted()
	expect(t, "live", live, 500)
	if n-live > slots.ChunkSize && n-live > n/4 {
		t.Errorf("%d slots for %d memories", n, live)
	}
	c := &chronicle{Rand: rand.New(rand.NewPCG(1, 2)), f: f, now: epoch.Add(2 * time.Hour), ids: ids[:1]}
	for range 20 {
		q := c.query()
		q.Texts = append(q.Texts, "note 333")
		if q.Vector != nil {
			q.Vector = testvectors.Unit(7, 8)
		}
		agree(t, x, f, q)
	}
	for i, id := range ids {
		if _, known := x.Doc(world, id); known != (i%3 == 0) {
			t.Fatalf("memory %d: known %v", i, known)
		}
	}
}

func TestMemoryMovesToAnotherNamespace(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	m := f.memory(epoch, "a violin")
	f.put(m, []float32{1, 0})
	settle(t, x, f)
	moved := *f.memories[m.ID]
	moved.Namespace = "other"
	f.put(&moved, []float32{1, 0})
	for namespace, want := range map[string]int{"main": 0, "other": 1} {
		got := recalled(t, x, f, Query{Texts: []string{"violin"}, Filter: Filter{Namespaces: []string{namespace}}, Now: epoch})
		expect(t, namespace, len(got), want)
	}
	d, _ := x.Doc(world, m.ID)
	expect(t, "namespace", d.Namespace, "other")
}

func TestDocsAreAscendingAndStop(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	for i := range 50 {
		f.put(f.memory(epoch.Add(-time.Duration(i)*time.Minute), "x", func(m *graph.Memory) { m.Namespace = []string{"a", "b"}[i%2] }), nil)
	}
	settle(t, x, f)
	var ids []graph.ID
	x.Docs(world, func(d *Doc) bool { ids = append(ids, d.ID); return true })
	expect(t, "all", len(ids), 50)
	expect(t, "ascending", slices.IsSorted(ids), true)
	n := 0
	x.Docs(world, func(*Doc) bool { n++; return n < 3 })
	expect(t, "stopped", n, 3)
}
