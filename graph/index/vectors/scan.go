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

// Scan finds the k nearest vectors of each query in several views together, so that near vectors
// in one view exclude farther ones in the others. Any number of goroutines may work on it. The
// rows of all views have one dimension and are numbered consecutively.
type Scan struct {
	queries     []*query
	k           int
	ErrorMargin float32 // error margin of sketches, in standard deviations; 0: no sketches
	Approximate bool    // the estimates from the codes are the scores
	segments    []segment
	rows        int
	ranges      []blockRange
	nextRange   atomic.Int64 // index in ranges

	buf []byte // for vectors that Rescore reads

	prefilterOnce      sync.Once
	prefilterThreshold float32       // rows whose sketch estimate is above are compared first; 0: no prefilter
	sketchSums         *[]uint16     // sums of the sketches, by row; nil: no prefilter
	prefiltered        []atomic.Bool // by range: its prefilter is done and its sums are set
	nextPrefilter      atomic.Int64  // index in ranges

	mu         sync.Mutex
	thresholds []float32 // by query: rows that cannot reach it are excluded
	workers    []*scanWorker
}

// segment is a view with the set of slots to scan. result is its index among the results.
type segment struct {
	view     *codeView
	pass     slots.Set
	firstRow int
	result   int
}

// blockRange is a range of blocks of a segment.
type blockRange struct{ segment, from, to int }

// rangeBlocks is how many blocks a goroutine takes at a time.
const rangeBlocks = 16

// NewScan makes a scan for the k nearest of each query with a score of at least floor.
func NewScan(k int, floor float32, queries int) *Scan {
	s := &Scan{k: k, thresholds: make([]float32, queries)}
	for i := range s.thresholds {
		s.thresholds[i] = floor
	}
	return s
}

// Add adds the slots of pass, each of which has a vector; at is the index of their hits among
// the results.
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

// parallelRows is the number of rows, times queries, for each goroutine.
const parallelRows = 16 << 10

// Run scans with at most the given number of goroutines.
func (s *Scan) Run(most int) {
	var others sync.WaitGroup
	for range s.goroutines(most) - 1 {
		others.Go(s.Work)
	}
	s.Work()
	others.Wait()
}

// goroutines returns how many goroutines are useful, at most most.
func (s *Scan) goroutines(most int) int {
	if s.rows*len(s.queries) < 2*parallelRows {
		return 1
	}
	return min(most, len(s.ranges))
}

// Work scans until no range is left to begin.
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

// newWorker makes the state of one goroutine.
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

// shareThresholds raises the thresholds of the worker and of the scan to the higher of both.
func (s *Scan) shareThresholds(r *scanWorker) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range r.candidates {
		r.candidates[i].threshold = max(r.candidates[i].threshold, s.thresholds[i])
		s.thresholds[i] = r.candidates[i].threshold
	}
}

// scanWorker is the state of one goroutine of a scan.
type scanWorker struct {
	*Scan
	candidates []candidates
	products   [slots.ChunkSize]int32

	// For rows that are selected by their sketches.
	sums       [slots.ChunkSize]uint16
	selected   [slots.ChunkSize / 64]uint64
	remaining  [slots.ChunkSize / 64]uint64
	rowNumbers [slots.ChunkSize]uint8
	rowCodes   [slots.ChunkSize]unsafe.Pointer
}

// candidates are the rows found so far for one query.
type candidates struct {
	certain   *slots.TopK // the k highest lower bounds of scores, by row
	threshold float32     // rows that cannot reach it are excluded
	possible  []slots.Hit // rows that may be among the best, with the upper bounds of their scores
}

// scanRange scans the blocks of a range for all queries.
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

// words returns the part of the set for the rows of a block.
func (a *segment) words(c int) slots.Set {
	from := c * slots.ChunkSize / 64
	n := (a.view.rowsOf(c) + 63) / 64
	return a.pass[min(from, len(a.pass)):min(from+n, len(a.pass))]
}

// scanBlock compares one query with all rows of a block.
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

// scanFew compares one query with the few passing rows of a block.
func (r *scanWorker) scanFew(q *query, st *candidates, a *segment, c int, words slots.Set) {
	b, stride := a.view.blocks[c], a.view.stride
	words.Each(func(slot uint32) {
		i := int(slot)
		kernel.CodeProducts(q.codes, q.bias, b.codes[i*stride:(i+1)*stride], r.products[:1])
		st.consider(q, &b.quantised[i], r.products[0], uint32(a.firstRow+c*slots.ChunkSize+i))
	})
}

// leastProduct returns a product below which no row of a block can reach the threshold bar (see
// consider). most has the block's maximum of each field.
func (a *query) leastProduct(most *kernel.Quantised, bar float32) int32 {
	off := a.errorBound(most)
	scale := a.scale * most.Scale
	if bar <= off || scale <= 0 {
		return math.MinInt32
	}
	return int32(min((bar-off)/scale*(1-1e-5), math.MaxInt32/2))
}

// errorBound returns the maximum error of an estimated product: |q·v − q̂·v̂| ≤ |q̂|·|v − v̂| +
// |q − q̂|·|v|, plus the rounding of float32. It is 0 for an approximate query.
func (a *query) errorBound(v *kernel.Quantised) float32 {
	if a.approximate {
		return 0
	}
	return a.length*v.Error + a.codeError*v.Norm + 1e-5*a.length*v.Norm
}

// consider keeps a row that may be among the k best.
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

// Rescore computes exact scores for the rows that may be among the k best of query i with a
// score of at least floor. It begins with the rows with the highest lower bounds, whose exact
// scores raise the threshold for the others. It appends the hits of each segment to hits, at the
// segment's result index.
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

// addEstimated appends the best rows of query i by their codes to the hits of each segment.
func (s *Scan) addEstimated(i int, hits [][][]slots.Hit) {
	for _, r := range s.workers {
		for _, h := range r.candidates[i].certain.Hits {
			area, slot := s.locate(h.Slot)
			into := &hits[s.segments[area].result][i]
			*into = append(*into, slots.Hit{Slot: slot, Score: h.Score})
		}
	}
}

// noVector is the score of a row whose vector was dropped meanwhile.
var noVector = float32(math.Inf(-1))

// exactScore returns the exact score of a row for a query.
func (s *Scan) exactScore(query int, row uint32) float32 {
	area, slot := s.locate(row)
	v := s.segments[area].view.Vector(slot, &s.buf)
	if v == nil {
		return noVector
	}
	return kernel.Dot(s.queries[query].vector, v)
}

// locate returns the segment and the slot of a row.
func (s *Scan) locate(row uint32) (area int, slot uint32) {
	area, found := slices.BinarySearchFunc(s.segments, int(row), func(a segment, row int) int { return a.firstRow - row })
	if !found {
		area--
	}
	return area, row - uint32(s.segments[area].firstRow)
}
