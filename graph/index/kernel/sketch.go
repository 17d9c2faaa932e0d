package kernel

import "math"

// A sketch of a vector are the signs of its dimensions after a rotation R that is the same for
// all (RaBitQ: Gao and Long, "RaBitQ: Quantizing High-Dimensional Vectors with a Theoretical
// Error Bound", SIGMOD 2024, with a query of 8 bits and a Hadamard rotation). With s the signs
// as ±1 and P = Σ s_j·(Rq)_j,
//
//	⟨v, q⟩ ≈ Gain·P,  Gain = |v|² / Σ |(Rv)_j|
//
// which is off by a random amount around 0 whose standard deviation is Doubt·√(|v|²|q|² − ⟨v, q⟩²).
type Sketch struct {
	Gain, Deviation float32
}

// Sketching reports whether sketches are compared so fast here that a scan of them saves
// time: where the processor has AVX2 or AVX-512.
func SketchesAreFast() bool { return sketchesAreFast }

// Sketches are compared in groups of SketchGroup rows: byte b of all of them, then byte b+1.
// In the 64 bytes of a group row r has place 2r, and 2(r−32)+1 from 32 on.
const SketchGroup = 64

// MaxSketched is how many dimensions may be sketched: sums of all fit 16 bits.
const MaxSketchDims = 2048

// SketchPlace is where byte 0 of the sketch of a row of dim dimensions lies; its other bytes
// lie SketchGroup apart.
func SketchOffset(row, dim int) int {
	group, r := row/SketchGroup, row%SketchGroup
	return group*SketchGroup*dim/8 + 2*(r%32) + r/32
}

// Turned is a query in the form that sketches are compared with: for every four dimensions
// what each of their 16 combinations of signs adds, as Least + Step·entry.
type RotatedQuery struct {
	Table       []uint8
	Step, Least float32 // Least of all fours together
}

// Turn rotates a query, padded with zeros to a multiple of 64 dimensions.
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
	t.Step = widest / 127 // two entries fit a byte
	inverse := 1 / t.Step
	for i := 0; i < len(query); i += 4 {
		q := query[i : i+4]
		lowest := -(abs(q[0]) + abs(q[1]) + abs(q[2]) + abs(q[3]))
		t.Least += lowest
		var sums [16]float32
		sums[0] = -lowest - q[0] - q[1] - q[2] - q[3]
		for j, x := range q { // those with sign j are those without it and twice the value
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

// Sums writes for every row of some groups of sketches what its entries add up to. rows holds
// len(out)/SketchGroup groups of the table's dimensions. All kernels give the same sums.
func SketchSums(table, rows []uint8, out []uint16) {
	groups := len(out) / SketchGroup
	if groups == 0 || len(table) == 0 {
		return
	}
	bytes := len(table) / 32
	rows = rows[:bytes*SketchGroup*groups]
	sums(&table[0], &rows[0], bytes, groups, &out[0])
}

// AtLeast writes for every group of sums a word in which bit r says whether that of row r is at
// least least. There are len(out) groups.
func SumsAtLeast(sums []uint16, least uint16, out []uint64) {
	if len(out) == 0 {
		return
	}
	sums = sums[:len(out)*SketchGroup]
	atLeast(&sums[0], len(out), least, &out[0])
}

// SketchCodes writes the signs of the vector that codes and q stand for, a bit each. rotated
// is room for as many values as there are codes, and is left with what the vector becomes.
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
	inverse := n * float64(squares) / (float64(sum) * float64(sum)) // 1/cos² between v and its signs
	return Sketch{
		Gain:      q.Scale * squares / sum,
		Deviation: float32(math.Sqrt(max(0, inverse-1) / max(1, n-1))),
	}
}

// Rotate turns a vector of a multiple of 64 dimensions: signs that look random, a Hadamard
// transform of every 64, so that what one dimension holds is spread over them; then the same
// over all 64ths, so that it is spread over all. Lengths and inner products stay.
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

// spread puts value i of block b at place i·blocks+b.
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

// flip changes the sign of about half of the values, always of the same.
func flipSigns(x []float32, seed uint64) {
	for ; len(x) >= 64; x = x[64:] {
		bits := splitMix64(seed)
		seed++
		for i := range x[:64] {
			x[i] = math.Float32frombits(math.Float32bits(x[i]) ^ uint32(bits>>i&1)<<31)
		}
	}
}

// mixed is splitmix64 (Steele, Lea and Flood, 2014).
func splitMix64(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hadamard transforms every 64 values, with lengths kept.
func hadamard(x []float32) {
	if len(x) < 64 {
		return
	}
	hadamards(&x[0], len(x)/64)
}
