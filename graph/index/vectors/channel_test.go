package vectors

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/internal/testvectors"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// pool is a channel with its expected content, as its writer and its maintenance see it.
type pool struct {
	*rand.Rand
	t       *testing.T
	c       *Builder
	view    atomic.Pointer[View]
	vectors [][]float32
	dims    int
}

// cheapStep is a low cost of a graph search step, so that few vectors are enough for a search.
const cheapStep = 1

// newPool makes a channel of n vectors, published and maintained.
func newPool(t *testing.T, n, dims int) *pool {
	p := &pool{Rand: rand.New(rand.NewPCG(uint64(n), 3)), t: t, c: NewBuilder(2, inMemory()), dims: dims}
	p.c.ann.stepCost = cheapStep
	p.vectors = testvectors.Topical(p.Rand, n, dims)
	for i, v := range p.vectors {
		p.c.putVector(uint32(i), v)
	}
	p.publish()
	p.tend()
	return p
}

func (p *pool) publish() {
	p.view.Store(p.c.Publish(nil))
}

func (p *pool) tend() {
	for p.view.Load().Maintain(len(p.vectors), 1, 2) {
	}
}

// write sets or removes the vector of a slot.
func (p *pool) write(slot int, v []float32) {
	if slot < len(p.vectors) && p.vectors[slot] != nil {
		p.c.Drop(uint32(slot))
	}
	for slot >= len(p.vectors) {
		p.vectors = append(p.vectors, nil)
	}
	if p.vectors[slot] = v; v != nil {
		p.c.putVector(uint32(slot), v)
	}
}

// pass returns the slots with a vector for which keep is true.
func (p *pool) pass(keep func(slot int) bool) slots.Set {
	b := slots.NewSet(len(p.vectors))
	for i, v := range p.vectors {
		if v != nil && (keep == nil || keep(i)) {
			b.Add(uint32(i))
		}
	}
	return b
}

// recall returns the share of the 10 nearest that some queries find. Each hit must be allowed,
// unique, and have its exact score.
func (p *pool) recall(keep func(slot int) bool, queries ...[]float32) float64 {
	p.t.Helper()
	for len(queries) < 30 {
		q := p.vectors[p.IntN(len(p.vectors))]
		if q == nil {
			continue
		}
		queries = append(queries, testvectors.Around(p.Rand, q, p.dims, .5))
	}
	v, pass := p.view.Load(), p.pass(keep)
	got := v.nearest(queries, pass, Want{10, -2, slots.ByNumber, false})
	found, all := 0, 0
	for i, q := range queries {
		right := plainScan(p.vectors, q, pass, 10, -2)
		seen := map[uint32]bool{}
		for _, h := range got[i] {
			if !pass.Has(h.Slot) || seen[h.Slot] {
				p.t.Fatalf("slot %d must not be returned, or is returned twice (%v)", h.Slot, seen[h.Slot])
			}
			seen[h.Slot] = true
			if d := h.Score - plainScan(p.vectors, q, only(h.Slot, len(p.vectors)), 1, -2)[0].Score; d > 1e-5 || d < -1e-5 {
				p.t.Fatalf("slot %d does not have the score %g", h.Slot, h.Score)
			}
			if h.Score >= right[len(right)-1].Score {
				found++
			}
		}
		all += len(right)
	}
	return float64(found) / float64(all)
}

func only(slot uint32, n int) slots.Set {
	b := slots.NewSet(n)
	b.Add(slot)
	return b
}

// walked reports whether a call searched the graph.
func (p *pool) walked(call func()) bool {
	before := p.c.ann.searches.Load()
	call()
	return p.c.ann.searches.Load() > before
}

func (p *pool) atLeast(what string, keep func(slot int) bool, want float64) {
	p.t.Helper()
	if got := p.recall(keep); got < want {
		p.t.Errorf("%s: recall %.3f, want at least %.3f", what, got, want)
	}
}

