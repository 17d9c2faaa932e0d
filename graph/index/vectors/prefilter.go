package vectors

import (
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/somnograph/somnograph/graph/index/kernel"
	"github.com/somnograph/somnograph/graph/index/slots"
)

// Before the codes of a block a search for one question reads its sketches, an eighth of the
// bytes (kernel.Sketch), and then the codes of those rows only that could reach the bar by as
// many times the standard deviation as the sweep allows. Unlike the codes' the error of a
// sketch has no bound, so that what must be exact does without.

const (
	// sketchFrom is how many dimensions, padded, a sketch is worth its while and its error
	// is near the normal distribution.
	minSketchDims = 256
	// sketchDoubt is how many standard deviations below the bar a row is left for its sketch:
	// of what lies at the bar itself one in 740 is missed, of what lies above it fewer.
	ErrorMargin = 3
	// briefDoubt is the same in brief, where the candidates are to hold the few best of many: of
	// what lies at the bar itself one in 44 is missed, of what is to be answered, which lies a
	// tenth above it, one in a million.
	ApproximateErrorMargin = 2
	// worthScattering is in how many rows one may be left by the sketches: rows that lie
	// scattered take about twice as long.
	scatterDivisor = 3
	// seeds are how many rows are compared first for each that is wanted, of so many rows that
	// there are several in a sample of seedBlocks blocks.
	prefilterFactor, prefilterSampleBlocks = 4, 16
)

// sketched reports whether vectors of a length, padded, have sketches.
func sketchable(stride int) bool { return stride >= minSketchDims && stride <= kernel.MaxSketchDims }

// groups is how many groups some rows are.
func groupCount(rows int) int { return (rows + kernel.SketchGroup - 1) / kernel.SketchGroup }

// sketchBytes is how long the sketches of some rows are.
func sketchSize(rows, stride int) int { return groupCount(rows) * kernel.SketchGroup * stride / 8 }

// putSketch writes the sketch of a row, an empty one too.
func writeSketch(into []uint8, row, stride int, signs []uint8) {
	at := kernel.SketchOffset(row, stride)
	for b, x := range signs {
		into[at+b*kernel.SketchGroup] = x
	}
}

// draw makes the sketch of what was rounded, unless there is one.
func (r *Encoded) addSketch() {
	if r.signs == nil {
		r.signs = make([]uint8, len(r.codes)/8)
		r.sketch = kernel.SketchCodes(r.codes, r.quantised, r.signs, make([]float32, len(r.codes)))
	}
}

// turn is a query in the form that sketches are compared with.
func rotate(q []float32, stride int) *kernel.RotatedQuery {
	rotated := make([]float32, stride)
	copy(rotated, q)
	return kernel.RotateQuery(rotated)
}

// summed are what the entries of the rows of a block add up to, in into.
func (a *segment) sketchSums(t *kernel.RotatedQuery, c int, into []uint16) []uint16 {
	b := a.view.blocks[c]
	into = into[:groupCount(len(b.quantised))*kernel.SketchGroup]
	kernel.SketchSums(t.Table, b.signs, into)
	return into
}

// above is the set of rows of a block whose sketches, of these sums, say that their product with
// the query is at least some, or more by what the block's highest gain is above theirs.
func (a *segment) rowsAbove(t *kernel.RotatedQuery, c int, sums []uint16, some float32, into slots.Set) slots.Set {
	into = into[:len(sums)/kernel.SketchGroup]
	least := float32(0)
	if gain := a.view.sketchBounds[c].Gain; gain > 0 && t.Step > 0 {
		least = (some/gain - t.Least) / t.Step * (1 - 1e-5)
	}
	kernel.SumsAtLeast(sums, uint16(max(0, min(least, math.MaxUint16))), into)
	return into
}

// drawn compares one query with the rows of a block: by their sketches, and where those leave
// few by the codes of these. What was seeded was compared before.
func (r *scanWorker) scanSketched(q *query, st *candidates, a *segment, c int, words slots.Set, planted bool) {
	var sums []uint16
	if planted {
		sums = r.sumsOf(a, c)
	} else {
		sums = a.sketchSums(q.rotated, c, r.sums[:])
	}
	if r.prefilterThreshold > 0 {
		seeded := a.rowsAbove(q.rotated, c, sums, r.prefilterThreshold, r.selected[:])
		for i := range words {
			r.remaining[i] = words[i] &^ seeded[i]
		}
		words = r.remaining[:len(words)]
	}
	if st.threshold > 0 {
		length, doubt := q.length*a.view.bounds[c].Norm, r.ErrorMargin*a.view.sketchBounds[c].Deviation
		some := a.rowsAbove(q.rotated, c, sums, st.threshold-doubt*float32(math.Sqrt(max(0, float64(length*length-st.threshold*st.threshold)))), r.selected[:])
		few := 0
		for i := range words {
			some[i] &= words[i]
			few += bits.OnesCount64(some[i])
		}
		if few <= len(a.view.blocks[c].quantised)/scatterDivisor {
			r.scanRows(q, st, a, c, some[:len(words)])
			return
		}
	}
	r.scanBlock(q, st, a, c, words)
}

