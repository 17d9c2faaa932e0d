package index

import (
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/kernel"
)

// Before the codes of a block a search for one question reads its sketches, an eighth of the
// bytes (kernel.Sketch), and then the codes of those rows only that could reach the bar by as
// many times the standard deviation as the sweep allows. Unlike the codes' the error of a
// sketch has no bound, so that what must be exact does without.

const (
	// sketchFrom is how many dimensions, padded, a sketch is worth its while and its error
	// is near the normal distribution.
	sketchFrom = 256
	// sketchDoubt is how many standard deviations below the bar a row is left for its sketch:
	// of what lies at the bar itself one in 740 is missed, of what lies above it fewer.
	sketchDoubt = 3
	// briefDoubt is the same in brief, where the candidates are to hold the few best of many: of
	// what lies at the bar itself one in 44 is missed, of what is to be answered, which lies a
	// tenth above it, one in a million.
	briefDoubt = 2
	// worthScattering is in how many rows one may be left by the sketches: rows that lie
	// scattered take about twice as long.
	worthScattering = 3
	// seeds are how many rows are compared first for each that is wanted, of so many rows that
	// there are several in a sample of seedBlocks blocks.
	seeds, seedBlocks = 4, 16
)

// doubtOf is how far a recall doubts sketches; 0: it asks none, for what is asked about an
// instant is to be the same whenever it is asked.
func doubtOf(q *Query) float32 {
	switch {
	case !q.Filter.AsOf.IsZero():
		return 0
	case q.Approximate:
		return briefDoubt
	}
	return sketchDoubt
}

// sketched reports whether vectors of a length, padded, have sketches.
func sketched(stride int) bool { return stride >= sketchFrom && stride <= kernel.MaxSketched }

// groups is how many groups some rows are.
func groups(rows int) int { return (rows + kernel.SketchGroup - 1) / kernel.SketchGroup }

// sketchBytes is how long the sketches of some rows are.
func sketchBytes(rows, stride int) int { return groups(rows) * kernel.SketchGroup * stride / 8 }

// putSketch writes the sketch of a row, an empty one too.
func putSketch(into []uint8, row, stride int, signs []uint8) {
	at := kernel.SketchPlace(row, stride)
	for b, x := range signs {
		into[at+b*kernel.SketchGroup] = x
	}
}

// draw makes the sketch of what was rounded, unless there is one.
func (r *rounded) draw() {
	if r.signs == nil {
		r.signs = make([]uint8, len(r.codes)/8)
		r.sketch = kernel.SketchCodes(r.codes, r.quant, r.signs, make([]float32, len(r.codes)))
	}
}

// turn is a query in the form that sketches are compared with.
func turn(q []float32, stride int) *kernel.Turned {
	rotated := make([]float32, stride)
	copy(rotated, q)
	return kernel.Turn(rotated)
}

// summed are what the entries of the rows of a block add up to, in into.
func (a *swept) summed(t *kernel.Turned, c int, into []uint16) []uint16 {
	b := a.v.blocks[c]
	into = into[:groups(len(b.quant))*kernel.SketchGroup]
	kernel.Sums(t.Table, b.signs, into)
	return into
}

// above is the set of rows of a block whose sketches, of these sums, say that their product with
// the query is at least some, or more by what the block's highest gain is above theirs.
func (a *swept) above(t *kernel.Turned, c int, sums []uint16, some float32, into bitmap) bitmap {
	into = into[:len(sums)/kernel.SketchGroup]
	least := float32(0)
	if gain := a.v.drawn[c].Gain; gain > 0 && t.Step > 0 {
		least = (some/gain - t.Least) / t.Step * (1 - 1e-5)
	}
	kernel.AtLeast(sums, uint16(max(0, min(least, math.MaxUint16))), into)
	return into
}

