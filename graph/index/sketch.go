package index

import (
	"math"
	"math/bits"
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
	// worthScattering is in how many rows one may be left by the sketches: rows that lie
	// scattered take about twice as long.
	worthScattering = 3
	// seeds are how many rows are compared first for each that is wanted, of so many rows that
	// there are several in a sample of seedBlocks blocks.
	seeds, seedBlocks = 4, 16
)

// doubtOf is how far a recall doubts sketches; 0: it asks none, for what is asked about an
// instant is to be the same whenever it is asked.
func doubtOf(f *Filter) float32 {
	if f.AsOf.IsZero() {
		return sketchDoubt
	}
	return 0
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

// above is the set of rows of a block whose sketches say that their product with the query is
// at least some, or more by what the block's highest gain is above theirs.
func (r *sweepRun) above(q *asked, a *swept, c int, some float32, into bitmap) bitmap {
	b, t := a.v.blocks[c], q.turned
	into = into[:groups(len(b.quant))]
	least := float32(0)
	if gain := a.v.drawn[c].Gain; gain > 0 && t.Step > 0 {
		least = (some/gain - t.Least) / t.Step * (1 - 1e-5)
	}
	kernel.Above(t.Table, b.signs, uint16(max(0, min(least, math.MaxUint16))), into)
	return into
}

// drawn compares one query with the rows of a block: by their sketches, and where those leave
// few by the codes of these. What was seeded was compared before.
func (r *sweepRun) drawn(q *asked, st *sweepState, a *swept, c int, words bitmap, planted bool) {
	if r.seed > 0 {
		seeded := bitmap(r.seeded[(a.base+c*chunkSize)/64:])
		if !planted { // somebody is just at it
			seeded = r.above(q, a, c, r.seed, r.set[:])
		}
		for i := range words {
			r.rest[i] = words[i] &^ seeded[i]
		}
		words = r.rest[:len(words)]
	}
	if st.bar > 0 {
		length, doubt := q.length*a.v.most[c].Norm, r.doubt*a.v.drawn[c].Doubt
		some := r.above(q, a, c, st.bar-doubt*float32(math.Sqrt(max(0, float64(length*length-st.bar*st.bar)))), r.set[:])
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
// raise the bar to nearly what it will be in the end.
func (s *sweep) sow() {
	r, q := &sweepRun{sweep: s}, s.asks[0]
	blocks := 0
	for _, a := range s.areas {
		blocks += len(a.v.blocks)
	}
	step := max(1, blocks/seedBlocks)
	count := func(least float32) (above, all int) {
		i := 0
		for at := range s.areas {
			a := &s.areas[at]
			for c := range a.v.blocks {
				if i++; i%step != 0 || !a.drawn(c) {
					continue
				}
				words := a.words(c)
				for j, w := range r.above(q, a, c, least, r.set[:])[:len(words)] {
					above += bits.OnesCount64(w & words[j])
				}
				all += words.count()
			}
		}
		return above, all
	}
	low, high := float32(0), float32(0)
	for _, a := range s.areas {
		for _, m := range a.v.most {
			high = max(high, q.length*m.Norm)
		}
	}
	for range 10 {
		middle := (low + high) / 2
		if above, all := count(middle); above*s.rows > seeds*s.k*all {
			low = middle
		} else {
			high = middle
		}
	}
	s.seed, s.seeded, s.planted = high, newBitmap(s.rows), make([]atomic.Bool, len(s.stretches))
}

// plant compares the seeds of a stretch.
func (r *sweepRun) plant(at int) {
	u := r.stretches[at]
	a := &r.areas[u.area]
	for c := u.from; c < u.to; c++ {
		if !a.drawn(c) {
			continue
		}
		words := a.words(c)
		seeds := r.above(r.asks[0], a, c, r.seed, bitmap(r.seeded[(a.base+c*chunkSize)/64:]))[:len(words)]
		for i := range seeds {
			seeds[i] &= words[i]
		}
		r.scattered(r.asks[0], &r.states[0], a, c, seeds)
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
