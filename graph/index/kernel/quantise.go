package kernel

import "math"

// Quantised describes the codes of a vector v: v ≈ v̂ = Scale·(code − ZeroCode), with |v − v̂| ≤
// Error and |v| ≤ Norm.
type Quantised struct {
	Scale, Error, Norm float32
	Bias               int32 // of this vector as a query, see CodeProducts
}

// Quantise writes the codes of v, padded with ZeroCode, and returns their description.
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
		code := int32(x*inverse + 128.5) // rounds, because the sum is positive
		codes[i] = uint8(code)
		sum += code - ZeroCode
		e := x - scale*float32(code-ZeroCode)
		wrong += e * e
	}
	return Quantised{scale, upperRoot(wrong), upperRoot(norm), -ZeroCode * sum}
}

// upperRoot returns the root of a sum of squares, increased by more than float32 may have lost.
func upperRoot(squares float32) float32 { return float32(math.Sqrt(float64(squares))) * (1 + 1e-3) }

// ToSigned converts codes to the signed values of a query; into must have room for all codes.
func ToSigned(codes []uint8, into []int8) {
	into = into[:len(codes)]
	for i, c := range codes {
		into[i] = int8(c ^ ZeroCode)
	}
}