// drawn compares one query with the rows of a block: by their sketches, and where those leave
// few by the codes of these. What was seeded was compared before.
func (r *sweepRun) drawn(q *asked, st *sweepState, a *swept, c int, words bitmap, planted bool) {
	var sums []uint16
	if planted {
		sums = r.sumsOf(a, c)
	} else {
		sums = a.summed(q.turned, c, r.sum[:])
	}
	if r.seed > 0 {
		seeded := a.above(q.turned, c, sums, r.seed, r.set[:])
		for i := range words {
			r.rest[i] = words[i] &^ seeded[i]
		}
		words = r.rest[:len(words)]
	}
	if st.bar > 0 {
		length, doubt := q.length*a.v.most[c].Norm, r.doubt*a.v.drawn[c].Doubt
		some := a.above(q.turned, c, sums, st.bar-doubt*float32(math.Sqrt(max(0, float64(length*length-st.bar*st.bar)))), r.set[:])
		few := 0
		for i := range words {
			some[i] &= words[i]
			few += bits.OnesCount64(some[i])
		}
		if few <= len(a.v.blocks[c].quant)/worthScattering {
			r.scattered(q, st, a, c, some[:len(words)])
			return
		}
	}
	r.dense(q, st, a, c, words)
}

// sow finds what about seeds·k of the rows are above by their sketches: compared first they
// raise the bar to nearly what it will be in the end. It looks at a sample.
func (s *sweep) sow() {
	t, blocks := s.asks[0].turned, 0
	for _, a := range s.areas {
		blocks += len(a.v.blocks)
	}
	s.takeSums()
	step, sampled, i := max(1, blocks/seedBlocks), 0, 0
	said := newTop(1+seeds*s.k/step, bySlot) // as many of the sample as are wanted of all
	for at := range s.areas {
		a := &s.areas[at]
		for c := range a.v.blocks {
			if i++; i%step != 0 || !a.drawn(c) {
				continue
			}
			sums, gain := a.summed(t, c, s.sumsOf(a, c)), a.v.drawn[c].Gain
			words := a.words(c)
			sampled += words.count()
			words.each(func(slot uint32) {
				if score := gain * (t.Least + t.Step*float32(sums[slot])); score > said.bar() {
					said.offer(slot, score)
				}
			})
		}
	}
	if sampled > said.k && said.full() {
		s.seed = said.floor()
	}
}

// sumsPool holds room for the sums of all rows of a sweep.
var sumsPool = sync.Pool{New: func() any { return new([]uint16) }}

// takeSums makes room for the sums of all rows.
func (s *sweep) takeSums() {
	s.sums, s.planted = sumsPool.Get().(*[]uint16), make([]atomic.Bool, len(s.stretches))
	if len(*s.sums) < s.rows {
		*s.sums = make([]uint16, s.rows+s.rows/8)
	}
}

// sumsOf are the sums of the rows of a block, or room for them.
func (s *sweep) sumsOf(a *swept, c int) []uint16 {
	from := a.base + c*chunkSize
	return (*s.sums)[from : from+groups(len(a.v.blocks[c].quant))*kernel.SketchGroup]
}

// free gives back what the sweep borrowed, when nobody works on it any more.
func (s *sweep) free() {
	if s.sums != nil {
		sumsPool.Put(s.sums)
		s.sums = nil
	}
}

// plant compares the seeds of a stretch, and leaves the sums of all its rows.
func (r *sweepRun) plant(at int) {
	u, t := r.stretches[at], r.asks[0].turned
	a := &r.areas[u.area]
	for c := u.from; c < u.to; c++ {
		if !a.drawn(c) {
			continue
		}
		words := a.words(c)
		some := a.above(t, c, a.summed(t, c, r.sumsOf(a, c)), r.seed, r.set[:])[:len(words)]
		for i := range some {
			some[i] &= words[i]
		}
		r.scattered(r.asks[0], &r.states[0], a, c, some)
	}
	r.planted[at].Store(true)
}

// drawn reports whether sketches are asked for the rows of a block.
func (a *swept) drawn(c int) bool {
	return a.v.sketch && a.v.blocks[c] != nil && a.words(c).count() > chunkSize/8
}

// scattered compares one query with some rows of a block.
func (r *sweepRun) scattered(q *asked, st *sweepState, a *swept, c int, rows bitmap) {
	b, n := a.v.blocks[c], 0
	for i, w := range rows {
		for ; w != 0; w &= w - 1 {
			r.some[n] = uint8(i<<6 + bits.TrailingZeros64(w))
			r.rows[n] = unsafe.Pointer(&b.codes[int(r.some[n])*a.v.stride])
			n++
		}
	}
	kernel.Codes(q.codes, q.bias, r.rows[:n], r.out[:n])
	least := q.least(&a.v.most[c], st.bar)
	for k, product := range r.out[:n] {
		if product >= least {
			st.weigh(q, &b.quant[r.some[k]], product, uint32(a.base+c*chunkSize)+uint32(r.some[k]))
		}
	}
}
