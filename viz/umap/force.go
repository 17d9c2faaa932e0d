package umap

import "math"

// The similarity of two positions at distance d is 1/(1 + a·d²ᵇ), fitted to a curve that is 1
// up to min_dist and falls exponentially from there (section 3.2). These are the values for
// min_dist = 0.1, spread = 1.
const (
	curveA = 1.5769434602
	curveB = 0.8950608780
)

// The gradient of the cross-entropy along an axis is the coordinate difference times
//
//	attraction  −2ab·d²⁽ᵇ⁻¹⁾ / (1 + a·d²ᵇ)
//	repulsion   2b / ((0.001 + d²)(1 + a·d²ᵇ))
//
// Both are functions of d², and the power is expensive. They are therefore interpolated
// linearly in a table with 32 segments for each octave; the relative error is below a
// thousandth. The index is the upper part of the float.
const (
	forceShift    = 23 - 5
	forceLow      = (127 - 24) << 5 // index of 2⁻²⁴, the smallest d² in the table
	forceSegments = 48 << 5         // up to 2²⁴
)

// segment is value + slope·d².
type segment struct{ value, slope float32 }

func (l segment) at(d2 float32) float32 { return l.value + float32(l.slope*d2) }

var attraction, repulsion = forceTables()

func forceTables() (attract, repel *[forceSegments]segment) {
	attract, repel = new([forceSegments]segment), new([forceSegments]segment)
	at := func(i int) float64 {
		return float64(math.Float32frombits(uint32(i+forceLow) << forceShift))
	}
	between := func(from, to, a, b float64) segment {
		slope := (b - a) / (to - from)
		return segment{float32(a - float64(slope*from)), float32(slope)}
	}
	for i := range forceSegments {
		a0, r0 := force(at(i))
		a1, r1 := force(at(i + 1))
		attract[i], repel[i] = between(at(i), at(i+1), a0, a1), between(at(i), at(i+1), r0, r1)
	}
	return attract, repel
}

// forceIndex is the segment of d2; the first or last one outside the table.
func forceIndex(d2 float32) uint32 {
	i := math.Float32bits(d2)>>forceShift - forceLow
	if i >= forceSegments {
		if d2 < 1 {
			return 0
		}
		return forceSegments - 1
	}
	return i
}

// force is the exact gradient for the squared distance d2 > 0.
func force(d2 float64) (attract, repel float64) {
	power := curvePower(d2)
	likeness := 1 / (1 + float64(curveA*power))
	return -2 * curveA * curveB * power / d2 * likeness, 2 * curveB / (0.001 + d2) * likeness
}

// curvePower is d2ᵇ.
func curvePower(d2 float64) float64 {
	x := float64(curveB * log(d2))
	if x > 0 {
		return 1 / exp(-x)
	}
	return exp(x)
}
