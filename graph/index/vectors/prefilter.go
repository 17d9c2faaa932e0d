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

// A scan for a single query reads the sketches of a block first, an eighth of the bytes of the
// codes (kernel.Sketch). It then reads only the codes of the rows that could reach the threshold
// within ErrorMargin standard deviations. The error of a sketch has no bound, unlike that of
// codes, so exact queries use no sketches.

const (
	// minSketchDims is the number of padded dimensions from which sketches save time and their
	// error is nearly normally distributed.
	minSketchDims = 256
	// ErrorMargin is how many standard deviations below the threshold a sketch excludes a row.
	// Of the rows at the threshold itself one in 740 is missed, of higher ones fewer.
	ErrorMargin = 3
	// ApproximateErrorMargin is the margin of approximate queries, whose candidates must contain
	// the few best of many. Of the rows at the threshold itself one in 44 is missed. Of the rows
	// to be answered, which are a tenth above it, one in a million is missed.
	ApproximateErrorMargin = 2
	// scatterDivisor: the selected rows are read individually if they are at most this fraction
	// of a block, because scattered rows take about twice as long.
	scatterDivisor = 3
	// prefilterFactor is how many rows the prefilter compares for each wanted hit: enough that a
	// sample of prefilterSampleBlocks blocks contains several of them. Their threshold is
	// estimated from the sample.
	prefilterFactor, prefilterSampleBlocks = 4, 16
)

// sketchable reports whether vectors of a padded length have sketches.
func sketchable(stride int) bool { return stride >= minSketchDims && stride <= kernel.MaxSketchDims }

// groupCount returns the number of groups of some rows.
func groupCount(rows int) int { return (rows + kernel.SketchGroup - 1) / kernel.SketchGroup }

// sketchSize returns the size of the sketches of some rows, in bytes.
func sketchSize(rows, stride int) int { return groupCount(rows) * kernel.SketchGroup * stride / 8 }

// writeSketch writes the sketch of a row, which may be all zeros.
func writeSketch(into []uint8, row, stride int, signs []uint8) {
	at := kernel.SketchOffset(row, stride)
	for b, x := range signs {
		into[at+b*kernel.SketchGroup] = x
	}
}

// addSketch computes the sketch of an encoded vector, unless it has one.
func (r *Encoded) addSketch() {
	if r.signs == nil {
		r.signs = make([]uint8, len(r.codes)/8)
		r.sketch = kernel.SketchCodes(r.codes, r.quantised, r.signs, make([]float32, len(r.codes)))
	}
}

// rotate returns a query in the form that is compared with sketches.
func rotate(q []float32, stride int) *kernel.RotatedQuery {
	rotated := make([]float32, stride)
	copy(rotated, q)
	return kernel.RotateQuery(rotated)
}

// sketchSums computes the sums of the sketches of a block's rows, in into.
func (a *segment) sketchSums(t *kernel.RotatedQuery, c int, into []uint16) []uint16 {
	b := a.view.blocks[c]
	into = into[:groupCount(len(b.quantised))*kernel.SketchGroup]
	kernel.SketchSums(t.Table, b.signs, into)
	return into
}

// rowsAbove returns the rows of a block whose estimated product, with the block's highest gain,
// is at least some. sums are the sums of their sketches.
func (a *segment) rowsAbove(t *kernel.RotatedQuery, c int, sums []uint16, some float32, into slots.Set) slots.Set {
	into = into[:len(sums)/kernel.SketchGroup]
	least := float32(0)
	if gain := a.view.sketchBounds[c].Gain; gain > 0 && t.Step > 0 {
		least = (some/gain - t.Least) / t.Step * (1 - 1e-5)
	}
	kernel.SumsAtLeast(sums, uint16(max(0, min(least, math.MaxUint16))), into)
	return into
}

// scanSketched compares one query with the rows of a block: by their sketches, and then, if
// those select few rows, by the codes of these rows. If planted is set, the sums are known
// already. Rows that the prefilter compared are skipped.
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

// startPrefilter sets the threshold that about prefilterFactor·k of the rows exceed by their
// sketches, as estimated from a sample. Comparing these rows first raises the thresholds nearly
// to their final values.
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

// sketchSumsPool holds buffers for the sums of all rows of a scan.
var sketchSumsPool = sync.Pool{New: func() any { return new([]uint16) }}

// allocateSums takes a buffer for the sums of all rows.
func (s *Scan) allocateSums() {
	s.sketchSums, s.prefiltered = sketchSumsPool.Get().(*[]uint16), make([]atomic.Bool, len(s.ranges))
	if len(*s.sketchSums) < s.rows {
		*s.sketchSums = make([]uint16, s.rows+s.rows/8)
	}
}

// sumsOf returns the buffer for the sums of a block's rows.
func (s *Scan) sumsOf(a *segment, c int) []uint16 {
	from := a.firstRow + c*slots.ChunkSize
	return (*s.sketchSums)[from : from+groupCount(len(a.view.blocks[c].quantised))*kernel.SketchGroup]
}

// Free returns the buffers of the scan after all work has ended.
func (s *Scan) Free() {
	if s.sketchSums != nil {
		sketchSumsPool.Put(s.sketchSums)
		s.sketchSums = nil
	}
}

// prefilter compares the rows of a range above the prefilter threshold, and stores the sums of
// all its rows.
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

// hasSketch reports whether sketches are used for the rows of a block.
func (a *segment) hasSketch(c int) bool {
	return a.view.sketching && a.view.blocks[c] != nil && a.words(c).Count() > slots.ChunkSize/8
}

// scanRows compares one query with some rows of a block.
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

// NearestErrorMargin is the margin of Index.Nearest. Of the rows at the threshold itself, the
// last of the k, one in 31,000 is missed. A row a tenth above it, such as a repeated statement,
// is practically never missed.
const NearestErrorMargin = 4
