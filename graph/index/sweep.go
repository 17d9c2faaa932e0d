package index

import (
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// sweep is a scan for the k nearest of each query in several views at once, so that what
// is near in one leaves out what is farther in the others. Any number of goroutines may
// work on it. Rows of all views have one dimension; they are numbered through.
type sweep struct {
	asks      []*asked
	k         int
	doubt     float32 // standard deviations by which sketches are doubted; 0: they are not asked
	brief     bool    // what the codes say is taken for the score
	areas     []swept
	rows      int
	stretches []stretch
	next      atomic.Int64 // stretch

	buf []byte // for vectors that settle reads

	sowing  sync.Once
	seed    float32       // what is above it by its sketch is compared first; 0: nothing
	sums    *[]uint16     // what the entries of its sketch add up to, by row; nil: nothing is sown
	planted []atomic.Bool // whether that was compared and the sums are there, by stretch
	plants  atomic.Int64  // stretch

	mu   sync.Mutex
	bars []float32 // by query: what can be no higher than this is out
	runs []*sweepRun
}

// swept is a view with the set of slots that are looked at; base is the number of its
// first row, at its place among the results.
type swept struct {
	v    *scanView
	pass bitmap
	base int
	at   int
}

// stretch is some blocks of an area.
type stretch struct{ area, from, to int }

// stretchBlocks are how many blocks one goroutine takes at a time.
const stretchBlocks = 16

func newSweep(k int, floor float32, queries int) *sweep {
	s := &sweep{k: k, bars: make([]float32, queries)}
	for i := range s.bars {
		s.bars[i] = floor
	}
	return s
}

// add takes the passing slots of a view, each of which has a vector; at is the place of
// what is found there among the results.
func (s *sweep) add(v *scanView, pass bitmap, queries [][]float32, at int) {
	if v.n == 0 {
		return
	}
	if s.asks == nil {
		for _, q := range queries {
			a := v.ask(q)
			a.brief = s.brief
			if s.doubt > 0 {
				a.turned = turn(q, v.stride)
			}
			s.asks = append(s.asks, a)
		}
	}
	for from := 0; from < len(v.blocks); from += stretchBlocks {
		s.stretches = append(s.stretches, stretch{len(s.areas), from, min(from+stretchBlocks, len(v.blocks))})
	}
	s.areas = append(s.areas, swept{v, pass, s.rows, at})
	s.rows += len(v.blocks) * chunkSize
}

// parallelRows is how many rows, a query each, are worth a second goroutine.
const parallelRows = 16 << 10

// run sweeps with at most so many goroutines.
func (s *sweep) run(most int) {
	var others sync.WaitGroup
	for range s.goroutines(most) - 1 {
		others.Go(s.work)
	}
	s.work()
	others.Wait()
}

// goroutines is how many of at most so many are worth their while.
func (s *sweep) goroutines(most int) int {
	if s.rows*len(s.asks) < 2*parallelRows {
		return 1
	}
	return min(most, len(s.stretches))
}

// work sweeps until nobody has anything left to begin.
func (s *sweep) work() {
	var r *sweepRun
	over := func(next *atomic.Int64, look func(at int)) {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(s.stretches) {
				return
			}
			if r == nil {
				r = s.join()
			}
			look(i)
			s.share(r)
		}
	}
	if len(s.asks) == 1 && s.asks[0].turned != nil && s.rows >= 2*parallelRows {
		if s.sowing.Do(s.sow); s.seed > 0 {
			over(&s.plants, func(at int) { r.plant(at) })
		}
	}
	over(&s.next, func(at int) { r.look(at) })
}

// join begins what one goroutine does.
func (s *sweep) join() *sweepRun {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &sweepRun{sweep: s, states: make([]sweepState, len(s.asks))}
	for i := range r.states {
		r.states[i] = sweepState{certain: newTop(s.k, bySlot), bar: s.bars[i]}
	}
	s.runs = append(s.runs, r)
	return r
}

// share raises the bars of a run and of all others to the highest.
func (s *sweep) share(r *sweepRun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range r.states {
		r.states[i].bar = max(r.states[i].bar, s.bars[i])
		s.bars[i] = r.states[i].bar
	}
}

// sweepRun is what one goroutine does of a sweep.
type sweepRun struct {
	*sweep
	states []sweepState
	out    [chunkSize]int32

	// Of rows that their sketches leave.
	sum  [chunkSize]uint16
	set  [chunkSize / 64]uint64
	rest [chunkSize / 64]uint64
	some [chunkSize]uint8
	rows [chunkSize]unsafe.Pointer
}

// sweepState is what one query has met so far.
type sweepState struct {
	certain *top    // the k highest scores that are certain at the least, by row
	bar     float32 // what can be no higher than this is out
	likely  []hit   // rows that could be higher: the highest possible score
}

func bySlot(a, b uint32) bool { return a < b }

// look looks at the blocks of a stretch for all queries.
func (r *sweepRun) look(at int) {
	u := r.stretches[at]
	a, planted := &r.areas[u.area], r.planted != nil && r.planted[at].Load()
	for c := u.from; c < u.to; c++ {
		words := a.words(c)
		n := words.count()
		if a.v.blocks[c] == nil || n == 0 {
			continue
		}
		for i, q := range r.asks {
			switch {
			case n <= chunkSize/8:
				r.sparse(q, &r.states[i], a, c, words)
			case q.turned != nil && a.v.sketch:
				r.drawn(q, &r.states[i], a, c, words, planted)
			default:
				r.dense(q, &r.states[i], a, c, words)
			}
		}
	}
}

