package index

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

func TestBM25ByHand(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	a := f.memory(epoch, "violin violin concert")                  // 3 terms
	b := f.memory(epoch, "violin")                                 // 1 term
	c := f.memory(epoch, "football match tonight kick off sunday") // 5 terms: "off" is a stop word
	for _, m := range []*graph.Memory{a, b, c} {
		f.put(m, nil)
	}
	got := recalled(t, x, f, Query{Texts: []string{"violin"}, Now: epoch})
	score := func(tf, length float64) float64 { return tf * 2.2 / (tf + 1.2*(0.25+0.75*length/3)) }
	near(t, "the best", got[b.ID].Keyword, score(1, 1)/math.Max(score(1, 1), score(2, 3)))
	near(t, "the other", got[a.ID].Keyword, score(2, 3)/math.Max(score(1, 1), score(2, 3)))
	if _, found := got[c.ID]; found {
		t.Error("a memory without a word of the question is not a candidate")
	}
}

func TestRareWordsWeighMore(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	for i := range 30 {
		f.put(f.memory(epoch, fmt.Sprintf("meeting number%d", i)), nil)
	}
	rare := f.memory(epoch, "violin lesson")
	f.put(rare, nil)
	got := recalled(t, x, f, Query{Texts: []string{"violin meeting"}, Now: epoch})
	expect(t, "best", best(got, func(c Candidate) float64 { return c.Keyword }), rare.ID)
	expect(t, "candidates", len(got), 31)
}

func TestMemoryScoresByItsBestText(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	a, b := f.memory(epoch, "harbour"), f.memory(epoch, "port")
	f.put(a, nil)
	f.put(b, nil)
	got := recalled(t, x, f, Query{Texts: []string{"harbour", "port", "the of", "harbour"}, Now: epoch})
	expect(t, "first", got[a.ID].Keyword, 1)
	expect(t, "second", got[b.ID].Keyword, 1)
}

func TestSubjectTagsAndSummaryAreSearched(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	m := f.memory(epoch, "It is blue.", func(m *graph.Memory) {
		m.Subject, m.Tags, m.Summary = "favourite colour", []string{"preference"}, "likes the sea"
	})
	f.put(m, nil)
	for _, q := range []string{"colours", "preferences", "sea", "blue"} {
		expect(t, q, len(recalled(t, x, f, Query{Texts: []string{q}, Now: epoch})), 1)
	}
	changed := *f.memories[m.ID]
	changed.Tags = []string{"ocean"}
	f.put(&changed, nil)
	expect(t, "new tag", len(recalled(t, x, f, Query{Texts: []string{"ocean"}, Now: epoch})), 1)
	expect(t, "old tag", len(recalled(t, x, f, Query{Texts: []string{"preference"}, Now: epoch})), 0)
}

// A namespace of 20 next to a large one gets its 20 results from every channel, and its own word
// statistics.
func TestSmallNamespaceGetsCandidates(t *testing.T) {
	f := newFeed()
	const crowd = 6000
	for i := range crowd {
		f.put(f.memory(epoch, fmt.Sprintf("violin concert %d", i)), []float32{1, 0})
	}
	var small []graph.ID
	for i := range 20 {
		m := f.memory(epoch.Add(-time.Hour), fmt.Sprintf("violin %d", i), func(m *graph.Memory) { m.Namespace = "small" })
		f.put(m, []float32{0.1, 0.9})
		small = append(small, m.ID)
	}
	x := opened(t, f, Options{})
	filter := Filter{Namespaces: []string{"small"}}
	for name, q := range map[string]Query{
		"words": {Texts: []string{"violin"}}, "vectors": {Vector: []float32{1, 0}}, "recent": {},
	} {
		q.Now, q.Filter = epoch, filter
		got := recalled(t, x, f, q)
		expect(t, name, len(got), 20)
		for _, id := range small {
			if _, found := got[id]; !found {
				t.Errorf("%s: %s is missing", name, id)
			}
		}
	}
}
