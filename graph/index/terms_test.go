package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

func TestPackedTermsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		p := newPostings(nil)
		for i := range 1 + r.IntN(300) {
			p.intern(keyTerm, fmt.Sprint("w", i))
		}
		var entries []entry
		words := r.IntN(40)
		for i := range words + r.IntN(12) {
			tf := float32(1)
			if i < words {
				tf = []float32{0.5, 1, 2, 126.5, 127, 127.5, 0.3333, -1, 1e9}[r.IntN(9)]
			}
			entries = append(entries, entry{p.byOrdinal[1+r.IntN(len(p.byOrdinal)-1)], tf})
		}
		packed := &memoryTerms{termCount: uint32(words), packed: string(packEntries(nil, entries, words))}
		var got []entry
		packed.each(func(ordinal uint32, tf float32, word bool) {
			if word != (len(got) < words) {
				t.Fatalf("entry %d of %d words: a word %v", len(got), words, word)
			}
			got = append(got, entry{p.byOrdinal[ordinal], tf})
		})
		if !slices.Equal(got, entries) { // pack sorted them
			t.Fatalf("got %v, want %v", got, entries)
		}
		counts, whole := p.termsOf(packed)
		expect(t, "whole", whole, true)
		expect(t, "words", len(counts), words)
	}
}

func TestMissingWordIsReported(t *testing.T) {
	p := newPostings(nil)
	a, b := p.intern(keyTerm, "a"), p.intern(keyTerm, "b")
	entries := []entry{{a, 1}, {b, 1}}
	p.add(3, entries)
	packed := &memoryTerms{termCount: 2, packed: string(packEntries(nil, entries, 2))}
	p.removeSlots(map[*postingList][]uint32{b: {3}})
	got, whole := p.termsOf(packed)
	expect(t, "whole", whole, false)
	expectList(t, "words", got, []termCount{{"a", 1}})
}

// A memory may be written twice before a publication; the second version counts.
func TestReaddedWordIsKept(t *testing.T) {
	w, f := newWriter(1, unwritten(), nil), newFeed()
	m := f.memory(epoch, "violin lesson")
	write := func(content string) {
		again := *m
		again.Content = content
		w.put(newPreparer(nil, nil).prepare(&again, nil, 0))
	}
	write("violin lesson")
	w.publish("x")
	write("cello lesson")
	write("violin evening")
	v := w.publish("x")
	for word, want := range map[string]int{"violin": 1, "even": 1, "cello": 0, "lesson": 0} {
		if _, items := v.postings.lookup(keyTerm, word); len(items) != want {
			t.Errorf("%s stands in %d memories, want %d", word, len(items), want)
		}
	}
	write("nothing of it")
	v = w.publish("x")
	if _, items := v.postings.lookup(keyTerm, "violin"); len(items) != 0 {
		t.Error("violin is still there")
	}
}

func TestEqualValuesAreShared(t *testing.T) {
	w, f := newWriter(1, unwritten(), nil), newFeed()
	var slots []uint32
	for i := range 3 {
		m := f.memory(epoch, fmt.Sprint("note ", i), func(m *graph.Memory) {
			m.User, m.Agent, m.Session = "u", "agent", []string{"s", "s", "other"}[i]
		})
		w.put(newPreparer(nil, nil).prepare(m, nil, 0))
		slot, _ := w.postings.slotOf(m.ID)
		slots = append(slots, slot)
	}
	a, b, c := w.doc(slots[0]), w.doc(slots[1]), w.doc(slots[2])
	if a.Ownership != b.Ownership || a.Treatment != b.Treatment || a.Timestamps != b.Timestamps || &a.History[0] != &b.History[0] || a.Lineage != b.Lineage {
		t.Error("two memories of one session keep their own copies")
	}
	if a.Ownership == c.Ownership || c.Session != "other" || a.Session != "s" {
		t.Errorf("sessions %s and %s", a.Session, c.Session)
	}
	used := a.withUsage(graph.Usage{Count: 1, Last: epoch.Add(time.Hour)})
	if a.Usage.Count != 0 || b.Usage.Count != 0 || used.Usage.Count != 1 {
		t.Error("a use of one memory shows in another")
	}
	w.remove(slots[0])
	w.publish("x")
	if len(w.interned.owners) > 0 {
		t.Error("the shared values of removed memories are still held")
	}
}

// Cached lists equal those of the map, also after some lists were removed.
func TestCachedListIsCorrect(t *testing.T) {
	p, r := newPostings(nil), rand.New(rand.NewPCG(5, 5))
	kinds := []keyKind{keyTerm, keyTag, keyUser}
	for range 60_000 {
		kind, key := kinds[r.IntN(3)], fmt.Sprint("key", r.IntN(3000))
		l := p.intern(kind, key)
		if l != p.lists[listKey{kind, key}] || l.kind != kind || l.key != key || p.byOrdinal[l.ordinal] != l {
			t.Fatalf("%s of kind %d is another list", key, kind)
		}
		if r.IntN(50) == 0 {
			p.removeSlots(map[*postingList][]uint32{l: {1}}) // no memory has it
		}
	}
	if p.recent == nil {
		t.Error("no list was in the cache: the test proves nothing")
	}
}