func TestLargeChannelUsesNeighbourGraph(t *testing.T) {
	p := newPool(t, 2_400, 24)
	if !p.walked(func() { p.atLeast("at rest", nil, .98) }) {
		t.Error("it was scanned")
	}
	half := func(slot int) bool { return slot%20 > 0 }
	if !p.walked(func() { p.atLeast("where most pass", half, .98) }) {
		t.Error("the partition was scanned although most slots pass")
	}
	few := func(slot int) bool { return slot%20 == 0 }
	if p.walked(func() { p.atLeast("where few pass", few, 1) }) {
		t.Error("the graph was searched although few slots pass")
	}
	// The allowed slots are far from the query: the graph search gives up, and the result is
	// exact.
	away := func(slot int) bool { return p.vectors[slot][0] < 0 }
	up := make([]float32, 24)
	up[0] = 1
	if got := p.recall(away, up); got < .98 {
		t.Errorf("far from the question: recall %.3f", got)
	}
	v, pass := p.view.Load(), p.pass(nil)
	if p.walked(func() {
		got := v.nearest([][]float32{up}, pass, Want{10, -2, slots.ByNumber, true})[0]
		if !slices.Equal(sorted(got), plainScan(p.vectors, up, pass, 10, -2)) {
			t.Error("not the exact answer")
		}
	}) {
		t.Error("the graph was searched although the answer must be exact")
	}
	floor := plainScan(p.vectors, p.vectors[5], pass, 4, -2)[3].Score
	if got := v.nearest([][]float32{p.vectors[5]}, pass, Want{10, floor, slots.ByNumber, false})[0]; len(got) != 4 {
		t.Errorf("%d hits above a floor that 4 reach", len(got))
	}
}

func TestChangedVectorIsFoundAtOnce(t *testing.T) {
	p := newPool(t, 2_400, 24)
	fresh := func(seed int) []float32 { return testvectors.Around(p.Rand, p.vectors[seed], 24, .3) }
	check := func(when string) {
		t.Helper()
		p.atLeast(when, nil, .98)
		for range 20 { // every vector is found, and dropped ones are not
			slot := p.IntN(len(p.vectors))
			q := p.vectors[slot]
			if q == nil {
				continue
			}
			got := p.view.Load().nearest([][]float32{q}, p.pass(nil), Want{1, -2, slots.ByNumber, false})[0]
			if len(got) != 1 || got[0].Score < .9999 {
				t.Fatalf("%s: slot %d does not find itself: %v", when, slot, got)
			}
		}
	}
	for i := range 700 { // a tail
		p.write(2_400+i, fresh(i))
	}
	p.publish()
	if held, tail := p.view.Load().GraphSize(); held != 2_400 || tail != 700 {
		t.Errorf("%d held, %d in the tail", held, tail)
	}
	check("with a tail")
	for i := range 500 { // other vectors, and none
		p.write(i*4, map[bool][]float32{true: fresh(i*4 + 1)}[i%2 == 0])
	}
	p.write(3_050, fresh(3)) // one of the tail
	p.publish()
	check("with changes")
	p.tend()
	held, tail := p.view.Load().GraphSize()
	if held != 3_100-250 || tail > 0 {
		t.Errorf("%d held, %d wait", held, tail)
	}
	check("when it was tended")
	for i := range 20 { // too few to be worth it
		p.write(i*4+1, fresh(i))
	}
	p.publish()
	p.tend()
	if _, tail := p.view.Load().GraphSize(); tail != 20 {
		t.Errorf("%d wait", tail)
	}
	check("with a few changes")
}

func TestLateVectorIsFound(t *testing.T) {
	p := newPool(t, 2_400, 16)
	for i := range 300 { // slots without a vector, for now
		p.write(2_700+i, testvectors.Around(p.Rand, nil, 16, 1))
		p.write(2_700+i, nil)
	}
	p.publish()
	p.tend()
	for i := range 300 {
		p.write(2_700+i, testvectors.Around(p.Rand, p.vectors[i], 16, .2))
	}
	p.publish()
	late := func(slot int) bool { return slot >= 2_700 }
	p.atLeast("before it is tended", late, 1)
	p.tend()
	if held, tail := p.view.Load().GraphSize(); held != 2_700 || tail != 0 {
		t.Errorf("%d held, %d wait", held, tail)
	}
	p.atLeast("tended", nil, .98)
}

func TestOldViewStaysSearchable(t *testing.T) {
	p := newPool(t, 2_400, 16)
	old, pass := p.view.Load(), p.pass(nil)
	before := slices.Clone(p.vectors)
	for i := range 600 {
		p.write(i*3, testvectors.Around(p.Rand, nil, 16, 1))
		p.write(2_400+i, testvectors.Around(p.Rand, nil, 16, 1))
	}
	p.publish()
	p.tend()
	for i := range 30 {
		q := before[i*3]
		got := old.nearest([][]float32{q}, pass, Want{10, -2, slots.ByNumber, false})[0]
		right := plainScan(before, q, pass, 10, -2)
		for _, h := range got {
			if h.Score > right[0].Score+1e-5 || int(h.Slot) >= 2_400 {
				t.Fatalf("slot %d of score %g, the best was %g", h.Slot, h.Score, right[0].Score)
			}
		}
		if len(got) != 10 {
			t.Fatalf("%d hits", len(got))
		}
	}
}

