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

// Want describes the wanted hits: at most K slots with the highest cosine that is at least
// Floor; Order decides between equal scores.
type Want struct {
	K     int
	Floor float32
	Order slots.Order
	Exact bool // the result must equal that of comparing every vector
}

// The cost of a search, in rows of a scan (12 ns of processor time each at 384 dimensions, half
// of that if many queries share them; docs/benchmarks.md).
const (
	// defaultStepCost is the cost of one more node of effort in a graph search. One step visits
	// newNodesPerStep new neighbours on average, anywhere in memory.
	defaultStepCost, newNodesPerStep = 140, 18
	// minEffort is the effort of a search for few hits. For sentences with the built-in embedder
	// it finds 99.4 % of the ten nearest; an effort of 128 finds 97 %.
	minEffort = 400
)

// searchEffort returns how many nodes a search keeps to find the k nearest reliably.
func searchEffort(k int) int { return max(minEffort, 2*k) }

// SearchGraph returns, for each query, the wanted hits among the slots of pass that the graph
// contains, unordered, and as rest the slots that it does not contain. Every slot of pass has a
// vector. Scores are exact; a hit may be missing. walked is false if all slots must be scanned:
// the partition is small, the query needs exactness, a scan costs less, or the slots of pass are
// far from the query.
func (v *View) SearchGraph(queries [][]float32, pass slots.Set, w Want, floors []float32) (hits [][]slots.Hit, rest slots.Set, walked bool) {
	m := v.ann.state()
	if w.Exact || m.graph == nil || w.K <= 0 {
		return nil, nil, false
	}
	limit := min(uint32(v.n), m.inserted)
	held, rest := splitInserted(pass, limit, m.dirty)
	// If one of x slots passes, a search visits x times as many nodes.
	step := v.ann.stepCost
	if len(queries) >= parallelSearches {
		step *= 2 // a scan reads its rows once for all queries
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

// splitInserted counts the slots of b below limit that are not dirty, and returns the other
// slots of b as a set, nil if there are none.
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

// graphSearch is the state of one SearchGraph call.
type graphSearch struct {
	view   *View
	state  graphState
	pass   slots.Set
	want   Want
	floors []float32 // by query, at least want.Floor; lower hits are not needed
	limit  uint32
	budget int // number of comparisons after which a search costs twice what a scan does
	mu     sync.Mutex
	failed bool
}

// parallelSearches is the number of queries for each goroutine.
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

// search searches the graph for one query and computes exact scores of the hits; false if it
// exceeded its budget.
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

// filterPossible keeps the hits that may be among the K best, given their codes and the error
// bound. Dirty slots are removed: they are compared with the rest.
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

// vectorBuffers are buffers for the vectors of one batch.
type vectorBuffers [hnsw.Batch][]byte

var vectorBuffersPool = sync.Pool{New: func() any { return new(vectorBuffers) }}
