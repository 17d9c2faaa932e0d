package vectors

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// sweep is a scan for the k nearest of each query in several views at once, so that what
// is near in one leaves out what is farther in the others. Any number of goroutines may
// work on it. Rows of all views have one dimension; they are numbered through.
type Scan struct {
	queries     []*query
	k           int
	ErrorMargin float32 // standard deviations by which sketches are doubted; 0: they are not asked
	Approximate bool    // what the codes say is taken for the score
	segments    []segment
	rows        int
	ranges      []blockRange
	nextRange   atomic.Int64 // stretch

	buf []byte // for vectors that settle reads

	prefilterOnce      sync.Once
	prefilterThreshold float32       // what is above it by its sketch is compared first; 0: nothing
	sketchSums         *[]uint16     // what the entries of its sketch add up to, by row; nil: nothing is sown
	prefiltered        []atomic.Bool // whether that was compared and the sums are there, by stretch
	nextPrefilter      atomic.Int64  // stretch

	mu         sync.Mutex
	thresholds []float32 // by query: what can be no higher than this is out
	workers    []*scanWorker
}

// swept is a view with the set of slots that are looked at; base is the number of its
// first row, at its place among the results.
type segment struct {
	view     *codeView
	pass     slots.Set
	firstRow int
	result   int
}

// stretch is some blocks of an area.
type blockRange struct{ segment, from, to int }

// stretchBlocks are how many blocks one goroutine takes at a time.
const rangeBlocks = 16

func NewScan(k int, floor float32, queries int) *Scan {
	s := &Scan{k: k, thresholds: make([]float32, queries)}
	for i := range s.thresholds {
		s.thresholds[i] = floor
	}
	return s
}

// add takes the passing slots of a view, each of which has a vector; at is the place of
// what is found there among the results.
func (s *Scan) Add(v *View, pass slots.Set, queries [][]float32, at int) {
	s.add(v.codeView, pass, queries, at)
}

func (s *Scan) add(v *codeView, pass slots.Set, queries [][]float32, at int) {
	if v.n == 0 {
		return
	}
	if s.queries == nil {
		for _, q := range queries {
			a := v.newQuery(q)
			a.approximate = s.Approximate
			if s.ErrorMargin > 0 {
				a.rotated = rotate(q, v.stride)
			}
			s.queries = append(s.queries, a)
		}
	}
	for from := 0; from < len(v.blocks); from += rangeBlocks {
		s.ranges = append(s.ranges, blockRange{len(s.segments), from, min(from+rangeBlocks, len(v.blocks))})
	}
	s.segments = append(s.segments, segment{v, pass, s.rows, at})
	s.rows += len(v.blocks) * slots.ChunkSize
}

// parallelRows is how many rows, a query each, are worth a second goroutine.
const parallelRows = 16 << 10

// run sweeps with at most so many goroutines.
func (s *Scan) Run(most int) {
	var others sync.WaitGroup
	for range s.goroutines(most) - 1 {
		others.Go(s.Work)
	}
	s.Work()
	others.Wait()
}

// goroutines is how many of at most so many are worth their while.
func (s *Scan) goroutines(most int) int {
	if s.rows*len(s.queries) < 2*parallelRows {
		return 1
	}
	return min(most, len(s.ranges))
}

// work sweeps until nobody has anything left to begin.
func (s *Scan) Work() {
	var r *scanWorker
	over := func(next *atomic.Int64, look func(at int)) {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(s.ranges) {
				return
			}
			if r == nil {
				r = s.newWorker()
			}
			look(i)
			s.shareThresholds(r)
		}
	}
	if len(s.queries) == 1 && s.queries[0].rotated != nil && s.rows >= 2*parallelRows {
		if s.prefilterOnce.Do(s.startPrefilter); s.prefilterThreshold > 0 {
			over(&s.nextPrefilter, func(at int) { r.prefilter(at) })
		}
	}
	over(&s.nextRange, func(at int) { r.scanRange(at) })
}