// words are those of the set that hold the rows of a block.
func (a *swept) words(c int) bitmap {
	from := c * chunkSize / 64
	n := (a.v.rowsOf(c) + 63) / 64
	return a.pass[min(from, len(a.pass)):min(from+n, len(a.pass))]
}

// dense compares one query with all rows of a block.
func (r *sweepRun) dense(q *asked, st *sweepState, a *swept, c int, words bitmap) {
	b := a.v.blocks[c]
	out := r.out[:min(len(b.refs), a.v.n-c*chunkSize, len(words)*64)]
	kernel.Rows(q.codes, q.bias, b.codes[:len(out)*a.v.stride], out)
	least := q.least(&a.v.most[c], st.bar)
	for i, product := range out {
		if product >= least && words[i>>6]>>(i&63)&1 != 0 {
			st.weigh(q, &b.quant[i], product, uint32(a.base+c*chunkSize+i))
		}
	}
}

// sparse compares one query with the few passing rows of a block.
func (r *sweepRun) sparse(q *asked, st *sweepState, a *swept, c int, words bitmap) {
	b, stride := a.v.blocks[c], a.v.stride
	words.each(func(slot uint32) {
		i := int(slot)
		kernel.Rows(q.codes, q.bias, b.codes[i*stride:(i+1)*stride], r.out[:1])
		st.weigh(q, &b.quant[i], r.out[0], uint32(a.base+c*chunkSize+i))
	})
}

// least is a product below which no row of a block, none of which has more of anything
// than most, can be above the bar (see weigh).
func (a *asked) least(most *kernel.Quantised, bar float32) int32 {
	off := a.off(most)
	scale := a.scale * most.Scale
	if bar <= off || scale <= 0 {
		return math.MinInt32
	}
	return int32(min((bar-off)/scale*(1-1e-5), math.MaxInt32/2))
}

// off is how far an estimate of a product can be from it:
// |q·v − q̂·v̂| ≤ |q̂|·|v − v̂| + |q − q̂|·|v|, and what float32 loses. In brief it counts for nothing.
func (a *asked) off(v *kernel.Quantised) float32 {
	if a.brief {
		return 0
	}
	return a.length*v.Wrong + a.wrong*v.Norm + 1e-5*a.length*v.Norm
}

// weigh keeps a row that may be among the k best.
func (st *sweepState) weigh(q *asked, v *kernel.Quantised, product int32, row uint32) {
	estimate, off := float32(product)*(q.scale*v.Scale), q.off(v)
	if estimate+off < st.bar {
		return
	}
	if !q.brief {
		st.likely = append(st.likely, hit{row, estimate + off})
	}
	st.certain.offer(row, estimate-off)
	if st.certain.full() {
		st.bar = max(st.bar, st.certain.floor())
	}
}

// settle compares exactly what could be among the k best of query i that are at least the
// floor: first those that are the best for certain, whose exact scores raise the bar for
// the rest. It adds what it finds to the hits of each area, by its place.
func (s *sweep) settle(i int, floor float32, hits [][][]hit, first []order) {
	if s.brief {
		s.estimated(i, hits)
		return
	}
	bar := floor
	certain, good := newTop(s.k, bySlot), newTop(s.k, bySlot)
	for _, r := range s.runs {
		bar = max(bar, r.states[i].bar)
		for _, h := range r.states[i].certain.hits {
			certain.offer(h.slot, h.score)
		}
	}
	known := make(map[uint32]float32, len(certain.hits)) // scores, by row
	for _, h := range certain.hits {
		score := s.exact(i, h.slot)
		known[h.slot] = score
		good.offer(h.slot, score)
	}
	if good.full() {
		bar = max(bar, good.floor())
	}
	best := make([]*top, len(s.areas))
	for _, r := range s.runs {
		for _, h := range r.states[i].likely {
			if h.score < bar {
				continue
			}
			score, computed := known[h.slot]
			if !computed {
				score = s.exact(i, h.slot)
			}
			if score < floor || score == absent {
				continue
			}
			area, slot := s.place(h.slot)
			if best[area] == nil {
				best[area] = newTop(s.k, first[s.areas[area].at])
			}
			best[area].offer(slot, score)
		}
	}
	for area, t := range best {
		if t != nil {
			into := &hits[s.areas[area].at][i]
			*into = append(*into, t.hits...)
		}
	}
}

// estimated adds the rows of query i that are the best by their codes to the hits of each area.
func (s *sweep) estimated(i int, hits [][][]hit) {
	for _, r := range s.runs {
		for _, h := range r.states[i].certain.hits {
			area, slot := s.place(h.slot)
			into := &hits[s.areas[area].at][i]
			*into = append(*into, hit{slot, h.score})
		}
	}
}

// absent is the score of a row whose vector was dropped since.
var absent = float32(math.Inf(-1))

// exact is how near a row is to a query.
func (s *sweep) exact(query int, row uint32) float32 {
	area, slot := s.place(row)
	v := s.areas[area].v.vector(slot, &s.buf)
	if v == nil {
		return absent
	}
	return kernel.Dot(s.asks[query].exact, v)
}

// place is where a row lies.
func (s *sweep) place(row uint32) (area int, slot uint32) {
	area, found := slices.BinarySearchFunc(s.areas, int(row), func(a swept, row int) int { return a.base - row })
	if !found {
		area--
	}
	return area, row - uint32(s.areas[area].base)
}

// count is how many slots the set holds.
func (b bitmap) count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