// sow finds what about seeds·k of the rows are above by their sketches: compared first they
// raise the bar to nearly what it will be in the end. It looks at a sample.
func (s *Scan) startPrefilter() {
	t, blocks := s.queries[0].rotated, 0
	for _, a := range s.segments {
		blocks += len(a.view.blocks)
	}
	s.allocateSums()
	step, sampled, i := max(1, blocks/prefilterSampleBlocks), 0, 0
	wanted := 1 + prefilterFactor*s.k/step // of the sample
	best := slots.NewTopK(wanted, slots.ByNumber)
	for at := range s.segments {
		a := &s.segments[at]
		for c := range a.view.blocks {
			if i++; i%step != 0 || !a.hasSketch(c) {
				continue
			}
			sums, gain := a.sketchSums(t, c, s.sumsOf(a, c)), a.view.sketchBounds[c].Gain
			words := a.words(c)
			sampled += words.Count()
			words.Each(func(slot uint32) {
				if score := gain * (t.Least + t.Step*float32(sums[slot])); score > best.Threshold() {
					best.Offer(slot, score)
				}
			})
		}
	}
	if sampled > wanted && best.Full() {
		s.prefilterThreshold = best.Lowest()
	}
}

// sumsPool holds room for the sums of all rows of a sweep.
var sketchSumsPool = sync.Pool{New: func() any { return new([]uint16) }}

// takeSums makes room for the sums of all rows.
func (s *Scan) allocateSums() {
	s.sketchSums, s.prefiltered = sketchSumsPool.Get().(*[]uint16), make([]atomic.Bool, len(s.ranges))
	if len(*s.sketchSums) < s.rows {
		*s.sketchSums = make([]uint16, s.rows+s.rows/8)
	}
}

// sumsOf are the sums of the rows of a block, or room for them.
func (s *Scan) sumsOf(a *segment, c int) []uint16 {
	from := a.firstRow + c*slots.ChunkSize
	return (*s.sketchSums)[from : from+groupCount(len(a.view.blocks[c].quantised))*kernel.SketchGroup]
}

// free gives back what the sweep borrowed, when nobody works on it any more.
func (s *Scan) Free() {
	if s.sketchSums != nil {
		sketchSumsPool.Put(s.sketchSums)
		s.sketchSums = nil
	}
}

// plant compares the seeds of a stretch, and leaves the sums of all its rows.
func (r *scanWorker) prefilter(at int) {
	u, t := r.ranges[at], r.queries[0].rotated
	a := &r.segments[u.segment]
	for c := u.from; c < u.to; c++ {
		if !a.hasSketch(c) {
			continue
		}
		words := a.words(c)
		some := a.rowsAbove(t, c, a.sketchSums(t, c, r.sumsOf(a, c)), r.prefilterThreshold, r.selected[:])[:len(words)]
		for i := range some {
			some[i] &= words[i]
		}
		r.scanRows(r.queries[0], &r.candidates[0], a, c, some)
	}
	r.prefiltered[at].Store(true)
}

// drawn reports whether sketches are asked for the rows of a block.
func (a *segment) hasSketch(c int) bool {
	return a.view.sketching && a.view.blocks[c] != nil && a.words(c).Count() > slots.ChunkSize/8
}

// scattered compares one query with some rows of a block.
func (r *scanWorker) scanRows(q *query, st *candidates, a *segment, c int, rows slots.Set) {
	b, n := a.view.blocks[c], 0
	for i, w := range rows {
		for ; w != 0; w &= w - 1 {
			r.rowNumbers[n] = uint8(i<<6 + bits.TrailingZeros64(w))
			r.rowCodes[n] = unsafe.Pointer(&b.codes[int(r.rowNumbers[n])*a.view.stride])
			n++
		}
	}
	kernel.CodeProductsAt(q.codes, q.bias, r.rowCodes[:n], r.products[:n])
	least := q.leastProduct(&a.view.bounds[c], st.threshold)
	for k, product := range r.products[:n] {
		if product >= least {
			st.consider(q, &b.quantised[r.rowNumbers[k]], product, uint32(a.firstRow+c*slots.ChunkSize)+uint32(r.rowNumbers[k]))
		}
	}
}

// nearDoubt is how many standard deviations below the bar a row is left for its sketch where
// the nearest are asked for: of what lies at the bar itself, the last of the k, one in 31,000
// is missed; what lies a tenth above it, as what says the same again, is farther from that than
// chance goes.
const NearestErrorMargin = 4
