package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/slots"
	"github.com/somnograph/somnograph/graph/index/text"
)

// randomWords answers n words: the first of 60 are common, the last are rare.
func randomWords(rnd *rand.Rand, n int) string {
	var out []string
	for range n {
		out = append(out, fmt.Sprintf("w%dx", min(rnd.IntN(60), rnd.IntN(60), rnd.IntN(60))))
	}
	return strings.Join(out, " ")
}

// conversations is an index of memories in sessions, some of which ask questions, in
// several namespaces.
func conversations(t *testing.T, rnd *rand.Rand, memories, namespaces int) *Index {
	f := newFeed()
	for i := range memories {
		said := randomWords(rnd, 1+rnd.IntN(30))
		if rnd.IntN(20) > 0 {
			said = "everyday " + said
		}
		if rnd.IntN(4) == 0 {
			said += ". " + randomWords(rnd, 1+rnd.IntN(9)) + "?" // boosts the next memory more
		}
		f.put(f.memory(epoch.Add(time.Duration(rnd.IntN(5000))*time.Minute), said, func(m *graph.Memory) {
			if i%5 > 0 {
				m.Session = fmt.Sprintf("s%d", rnd.IntN(120))
			}
			m.Project, m.Namespace = fmt.Sprintf("p%d", rnd.IntN(3)), fmt.Sprintf("n%d", rnd.IntN(namespaces))
		}), nil)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	return x
}

// randomQuery is a query of one or two texts, some with related words.
func randomQuery(rnd *rand.Rand) Query {
	q := Query{
		Texts: []string{randomWords(rnd, 1+rnd.IntN(6)) + []string{"", " everyday"}[rnd.IntN(2)], randomWords(rnd, rnd.IntN(3))},
		Limit: 1 + rnd.IntN(40), Now: epoch.AddDate(1, 0, 0),
	}
	if rnd.IntN(2) == 0 {
		q.Related = []Related{{strings.Fields(q.Texts[0])[0], []string{"w3x", "w59x"}}}
	}
	if rnd.IntN(2) == 0 {
		q.Filter.Project = "p1"
	}
	return q
}

// searchWords runs the words channel of a query, partition by partition in the given order.
func searchWords(x *Index, q Query, order []int) (*wordSearch, []slotHit) {
	tenant := x.tenantOrNil(world)
	r := &recall{query: &q, tenant: tenant, parts: tenant.filterPartitions(graph.Sight{}, &q.Filter, q), candidates: map[slotRef]int32{}}
	s := r.newWordSearch(x)
	for _, i := range order {
		s.score(i)
	}
	if !q.Exhaustive {
		s.boostPicked()
	}
	return s, s.topHits(s.collectHits(s.hits))
}

// places returns the slots of the hits, in order.
func places(all []slotHit) (out []slotRef) {
	for _, f := range all {
		out = append(out, f.slotRef)
	}
	return out
}

// An exhaustive search finds the best of all memories. Any other gives a memory the same
// score, and loses few.
func TestWordSearchAgainstAllMemories(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 23))
	x := conversations(t, rnd, 1500, 1)
	type tally struct{ kept, wanted, scored int }
	var balanced, approximate, exhaustive tally
	for range 200 {
		q := randomQuery(rnd)
		q.Exhaustive = true
		reference, found := searchWords(x, q, []int{0})
		p := reference.parts[0]
		exhaustive.scored += len(p.words.computed)
		want := slots.NewTopK(q.Limit, p.view.orderedBefore)
		for slot := range uint32(p.view.n) {
			if score := p.words.of(slot); p.matches.all.Has(slot) && score > 0 {
				want.Offer(slot, score)
			}
		}
		best := reference.topHits(reference.collectHits([][]slots.Hit{want.Hits}))
		if !slices.Equal(places(found), places(best)) {
			t.Fatalf("exhaustive search for %v found\n%v\nwant\n%v", q.Texts, found, best)
		}
		q.Exhaustive = false
		for _, c := range []struct {
			approximate bool
			tally       *tally
		}{{false, &balanced}, {true, &approximate}} {
			q.Approximate = c.approximate
			s, found := searchWords(x, q, []int{0})
			words := s.parts[0].words
			c.tally.scored += len(words.computed)
			if most := s.rerank * len(s.questions) * (1 + 2*boostSteps); len(words.computed) > most {
				t.Fatalf("%d memories were scored with their boost, at most %d may be", len(words.computed), most)
			}
			for _, f := range found {
				if score := p.words.of(f.slot); math.Abs(f.score-float64(score)) > 1e-5 {
					t.Fatalf("slot %d scores %v, in an exhaustive search %v", f.slot, f.score, score)
				}
			}
			sixth := best[:(len(best)+5)/6]
			c.tally.wanted += len(sixth)
			for _, f := range sixth {
				if slices.Contains(places(found), f.slotRef) {
					c.tally.kept++
				}
			}
			s.recall.free()
		}
		reference.recall.free()
	}
	t.Logf("of the best sixth: approximate %d of %d, balanced %d", approximate.kept, approximate.wanted, balanced.kept)
	if approximate.kept == approximate.wanted || approximate.kept < approximate.wanted*8/10 || balanced.kept < balanced.wanted*97/100 {
		t.Errorf("of the best sixth: approximate %d of %d, balanced %d", approximate.kept, approximate.wanted, balanced.kept)
	}
	if approximate.scored >= balanced.scored || balanced.scored >= exhaustive.scored {
		t.Errorf("scored with their boost: approximate %d, balanced %d, exhaustive %d", approximate.scored, balanced.scored, exhaustive.scored)
	}
}

