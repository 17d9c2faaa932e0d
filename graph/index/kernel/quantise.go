package kernel

import "math"

// Quantised says what the codes of a vector v stand for: v ≈ v̂ = Scale·(code − Zero),
// with |v − v̂| ≤ Wrong and |v| ≤ Norm.
type Quantised struct {
	Scale, Error, Norm float32
	Bias               int32 // what Rows adds when this vector is the query
}

// Quantise writes the codes of v, padded with Zero, and says what they stand for.
func Quantise(v []float32, codes []uint8) Quantised {
	var largest, norm float32
	for _, x := range v {
		largest = max(largest, x, -x)
		norm += x * x
	}
	for i := range codes {
		codes[i] = ZeroCode
	}
	if largest == 0 {
		return Quantised{}
	}
	scale := largest / 127
	inverse := 1 / scale
	var wrong float32
	var sum int32
	for i, x := range v {
		code := int32(x*inverse + 128.5) // rounds, for the sum is positive
		codes[i] = uint8(code)
		sum += code - ZeroCode
		e := x - scale*float32(code-ZeroCode)
		wrong += e * e
	}
	return Quantised{scale, upperRoot(wrong), upperRoot(norm), -ZeroCode * sum}
}

// up is the root of a sum of squares, a little more than float32 may have lost.
func upperRoot(squares float32) float32 { return float32(math.Sqrt(float64(squares))) * (1 + 1e-3) }

// Signed turns codes into the form of a query; into is as long as codes.
func ToSigned(codes []uint8, into []int8) {
	into = into[:len(codes)]
	for i, c := range codes {
		into[i] = int8(c ^ ZeroCode)
	}
}
