package index

import (
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index/hnsw"
	"github.com/somnograph/somnograph/graph/index/kernel"
)

// hit is a slot with its score in a channel.
type hit struct {
	slot  uint32
	score float32
}

// wanted is what is asked of the vector channel: the at most k slots with the highest
// cosine that is at least floor; of equal ones those that come first.
type wanted struct {
	k     int
	floor float32
	first order
	exact bool // the answer must be that of looking at all
}

// channel is the vector channel of a partition: a scan of all, and where the partition is
// large a mesh over it. The scan decides what a score is and can answer everything alone;
// the mesh only proposes slots.
type channel struct {
	*scan
	mesh    *mesh
	changed []uint32 // published slots that were written since the last publication
}

func newChannel(workers int, files *vectorFiles) *channel {
	return &channel{scan: newScan(workers, files), mesh: newMesh()}
}

// take is that of the scan.
func (c *channel) take(slot uint32, at heldAt, r *rounded) bool {
	if !c.scan.take(slot, at, r) {
		return false
	}
	c.note(slot)
	return true
}

// drop takes a vector out and leaves no trace of it in what is published next.
func (c *channel) drop(slot uint32) {
	c.scan.drop(slot)
	c.note(slot)
}

// note remembers a slot that the mesh may hold as it was.
func (c *channel) note(slot uint32) {
	if int(slot) < c.seen {
		c.changed = append(c.changed, slot)
	}
}

// publish makes what was written so far readable. id answers the id of the memory in a slot; nil:
// vectors that cannot be read are not asked for.
func (c *channel) publish(id func(slot uint32) (graph.ID, bool)) *channelView {
	v := &channelView{scanView: c.scan.publish(), mesh: c.mesh}
	v.id = id
	v.version = c.mesh.loosen(c.changed)
	c.changed = c.changed[:0]
	return v
}

// channelView is a channel as it was published. The mesh goes on changing.
type channelView struct {
	*scanView
	mesh    *mesh
	version uint64 // of what is loose, see mesh
}

// What a search costs, in rows of a scan (12 ns of processor each at 384 dimensions, half of
// that where many questions share them; docs/benchmarks.md).
const (
	// stepCost is what one more node of effort costs a walk: that many neighbours are new on
	// the average, and each lies anywhere in memory.
	stepCost, newPerStep = 140, 18
	// leastEffort is the effort of a walk that is asked for little: of sentences by the
	// built-in embedder it finds 99.4 % of the ten nearest, 128 find 97 %.
	leastEffort = 400
)

// effort is how many nodes a walk keeps to be sure of the k nearest.
func effort(k int) int { return max(leastEffort, 2*k) }

// walk answers, for every query, what is wanted among the slots of pass as far as the mesh
// holds them, in no particular order, and the slots that it does not hold. Every slot of pass
// has a vector. Scores are exact; a hit may be missing. It answers false where all must be
// scanned: the partition is small or something asks for exactness, a scan costs less, or what
// passes lies far from the question.
func (v *channelView) walk(queries [][]float32, pass bitmap, w wanted, floors []float32) (hits [][]hit, rest bitmap, walked bool) {
	m := v.mesh.state()
	if w.exact || m.graph == nil || w.k <= 0 {
		return nil, nil, false
	}
	limit := min(uint32(v.n), m.built)
	held, rest := split(pass, limit, m.loose)
	// Where one of x slots passes, a walk sees x times as many.
	step := v.mesh.step
	if len(queries) >= parallelWalks {
		step *= 2 // a scan reads its rows once for all
	}
	walk := effort(w.k) * step
	if held == 0 || walk*v.n/held+rest.count() >= held {
		return nil, nil, false
	}
	walks := &walks{v: v, m: m, pass: pass, w: w, floors: floors, limit: limit, budget: 2 * held * newPerStep / step}
	if hits = walks.all(queries); walks.failed {
		return nil, nil, false
	}
	v.mesh.walked.Add(int64(len(queries)))
	return hits, rest, true
}