// If no more memories score than are picked, every search is exhaustive.
func TestWordSearchOfSmallSetIsExhaustive(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 1))
	x := conversations(t, rnd, 300, 3)
	for range 100 {
		q := randomQuery(rnd)
		q.Limit = 150
		q.Exhaustive = true
		_, want := searchWords(x, q, []int{0, 1, 2})
		q.Exhaustive, q.Approximate = false, rnd.IntN(2) == 0
		if _, got := searchWords(x, q, []int{0, 1, 2}); !slices.Equal(places(got), places(want)) {
			t.Fatalf("found %v, want %v", got, want)
		}
	}
}

// What is found does not depend on the order in which the partitions are scored, though the
// highest scores of those before are the threshold for the next.
func TestWordSearchDoesNotDependOnTheOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 3))
	x := conversations(t, rnd, 1200, 5)
	for range 50 {
		q := randomQuery(rnd)
		q.Limit, q.Approximate = 1+rnd.IntN(6), rnd.IntN(2) == 0
		_, want := searchWords(x, q, []int{0, 1, 2, 3, 4})
		if _, got := searchWords(x, q, rnd.Perm(5)); !slices.Equal(got, want) {
			t.Fatalf("in another order found %v, before %v", got, want)
		}
	}
}

// Scores that are returned to the pool are zero.
func TestWordScoresAreReturnedToPoolAsZeros(t *testing.T) {
	f := newFeed()
	for i := range 200 {
		f.put(f.memory(epoch.Add(time.Duration(i)*time.Minute), "lamp lantern", func(m *graph.Memory) { m.Session = "s" }), nil)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	v := x.tenantOrNil(world).partitions(nil)[0].view.Load()
	pass := v.filter(&Filter{}, epoch.AddDate(1, 0, 0)).all
	a := text.New()
	q := parseWordQueries(a, []string{"lamp", "lantern"})
	for range 3 {
		s := v.scoreWords(q, [][]relatedGroup{relatedGroups(a, q[0], []Related{{"lamp", []string{"lantern"}}}), nil}, pass)
		for slot := range uint32(v.n) {
			s.of(slot)
		}
		boosted, group, own := s.boosted, s.group, s.texts[0].score
		s.free()
		for _, all := range [][]float32{boosted, group, own} {
			if i := slices.IndexFunc(all, func(x float32) bool { return x != 0 }); i >= 0 {
				t.Fatalf("slot %d keeps %v", i, all[i])
			}
		}
	}
}