// join begins what one goroutine does.
func (s *Scan) newWorker() *scanWorker {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &scanWorker{Scan: s, candidates: make([]candidates, len(s.queries))}
	for i := range r.candidates {
		r.candidates[i] = candidates{certain: slots.NewTopK(s.k, slots.ByNumber), threshold: s.thresholds[i]}
	}
	s.workers = append(s.workers, r)
	return r
}

// share raises the bars of a run and of all others to the highest.
func (s *Scan) shareThresholds(r *scanWorker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range r.candidates {
		r.candidates[i].threshold = max(r.candidates[i].threshold, s.thresholds[i])
		s.thresholds[i] = r.candidates[i].threshold
	}
}

// sweepRun is what one goroutine does of a sweep.
type scanWorker struct {
	*Scan
	candidates []candidates
	products   [slots.ChunkSize]int32

	// Of rows that their sketches leave.
	sums       [slots.ChunkSize]uint16
	selected   [slots.ChunkSize / 64]uint64
	remaining  [slots.ChunkSize / 64]uint64
	rowNumbers [slots.ChunkSize]uint8
	rowCodes   [slots.ChunkSize]unsafe.Pointer
}

// sweepState is what one query has met so far.
type candidates struct {
	certain   *slots.TopK // the k highest scores that are certain at the least, by row
	threshold float32     // what can be no higher than this is out
	possible  []slots.Hit // rows that could be higher: the highest possible score
}

// look looks at the blocks of a stretch for all queries.
func (r *scanWorker) scanRange(at int) {
	u := r.ranges[at]
	a, planted := &r.segments[u.segment], r.prefiltered != nil && r.prefiltered[at].Load()
	for c := u.from; c < u.to; c++ {
		words := a.words(c)
		n := words.Count()
		if a.view.blocks[c] == nil || n == 0 {
			continue
		}
		for i, q := range r.queries {
			switch {
			case n <= slots.ChunkSize/8:
				r.scanFew(q, &r.candidates[i], a, c, words)
			case q.rotated != nil && a.view.sketching:
				r.scanSketched(q, &r.candidates[i], a, c, words, planted)
			default:
				r.scanBlock(q, &r.candidates[i], a, c, words)
			}
		}
	}
}

// words are those of the set that hold the rows of a block.
func (a *segment) words(c int) slots.Set {
	from := c * slots.ChunkSize / 64
	n := (a.view.rowsOf(c) + 63) / 64
	return a.pass[min(from, len(a.pass)):min(from+n, len(a.pass))]
}

// dense compares one query with all rows of a block.
func (r *scanWorker) scanBlock(q *query, st *candidates, a *segment, c int, words slots.Set) {
	b := a.view.blocks[c]
	out := r.products[:min(len(b.refs), a.view.n-c*slots.ChunkSize, len(words)*64)]
	kernel.CodeProducts(q.codes, q.bias, b.codes[:len(out)*a.view.stride], out)
	least := q.leastProduct(&a.view.bounds[c], st.threshold)
	for i, product := range out {
		if product >= least && words[i>>6]>>(i&63)&1 != 0 {
			st.consider(q, &b.quantised[i], product, uint32(a.firstRow+c*slots.ChunkSize+i))
		}
	}
}

// sparse compares one query with the few passing rows of a block.
func (r *scanWorker) scanFew(q *query, st *candidates, a *segment, c int, words slots.Set) {
	b, stride := a.view.blocks[c], a.view.stride
	words.Each(func(slot uint32) {
		i := int(slot)
		kernel.CodeProducts(q.codes, q.bias, b.codes[i*stride:(i+1)*stride], r.products[:1])
		st.consider(q, &b.quantised[i], r.products[0], uint32(a.firstRow+c*slots.ChunkSize+i))
	})
}

// least is a product below which no row of a block, none of which has more of anything
// than most, can be above the bar (see weigh).
func (a *query) leastProduct(most *kernel.Quantised, bar float32) int32 {
	off := a.errorBound(most)
	scale := a.scale * most.Scale
	if bar <= off || scale <= 0 {
		return math.MinInt32
	}
	return int32(min((bar-off)/scale*(1-1e-5), math.MaxInt32/2))
}