func TestRebuiltPartitionKeepsItsGraph(t *testing.T) {
	p := newPool(t, 2_600, 16)
	for i := 0; i < 2_600; i += 4 {
		p.write(i, nil)
	}
	p.publish()
	last := p.view.Load()
	fresh, to := NewBuilder(2, inMemory()), make([]uint32, 2_600)
	var kept [][]float32
	for i, v := range p.vectors {
		if to[i] = hnsw.Removed; v != nil {
			to[i] = uint32(len(kept))
			fresh.putVector(to[i], v)
			kept = append(kept, v)
		}
	}
	fresh.ann.stepCost = cheapStep
	fresh.ann.rebuilt = &rebuiltGraph{last, to}
	p.c, p.vectors = fresh, kept
	p.publish()
	p.write(7, testvectors.Around(p.Rand, nil, 16, 1)) // before it is carried over
	p.publish()
	if p.walked(func() { p.atLeast("before", nil, 1) }) {
		t.Error("there is no graph to search")
	}
	steps := 0
	for p.view.Load().Maintain(len(p.vectors), 1, 2) {
		steps++
	}
	if held, tail := p.view.Load().GraphSize(); held < len(kept)-1 || tail > 1 || steps > 3 {
		t.Errorf("%d of %d held, %d wait, after %d steps", held, len(kept), tail, steps)
	}
	p.atLeast("carried over", nil, .98)
	p.c.ann.rebuilt = &rebuiltGraph{last, to}
	p.c.ann.current = graphState{}
	if p.view.Load().Maintain(len(kept), 1_000_000, 2) || p.c.ann.rebuilt != nil {
		t.Error("a partition that became small keeps what it was")
	}
}

func TestChannelIsSearchedDuringChanges(t *testing.T) {
	n := 2_000
	p := newPool(t, n, 8)
	pass := p.pass(nil)
	queries := testvectors.Topical(rand.New(rand.NewPCG(1, 9)), 40, 8)
	var done atomic.Bool
	var readers, tender sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for i := 0; !done.Load(); i++ {
				v := p.view.Load()
				got := v.nearest(queries[i%40:i%40+1], pass, Want{10, -2, slots.ByNumber, false})[0]
				if len(got) != 10 {
					t.Errorf("%d hits", len(got))
				}
			}
		})
	}
	var written atomic.Int64 // vectors of the pool; its own slice grows meanwhile
	written.Store(int64(len(p.vectors)))
	tender.Go(func() {
		for !done.Load() {
			p.view.Load().Maintain(int(written.Load()), 1, 2)
		}
	})
	for i := range 60 {
		for j := range 20 {
			p.write(n+i*20+j, testvectors.Around(p.Rand, nil, 8, 1))
			p.write(p.IntN(n), testvectors.Around(p.Rand, nil, 8, 1))
		}
		p.publish()
		written.Store(int64(len(p.vectors)))
	}
	done.Store(true)
	readers.Wait()
	tender.Wait()
	p.tend()
	p.atLeast("in the end", nil, .98)
}

func TestSplitSeparatesTail(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	for range 300 {
		n := 1 + r.IntN(500)
		b := slots.NewSet(n)
		for i := range n {
			if r.IntN(3) > 0 {
				b.Add(uint32(i))
			}
		}
		limit := uint32(r.IntN(n + 1))
		var loose []uint32
		for i := range uint32(n) {
			if r.IntN(20) == 0 {
				loose = append(loose, i)
			}
		}
		held, rest := splitInserted(b, limit, loose)
		wantHeld := 0
		for i := range uint32(n) {
			free := i >= limit || slices.Contains(loose, i)
			if b.Has(i) && !free {
				wantHeld++
			}
			if rest.Has(i) != (b.Has(i) && free) {
				t.Fatalf("slot %d of %d, limit %d: in the rest %v", i, n, limit, rest.Has(i))
			}
		}
		if held != wantHeld {
			t.Fatalf("%d held, want %d (%s)", held, wantHeld, fmt.Sprint(limit, loose))
		}
	}
}