// split counts the slots below limit that are not loose, and makes a set of the others,
// nil where there are none.
func split(b bitmap, limit uint32, loose []uint32) (held int, rest bitmap) {
	for i, w := range b {
		if uint32(i)<<6 >= limit {
			break
		}
		held += bits.OnesCount64(w)
	}
	note := func(slot uint32) {
		if rest == nil {
			rest = newBitmap(len(b) * 64)
		}
		rest.add(slot)
	}
	for slot := limit; int(slot) < len(b)*64; slot++ {
		if b.has(slot) {
			note(slot)
			if slot>>6 == (limit-1)>>6 && limit > 0 {
				held-- // counted with its word
			}
		}
	}
	for _, slot := range loose {
		if slot < limit && b.has(slot) {
			note(slot)
			held--
		}
	}
	return held, rest
}

// walks are the searches of one call through the mesh.
type walks struct {
	v      *channelView
	m      meshState
	pass   bitmap
	w      wanted
	floors []float32 // by query, no lower than that of w; a hit below is no use
	limit  uint32
	budget int // comparisons that cost twice what a scan does
	mu     sync.Mutex
	failed bool
}

// parallelWalks is how many queries are worth a second goroutine.
const parallelWalks = 8

func (s *walks) all(queries [][]float32) [][]hit {
	out := make([][]hit, len(queries))
	parts := 1
	if len(queries) >= 2*parallelWalks {
		parts = s.v.workers
	}
	some := func(from, to int) {
		search := s.m.graph.Searcher()
		defer search.Free()
		for i := from; i < to; i++ {
			hits, found := s.one(search, queries[i], s.floors[i])
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
func (s *walks) one(search *hnsw.Searcher, query []float32, floor float32) ([]hit, bool) {
	search.AskCodes(query, s.v.stride)
	near, finished := search.Search(s.v.scanView, effort(s.w.k), hnsw.Within{Pass: s.pass, Limit: s.limit, Budget: s.budget})
	if !finished {
		return nil, false
	}
	near = s.likely(query, near, floor)
	best := newTop(s.w.k, s.w.first)
	b := buffersPool.Get().(*buffers)
	defer buffersPool.Put(b)
	for len(near) > 0 {
		var nodes [hnsw.Batch]uint32
		n := 0
		for n < hnsw.Batch && len(near) > 0 {
			if v := s.v.vector(near[0].Node, &b[n]); v != nil {
				search.Rows[n], nodes[n] = unsafe.Pointer(&v[0]), near[0].Node
				n++
			}
			near = near[1:]
		}
		var exact [hnsw.Batch]float32
		kernel.Dots(query, search.Rows[:n], exact[:])
		for i, node := range nodes[:n] {
			if exact[i] >= floor {
				best.offer(node, exact[i])
			}
		}
	}
	return best.hits, true
}

// likely are those of what a walk found that may be among the k best: what their codes say
// is no farther off than weigh allows. What is loose is compared with the rest.
func (s *walks) likely(query []float32, near []hnsw.Hit, floor float32) []hnsw.Hit {
	near = slices.DeleteFunc(near, func(h hnsw.Hit) bool {
		_, loose := slices.BinarySearch(s.m.loose, h.Node)
		return loose
	})
	a := s.v.ask(query)
	certain := newTop(s.w.k, bySlot)
	for _, h := range near {
		_, quant := s.v.code(h.Node)
		certain.offer(h.Node, h.Score-a.off(&quant))
	}
	bar := floor
	if certain.full() {
		bar = max(bar, certain.floor())
	}
	return slices.DeleteFunc(near, func(h hnsw.Hit) bool {
		_, quant := s.v.code(h.Node)
		return h.Score+a.off(&quant) < bar
	})
}

// buffers have room for as many vectors as are compared at once.
type buffers [hnsw.Batch][]byte

var buffersPool = sync.Pool{New: func() any { return new(buffers) }}
