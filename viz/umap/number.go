package umap

import "math"

// Standard library functions with assembly differ in the last bit between processors, and a
// compiler may fuse a product and a sum. So the functions that the map needs are implemented
// here, and every product in a sum is rounded by an explicit conversion, which the language
// guarantees. The relative error is below 1e-14.

const (
	ln2High = 6.93147180369123816490e-01 // the first 33 bits of ln 2
	ln2Low  = 1.90821492927058770002e-10
)

// inverseFactorials are 1/13! to 1/0!.
var inverseFactorials = func() (c [14]float64) {
	c[13] = 1
	for i := 12; i >= 0; i-- {
		c[i] = c[i+1] / float64(13-i)
	}
	return c
}()

// exp is eˣ for x ≤ 0; 0 below −700.
func exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	k := math.RoundToEven(x / math.Ln2)
	r := x - float64(k*ln2High) - float64(k*ln2Low)
	sum := 0.0
	for _, c := range inverseFactorials { // Taylor, |r| ≤ ln 2/2
		sum = float64(sum*r) + c
	}
	return sum * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// log is ln x for a normal x > 0.
func log(x float64) float64 {
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = m*2, k-1
	}
	s := (m - 1) / (m + 1) // ln m = 2 artanh s, |s| < .172
	s2, sum := float64(s*s), 0.0
	for i := 21.0; i > 0; i -= 2 {
		sum = float64(sum*s2) + 1/i
	}
	return float64(float64(k)*ln2High) + (float64(2*s*sum) + float64(float64(k)*ln2Low))
}
