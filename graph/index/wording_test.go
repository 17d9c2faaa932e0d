package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// What is looked at among very many hangs on them all together, and on who asks.
func TestLooksAmongMany(t *testing.T) {
	parts := func(sizes ...int) (out []*partQuery) {
		for _, n := range sizes {
			out = append(out, &partQuery{view: &view{n: n}})
		}
		return out
	}
	for _, c := range []struct {
		name  string
		q     Query
		parts []*partQuery
		want  int
	}{
		{"few", Query{}, parts(1000, 2000), 0},
		{"one fewer than many", Query{}, parts(wideFrom/2, wideFrom/2-1), 0},
		{"many in two namespaces", Query{}, parts(wideFrom/2, wideFrom/2), wideLooks},
		{"many, thorough", Query{Thorough: true}, parts(2 * wideFrom), 0},
		{"many, in brief", Query{Brief: true}, parts(2 * wideFrom), briefLooks},
		{"few, in brief", Query{Brief: true}, parts(10), briefLooks},
	} {
		if got := (&recall{q: &c.q, parts: c.parts}).looks(); got != c.want {
			t.Errorf("%s: %d looks, want %d", c.name, got, c.want)
		}
	}
}

// What is found hangs on the partitions before in the same chain, and not on which chain is asked
// first, nor on whether one has all the time.
func TestChainsDoNotHangOnEachOther(t *testing.T) {
	f, rnd := newFeed(), rand.New(rand.NewPCG(8, 3))
	for i := range 1200 {
		var said []string
		for range 3 + rnd.IntN(20) {
			said = append(said, fmt.Sprintf("w%dx", min(rnd.IntN(60), rnd.IntN(60))))
		}
		f.put(f.memory(epoch.Add(time.Duration(i)*time.Minute), strings.Join(said, " "), func(m *graph.Memory) {
			m.Namespace, m.Session = fmt.Sprintf("n%d", i%5), fmt.Sprintf("s%d", i/25)
		}), nil)
	}
	x := opened(t, f, Options{})
	settle(t, x, f)
	q := Query{Texts: []string{"w1x w4x w50x"}, Limit: 6, Now: epoch.AddDate(1, 0, 0)}
	asked := func(chains int, order ...int) (out []string) {
		tenant := x.at(world)
		r := &recall{q: &q, t: tenant, parts: tenant.sift(&q.Filter, q), candidates: map[place]int32{}}
		defer r.free()
		w := r.wording(x)
		w.looks = 1
		w.chain()
		expect(t, "chains", w.chains, wideChains)
		for _, c := range order {
			for i := c; i < len(w.parts); i += chains {
				w.ask(w.parts[i], i)
			}
		}
		w.took()
		for at, i := range r.candidates {
			out = append(out, fmt.Sprint(at, r.result.Candidates[i].Ranks.Keyword))
		}
		slices.Sort(out)
		return out
	}
	want := asked(wideChains, 0, 1)
	expect(t, "found", len(want), q.Limit)
	expect(t, "the other first", fmt.Sprint(asked(wideChains, 1, 0)), fmt.Sprint(want))
	expect(t, "one after the other", fmt.Sprint(asked(1, 0)), fmt.Sprint(want))
}
