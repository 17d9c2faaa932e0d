package kernel

import "math"

// Sketch describes the sketch of a vector: the signs of its dimensions after a rotation R that
// is the same for all vectors (RaBitQ: Gao and Long, "RaBitQ: Quantizing High-Dimensional
// Vectors with a Theoretical Error Bound", SIGMOD 2024, with a query of 8 bits and a Hadamard
// rotation). With s the signs as ±1 and P = Σ s_j·(Rq)_j,
//
//	⟨v, q⟩ ≈ Gain·P,  Gain = |v|² / Σ |(Rv)_j|
//
// The error is random around 0 and has the standard deviation Deviation·√(|v|²|q|² − ⟨v, q⟩²).
type Sketch struct {
	Gain, Deviation float32
}

// SketchesAreFast reports whether sketches make a scan faster on this processor, which needs
// AVX2 or AVX-512.
func SketchesAreFast() bool { return sketchesAreFast }

// SketchGroup is the number of rows in a group of sketches. A group holds byte b of all its
// rows, then byte b+1. Within these 64 bytes row r is at 2r if r < 32, else at 2(r−32)+1.
const SketchGroup = 64

// MaxSketchDims is the maximum number of dimensions of a sketch: the sums must fit 16 bits.
const MaxSketchDims = 2048

// SketchOffset returns the offset of byte 0 of the sketch of a row of dim dimensions. Its other
// bytes follow at distances of SketchGroup.
func SketchOffset(row, dim int) int {
	group, r := row/SketchGroup, row%SketchGroup
	return group*SketchGroup*dim/8 + 2*(r%32) + r/32
}

// RotatedQuery is a query in the form that is compared with sketches. For every four dimensions
// the table has the contribution of each of their 16 combinations of signs, as Least +
// Step·entry.
type RotatedQuery struct {
	Table       []uint8
	Step, Least float32 // Least is the total over all groups of four
}

// RotateQuery rotates a query, padded with zeros to a multiple of 64 dimensions.
func RotateQuery(query []float32) *RotatedQuery {
	Rotate(query)
	t := &RotatedQuery{Table: make([]uint8, 4*len(query))}
	widest := float32(0)
	for q := query; len(q) > 0; q = q[4:] {
		widest = max(widest, 2*(abs(q[0])+abs(q[1])+abs(q[2])+abs(q[3])))
	}
	if widest == 0 {
		return t
	}
	t.Step = widest / 127 // the sum of two entries fits a byte
	inverse := 1 / t.Step
	for i := 0; i < len(query); i += 4 {
		q := query[i : i+4]
		lowest := -(abs(q[0]) + abs(q[1]) + abs(q[2]) + abs(q[3]))
		t.Least += lowest
		var sums [16]float32
		sums[0] = -lowest - q[0] - q[1] - q[2] - q[3]
		for j, x := range q { // with sign j set, the sum is the one without it plus twice the value
			for signs := range 1 << j {
				sums[signs|1<<j] = sums[signs] + 2*x
			}
		}
		for signs, sum := range sums {
			t.Table[4*i+signs] = uint8(sum*inverse + .5)
		}
	}
	return t
}

func abs(x float32) float32 { return max(x, -x) }

// SketchSums writes the sum of the table entries of every row of some groups of sketches. rows
// has len(out)/SketchGroup groups of the table's dimensions. All kernels compute the same sums.
func SketchSums(table, rows []uint8, out []uint16) {
	groups := len(out) / SketchGroup
	if groups == 0 || len(table) == 0 {
		return
	}
	bytes := len(table) / 32
	rows = rows[:bytes*SketchGroup*groups]
	sums(&table[0], &rows[0], bytes, groups, &out[0])
}

// SumsAtLeast writes one word for each group of sums, in which bit r reports whether the sum of
// row r is at least least. There are len(out) groups.
func SumsAtLeast(sums []uint16, least uint16, out []uint64) {
	if len(out) == 0 {
		return
	}
	sums = sums[:len(out)*SketchGroup]
	atLeast(&sums[0], len(out), least, &out[0])
}

// SketchCodes writes the signs of the vector that codes and q represent, one bit each. rotated
// must have room for one value for each code; it receives the rotated vector.
func SketchCodes(codes []uint8, q Quantised, signs []uint8, rotated []float32) Sketch {
	rotated = rotated[:len(codes)]
	var squares float32
	for i, c := range codes {
		x := float32(int32(c) - ZeroCode)
		rotated[i] = x
		squares += x * x
	}
	clear(signs)
	if squares == 0 {
		return Sketch{}
	}
	Rotate(rotated)
	var sum float32
	for i, x := range rotated {
		bits := math.Float32bits(x)
		signs[i>>3] |= uint8(^bits>>31) << (i & 7)
		sum += math.Float32frombits(bits &^ (1 << 31))
	}
	n := float64(len(codes))
	inverse := n * float64(squares) / (float64(sum) * float64(sum)) // 1/cos² of the angle between v and its signs
	return Sketch{
		Gain:      q.Scale * squares / sum,
		Deviation: float32(math.Sqrt(max(0, inverse-1) / max(1, n-1))),
	}
}

// Rotate rotates a vector of a multiple of 64 dimensions. It applies pseudorandom signs and a
// Hadamard transform to every 64 values, which spreads each dimension over its block. It then
// repeats this across the blocks, which spreads each dimension over all. Lengths and inner
// products are preserved.
func Rotate(x []float32) {
	blocks := len(x) / 64
	flipSigns(x, 1)
	hadamard(x)
	if blocks > 1 {
		interleave(x, blocks)
		flipSigns(x, 1+uint64(blocks))
		hadamard(x)
	}
}

// interleave moves value i of block b to i·blocks+b.
func interleave(x []float32, blocks int) {
	var few [1024]float32
	from := few[:]
	if len(x) > len(few) {
		from = make([]float32, len(x))
	}
	from = from[:copy(from, x)]
	for b := range blocks {
		for i, v := range from[64*b : 64*b+64] {
			x[i*blocks+b] = v
		}
	}
}

// flipSigns changes the signs of about half of the values; the choice depends only on the seed.
func flipSigns(x []float32, seed uint64) {
	for ; len(x) >= 64; x = x[64:] {
		bits := splitMix64(seed)
		seed++
		for i := range x[:64] {
			x[i] = math.Float32frombits(math.Float32bits(x[i]) ^ uint32(bits>>i&1)<<31)
		}
	}
}

// splitMix64 returns output x of SplitMix64 (Steele, Lea and Flood, 2014) with seed 0.
func splitMix64(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hadamard applies the normalised Hadamard transform to every 64 values; lengths are preserved.
func hadamard(x []float32) {
	if len(x) < 64 {
		return
	}
	hadamards(&x[0], len(x)/64)
}
