package recess

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A direction with many zeros, as bags of hashed features have, needs no codebook:
// the places of its other numbers and their values to a few bits are nearer to the
// vector than any quantiser of the same length.
//
//	bits a value (1) ∥ largest magnitude, float32 little-endian (4) ∥ bitmap of the
//	dimensions that are not zero, bit 0 first ∥ their levels, packed from bit 0 up
//
// With b bits a level l stands for (l − L)/L · largest magnitude, L = 2^(b−1) − 1.
const (
	sparseHead = 5
	sparseMin  = 5 // bits a value; with fewer a codebook is better
	sparseMax  = 12
)

// encodeSparse answers the code, or nil where it would not keep the vector at 10:1
// with sparseMin bits a value.
func encodeSparse(unit []float32) []byte {
	count, largest := 0, float32(0)
	for _, x := range unit {
		if x != 0 {
			count, largest = count+1, max(largest, float32(math.Abs(float64(x))))
		}
	}
	bitmap := (len(unit) + 7) / 8
	room := codeBudget(len(unit)) - sparseHead - bitmap
	if count == 0 || room <= 0 {
		return nil
	}
	width := min(sparseMax, 8*room/count)
	if width < sparseMin {
		return nil
	}
	code := make([]byte, sparseHead+bitmap+(count*width+7)/8)
	code[0] = byte(width)
	binary.LittleEndian.PutUint32(code[1:], math.Float32bits(largest))
	values, at, top := code[sparseHead+bitmap:], 0, float64(int(1)<<(width-1)-1)
	for i, x := range unit {
		if x == 0 {
			continue
		}
		code[sparseHead+i/8] |= 1 << (i % 8)
		level := uint(math.Round(float64(x)/float64(largest)*top) + top)
		for b := range width {
			values[(at+b)/8] |= byte(level>>b&1) << ((at + b) % 8)
		}
		at += width
	}
	return code
}

// sparseValues calls fn for each number of a sparse code that is not zero. It
// reports whether the code is whole.
func sparseValues(code []byte, dim int, fn func(i int, x float32)) bool {
	bitmap := (dim + 7) / 8
	if len(code) < sparseHead+bitmap {
		return false
	}
	width := int(code[0])
	if width < sparseMin || width > sparseMax {
		return false
	}
	count := 0
	for _, b := range code[sparseHead : sparseHead+bitmap] {
		count += bits.OnesCount8(b)
	}
	values := code[sparseHead+bitmap:]
	if len(values) != (count*width+7)/8 || dim%8 != 0 && code[sparseHead+bitmap-1]>>(dim%8) != 0 {
		return false
	}
	top := int(1)<<(width-1) - 1
	step := math.Float32frombits(binary.LittleEndian.Uint32(code[1:])) / float32(top)
	held, have, next, mask := uint64(0), 0, 0, uint64(1)<<width-1
	for at, b := range code[sparseHead : sparseHead+bitmap] {
		for ; b != 0; b &= b - 1 {
			for have < width {
				held |= uint64(values[next]) << have
				have, next = have+8, next+1
			}
			fn(at*8+bits.TrailingZeros8(b), float32(int(held&mask)-top)*step)
			held, have = held>>width, have-width
		}
	}
	return true
}