// off is how far an estimate of a product can be from it:
// |q·v − q̂·v̂| ≤ |q̂|·|v − v̂| + |q − q̂|·|v|, and what float32 loses. In brief it counts for nothing.
func (a *query) errorBound(v *kernel.Quantised) float32 {
	if a.approximate {
		return 0
	}
	return a.length*v.Error + a.codeError*v.Norm + 1e-5*a.length*v.Norm
}

// weigh keeps a row that may be among the k best.
func (st *candidates) consider(q *query, v *kernel.Quantised, product int32, row uint32) {
	estimate, off := float32(product)*(q.scale*v.Scale), q.errorBound(v)
	if estimate+off < st.threshold {
		return
	}
	if !q.approximate {
		st.possible = append(st.possible, slots.Hit{Slot: row, Score: estimate + off})
	}
	st.certain.Offer(row, estimate-off)
	if st.certain.Full() {
		st.threshold = max(st.threshold, st.certain.Lowest())
	}
}

// settle compares exactly what could be among the k best of query i that are at least the
// floor: first those that are the best for certain, whose exact scores raise the bar for
// the rest. It adds what it finds to the hits of each area, by its place.
func (s *Scan) Rescore(i int, floor float32, hits [][][]slots.Hit, first []slots.Order) {
	if s.Approximate {
		s.addEstimated(i, hits)
		return
	}
	bar := floor
	certain, good := slots.NewTopK(s.k, slots.ByNumber), slots.NewTopK(s.k, slots.ByNumber)
	for _, r := range s.workers {
		bar = max(bar, r.candidates[i].threshold)
		for _, h := range r.candidates[i].certain.Hits {
			certain.Offer(h.Slot, h.Score)
		}
	}
	known := make(map[uint32]float32, len(certain.Hits)) // scores, by row
	for _, h := range certain.Hits {
		score := s.exactScore(i, h.Slot)
		known[h.Slot] = score
		good.Offer(h.Slot, score)
	}
	if good.Full() {
		bar = max(bar, good.Lowest())
	}
	best := make([]*slots.TopK, len(s.segments))
	for _, r := range s.workers {
		for _, h := range r.candidates[i].possible {
			if h.Score < bar {
				continue
			}
			score, computed := known[h.Slot]
			if !computed {
				score = s.exactScore(i, h.Slot)
			}
			if score < floor || score == noVector {
				continue
			}
			area, slot := s.locate(h.Slot)
			if best[area] == nil {
				best[area] = slots.NewTopK(s.k, first[s.segments[area].result])
			}
			best[area].Offer(slot, score)
		}
	}
	for area, t := range best {
		if t != nil {
			into := &hits[s.segments[area].result][i]
			*into = append(*into, t.Hits...)
		}
	}
}

// estimated adds the rows of query i that are the best by their codes to the hits of each area.
func (s *Scan) addEstimated(i int, hits [][][]slots.Hit) {
	for _, r := range s.workers {
		for _, h := range r.candidates[i].certain.Hits {
			area, slot := s.locate(h.Slot)
			into := &hits[s.segments[area].result][i]
			*into = append(*into, slots.Hit{Slot: slot, Score: h.Score})
		}
	}
}

// absent is the score of a row whose vector was dropped since.
var noVector = float32(math.Inf(-1))

// exact is how near a row is to a query.
func (s *Scan) exactScore(query int, row uint32) float32 {
	area, slot := s.locate(row)
	v := s.segments[area].view.Vector(slot, &s.buf)
	if v == nil {
		return noVector
	}
	return kernel.Dot(s.queries[query].vector, v)
}

// place is where a row lies.
func (s *Scan) locate(row uint32) (area int, slot uint32) {
	area, found := slices.BinarySearchFunc(s.segments, int(row), func(a segment, row int) int { return a.firstRow - row })
	if !found {
		area--
	}
	return area, row - uint32(s.segments[area].firstRow)
}
