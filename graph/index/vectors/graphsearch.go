package vectors

import (
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// wanted is what is asked of the vector channel: the at most k slots with the highest
// cosine that is at least floor; of equal ones those that come first.
type Want struct {
	K     int
	Floor float32
	Order slots.Order
	Exact bool // the answer must be that of looking at all
}

// What a search costs, in rows of a scan (12 ns of processor each at 384 dimensions, half of
// that where many questions share them; docs/benchmarks.md).
const (
	// stepCost is what one more node of effort costs a walk: that many neighbours are new on
	// the average, and each lies anywhere in memory.
	defaultStepCost, newNodesPerStep = 140, 18
	// leastEffort is the effort of a walk that is asked for little: of sentences by the
	// built-in embedder it finds 99.4 % of the ten nearest, 128 find 97 %.
	minEffort = 400
)

// effort is how many nodes a walk keeps to be sure of the k nearest.
func searchEffort(k int) int { return max(minEffort, 2*k) }

// walk answers, for every query, what is wanted among the slots of pass as far as the mesh
// holds them, in no particular order, and the slots that it does not hold. Every slot of pass
// has a vector. Scores are exact; a hit may be missing. It answers false where all must be
// scanned: the partition is small or something asks for exactness, a scan costs less, or what
// passes lies far from the question.
func (v *View) SearchGraph(queries [][]float32, pass slots.Set, w Want, floors []float32) (hits [][]slots.Hit, rest slots.Set, walked bool) {
	m := v.ann.state()
	if w.Exact || m.graph == nil || w.K <= 0 {
		return nil, nil, false
	}
	limit := min(uint32(v.n), m.inserted)
	held, rest := splitInserted(pass, limit, m.dirty)
	// Where one of x slots passes, a walk sees x times as many.
	step := v.ann.stepCost
	if len(queries) >= parallelSearches {
		step *= 2 // a scan reads its rows once for all
	}
	walk := searchEffort(w.K) * step
	if held == 0 || walk*v.n/held+rest.Count() >= held {
		return nil, nil, false
	}
	walks := &graphSearch{view: v, state: m, pass: pass, want: w, floors: floors, limit: limit, budget: 2 * held * newNodesPerStep / step}
	if hits = walks.searchAll(queries); walks.failed {
		return nil, nil, false
	}
	v.ann.searches.Add(int64(len(queries)))
	return hits, rest, true
}

// split counts the slots below limit that are not loose, and makes a set of the others,
// nil where there are none.
func splitInserted(b slots.Set, limit uint32, loose []uint32) (held int, rest slots.Set) {
	for i, w := range b {
		if uint32(i)<<6 >= limit {
			break
		}
		held += bits.OnesCount64(w)
	}
	note := func(slot uint32) {
		if rest == nil {
			rest = slots.NewSet(len(b) * 64)
		}
		rest.Add(slot)
	}
	for slot := limit; int(slot) < len(b)*64; slot++ {
		if b.Has(slot) {
			note(slot)
			if slot>>6 == (limit-1)>>6 && limit > 0 {
				held-- // counted with its word
			}
		}
	}
	for _, slot := range loose {
		if slot < limit && b.Has(slot) {
			note(slot)
			held--
		}
	}
	return held, rest
}

// walks are the searches of one call through the mesh.
type graphSearch struct {
	view   *View
	state  graphState
	pass   slots.Set
	want   Want
	floors []float32 // by query, no lower than that of w; a hit below is no use
	limit  uint32
	budget int // comparisons that cost twice what a scan does
	mu     sync.Mutex
	failed bool
}

// parallelWalks is how many queries are worth a second goroutine.
const parallelSearches = 8

func (s *graphSearch) searchAll(queries [][]float32) [][]slots.Hit {
	out := make([][]slots.Hit, len(queries))
	parts := 1
	if len(queries) >= 2*parallelSearches {
		parts = s.view.workers
	}
	some := func(from, to int) {
		search := s.state.graph.Searcher()
		defer search.Free()
		for i := from; i < to; i++ {
			hits, found := s.search(search, queries[i], s.floors[i])
			if !found {
				s.mu.Lock()
				s.failed = true
				s.mu.Unlock()
				return
			}
			out[i] = hits
		}
	}
	var wg sync.WaitGroup
	for p := 1; p < parts; p++ {
		wg.Go(func() { some(p*len(queries)/parts, (p+1)*len(queries)/parts) })
	}
	some(0, len(queries)/parts)
	wg.Wait()
	return out
}

// one walks for a query and compares what it found exactly; false where it gave up.
func (s *graphSearch) search(search *hnsw.Searcher, query []float32, floor float32) ([]slots.Hit, bool) {
	search.SetCodes(query, s.view.stride)
	near, finished := search.Search(s.view.codeView, searchEffort(s.want.K), hnsw.Constraints{Allowed: s.pass, NodeLimit: s.limit, Budget: s.budget})
	if !finished {
		return nil, false
	}
	near = s.filterPossible(query, near, floor)
	best := slots.NewTopK(s.want.K, s.want.Order)
	b := vectorBuffersPool.Get().(*vectorBuffers)
	defer vectorBuffersPool.Put(b)
	for len(near) > 0 {
		var nodes [hnsw.Batch]uint32
		n := 0
		for n < hnsw.Batch && len(near) > 0 {
			if v := s.view.Vector(near[0].Node, &b[n]); v != nil {
				search.Rows[n], nodes[n] = unsafe.Pointer(&v[0]), near[0].Node
				n++
			}
			near = near[1:]
		}
		var exact [hnsw.Batch]float32
		kernel.DotsAt(query, search.Rows[:n], exact[:])
		for i, node := range nodes[:n] {
			if exact[i] >= floor {
				best.Offer(node, exact[i])
			}
		}
	}
	return best.Hits, true
}

// likely are those of what a walk found that may be among the k best: what their codes say
// is no farther off than weigh allows. What is loose is compared with the rest.
func (s *graphSearch) filterPossible(query []float32, near []hnsw.Hit, floor float32) []hnsw.Hit {
	near = slices.DeleteFunc(near, func(h hnsw.Hit) bool {
		_, loose := slices.BinarySearch(s.state.dirty, h.Node)
		return loose
	})
	a := s.view.newQuery(query)
	certain := slots.NewTopK(s.want.K, slots.ByNumber)
	for _, h := range near {
		_, quant := s.view.code(h.Node)
		certain.Offer(h.Node, h.Score-a.errorBound(&quant))
	}
	bar := floor
	if certain.Full() {
		bar = max(bar, certain.Lowest())
	}
	return slices.DeleteFunc(near, func(h hnsw.Hit) bool {
		_, quant := s.view.code(h.Node)
		return h.Score+a.errorBound(&quant) < bar
	})
}

// buffers have room for as many vectors as are compared at once.
type vectorBuffers [hnsw.Batch][]byte

var vectorBuffersPool = sync.Pool{New: func() any { return new(vectorBuffers) }}
