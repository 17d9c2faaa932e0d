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
	"github.com/somnograph/somnograph/graph/index/text"
)

// The best by words are those of a look at every memory, score for score and in order,
// however much of a score is lent by neighbours; and much is left unlooked at.
func TestTheBestByWordsAreThoseOfAllMemories(t *testing.T) {
	const memories, words = 1500, 60
	f, rnd := newFeed(), rand.New(rand.NewPCG(5, 23))
	randomText := func(n int) string {
		var out []string
		for range n {
			// The first words are common, the last are rare.
			w := min(rnd.IntN(words), rnd.IntN(words), rnd.IntN(words))
			out = append(out, fmt.Sprintf("w%dx", w))
		}
		return strings.Join(out, " ")
	}
	for i := range memories {
		said := randomText(1 + rnd.IntN(30))
		if rnd.IntN(20) > 0 {
			said = "everyday " + said
		}
		if rnd.IntN(4) == 0 {
			said += ". " + randomText(1+rnd.IntN(9)) + "?" // lends more to what follows
		}
		f.put(f.memory(epoch.Add(time.Duration(rnd.IntN(5000))*time.Minute), said, func(m *graph.Memory) {
			if i%5 > 0 {
				m.Session = fmt.Sprintf("s%d", rnd.IntN(120))
			}
			m.Project = fmt.Sprintf("p%d", rnd.IntN(3))
		}), nil)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	v := x.at(world).reach(nil)[0].view.Load()
	spared, among, along, wanted, kept, left, taken, spare := 0, 0, 0, 0, 0, 0, 0, 0
	for range 200 {
		filter := Filter{}
		if rnd.IntN(2) == 0 {
			filter.Project = "p1"
		}
		pass := v.sift(&filter, epoch.AddDate(1, 0, 0)).all
		a := text.New()
		questions := askWords(a, []string{randomText(1+rnd.IntN(6)) + []string{"", " everyday"}[rnd.IntN(2)], randomText(rnd.IntN(3))})
		groups := make([][]group, len(questions))
		for i, q := range questions {
			if rnd.IntN(2) == 0 {
				groups[i] = groupsOf(a, q, []Related{{q[0].term, []string{"w3x", "w59x"}}})
			}
		}
		k := 1 + rnd.IntN(40)
		exhaustive, want := v.ask(questions, groups, pass, never), newTop(k, v.before)
		for slot := range uint32(v.n) {
			if score := exhaustive.of(slot); pass.has(slot) && score > 0 {
				want.offer(slot, score)
			}
		}
		r := v.ask(questions, groups, pass, []int{never, 1}[rnd.IntN(2)])
		off := 0
		for _, q := range r.asked {
			off += len(q.rest)
		}
		got := r.top(k, 0)
		if sortHits(got); !slices.EqualFunc(got.hits, sortHits(want).hits, func(a, b hit) bool {
			return a.slot == b.slot && math.Abs(float64(a.score-b.score)) < 1e-5
		}) {
			t.Fatalf("%d best of %v:\n%v\nwant\n%v", k, questions, got.hits, want.hits)
		}
		spared += len(exhaustive.known) - len(r.known)
		for _, q := range r.asked {
			off -= len(q.rest)
			left += len(q.rest)
			if few := q.above(got.floor()/(1+v.extent.lent()))*worthLooking < v.n; few {
				among++
			} else {
				along++
			}
		}
		taken += off
		looks := briefLooks * k
		alone := tops(len(questions), looks)
		brief := v.askBest(questions, groups, pass, looks, alone, []int{never, 1}[rnd.IntN(2)])
		for _, h := range brief.brief(looks, k, 0, alone).hits {
			if math.Abs(float64(h.score-exhaustive.of(h.slot))) > 1e-5 {
				t.Fatalf("in brief %v scores %v, else %v", h.slot, h.score, exhaustive.of(h.slot))
			}
			if slices.ContainsFunc(want.hits[:(len(want.hits)+5)/6], func(w hit) bool { return w.slot == h.slot }) {
				kept++
			}
		}
		wanted += (len(want.hits) + 5) / 6
		most := 0
		for i, q := range brief.asked {
			if most += looks; len(q.rest) > 0 {
				most, spare = most+restMore, spare+1
				for _, h := range alone[i].hits {
					if sum := exhaustive.asked[i].own[h.slot]; math.Abs(float64(h.score-sum)) > 1e-5 {
						t.Fatalf("%v scores %v by itself where words were put off, else %v", h.slot, h.score, sum)
					}
				}
			}
		}
		if most *= 1 + 2*shareSteps; len(brief.known) > most {
			t.Fatalf("%d looks for %d in brief, at most %d", len(brief.known), k, most)
		}
		for slot := uint32(rnd.IntN(7)); slot < uint32(v.n); slot += 7 {
			if pass.has(slot) && math.Abs(float64(brief.of(slot)-exhaustive.of(slot))) > 1e-5 {
				t.Fatalf("%v scores %v where words were put off, else %v", slot, brief.of(slot), exhaustive.of(slot))
			}
		}
		brief.free()
		exhaustive.free()
		r.free()
	}
	t.Logf("in brief %d of %d are found", kept, wanted)
	if kept == wanted || kept < wanted*8/10 {
		t.Errorf("in brief %d of %d are found", kept, wanted)
	}
	if spare == 0 {
		t.Error("in brief no word was put off")
	}
	if left == 0 || taken == 0 {
		t.Errorf("%d words that were put off were left out to the end, %d were taken up again", left, taken)
	}
	if spared < memories || among == 0 || along == 0 {
		t.Errorf("in 200 questions %d looks were spared; %d times few were looked at, %d times sessions were walked", spared, among, along)
	}
}

// What is given back is empty, whoever takes it next.
func TestWordScoresAreGivenBackEmpty(t *testing.T) {
	f := newFeed()
	for i := range 200 {
		f.put(f.memory(epoch.Add(time.Duration(i)*time.Minute), "lamp lantern", func(m *graph.Memory) { m.Session = "s" }), nil)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	v := x.at(world).reach(nil)[0].view.Load()
	pass := v.sift(&Filter{}, epoch.AddDate(1, 0, 0)).all
	a := text.New()
	q := askWords(a, []string{"lamp", "lantern"})
	for round := range 3 {
		r := v.ask(q, [][]group{groupsOf(a, q[0], []Related{{"lamp", []string{"lantern"}}}), nil}, pass, never)
		if r.top(5, 0); round == 2 {
			r.free()
			alone := tops(2, 10)
			r = v.askBest(q, make([][]group, 2), pass, 10, alone, 1)
			r.brief(10, 5, 0, alone)
		}
		best, group, own, whole := r.best, r.group, r.asked[0].own, r.asked[0].whole
		r.free()
		for _, all := range [][]float32{best, group, own, whole} {
			if i := slices.IndexFunc(all, func(x float32) bool { return x != 0 }); i >= 0 {
				t.Fatalf("slot %d keeps %v", i, all[i])
			}
		}
	}
}

func sortHits(t *top) *top {
	slices.SortFunc(t.hits, func(a, b hit) int {
		switch {
		case t.worse(b, a):
			return -1
		case t.worse(a, b):
			return 1
		}
		return 0
	})
	return t
}
