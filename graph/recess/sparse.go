package recess

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A direction with many zeros, such as a bag of hashed features, needs no codebook: the
// positions of its other numbers and their values with a few bits are closer to the vector
// than any quantiser of the same length.
//
//	bits a value (1) ∥ largest magnitude, float32 little-endian (4) ∥ count of numbers
//	that are not zero, little-endian (2) ∥ for each: zeros before it, level
//
// The last part is a stream of bits, filled from bit 0 of each byte up. The zeros z before a
// number are a Rice code (Golomb, Run-length encodings, 1966): z >> k ones, a zero, the low k
// bits of z. A level l of b bits means (l − L)/L · largest magnitude, L = 2^(b−1) − 1.
const (
	sparseHead = 7
	sparseMin  = 5 // bits per value; with fewer a codebook is better
	sparseMax  = 14
)

// riceBits is the k for count numbers in dim.
func riceBits(dim, count int) int {
	return max(0, bits.Len(uint(0.69*float64(dim)/float64(count)))-1)
}

// bitWriter fills bytes from bit 0 up.
type bitWriter struct {
	b []byte
	n int
}

func (w *bitWriter) write(x uint64, width int) {
	for i := range width {
		if w.n%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[len(w.b)-1] |= byte(x>>i&1) << (w.n % 8)
		w.n++
	}
}

// encodeSparse returns the code, or nil if it would not store the vector at 10:1 with
// sparseMin bits per value.
func encodeSparse(unit []float32) []byte {
	var at []int
	largest := float32(0)
	for i, x := range unit {
		if x != 0 {
			at, largest = append(at, i), max(largest, float32(math.Abs(float64(x))))
		}
	}
	if len(at) == 0 {
		return nil
	}
	k, places, before := riceBits(len(unit), len(at)), 0, -1
	for _, i := range at {
		places, before = places+(i-before-1)>>k+1+k, i
	}
	width := min(sparseMax, (8*(codeBudget(len(unit))-sparseHead)-places)/len(at))
	if width < sparseMin {
		return nil
	}
	w := bitWriter{b: []byte{byte(width)}}
	w.b = binary.LittleEndian.AppendUint32(w.b, math.Float32bits(largest))
	w.b = binary.LittleEndian.AppendUint16(w.b, uint16(len(at)))
	top := float64(int(1)<<(width-1) - 1)
	before = -1
	for _, i := range at {
		zeros := uint64(i - before - 1)
		for range zeros >> k {
			w.write(1, 1)
		}
		w.write(0, 1)
		w.write(zeros, k)
		w.write(uint64(math.Round(float64(unit[i])/float64(largest)*top)+top), width)
		before = i
	}
	return w.b
}

// sparseValues calls fn for each non-zero number of a sparse code. It reports whether the
// code is complete.
func sparseValues(code []byte, dim int, fn func(i int, x float32)) bool {
	if len(code) < sparseHead {
		return false
	}
	width, count := int(code[0]), int(binary.LittleEndian.Uint16(code[5:]))
	if width < sparseMin || width > sparseMax || count < 1 || count > dim {
		return false
	}
	k, top := riceBits(dim, count), int(1)<<(width-1)-1
	step := math.Float32frombits(binary.LittleEndian.Uint32(code[1:])) / float32(top)
	rest, held, have := code[sparseHead:], uint64(0), 0
	at := -1
	for range count {
		zeros := 0
		for {
			for have <= 56 && len(rest) > 0 {
				held, rest, have = held|uint64(rest[0])<<have, rest[1:], have+8
			}
			ones := min(bits.TrailingZeros64(^held), have)
			zeros, held, have = zeros+ones, held>>ones, have-ones
			if have > 0 {
				break
			}
			if len(rest) == 0 {
				return false
			}
		}
		held, have = held>>1, have-1
		for have <= 56 && len(rest) > 0 {
			held, rest, have = held|uint64(rest[0])<<have, rest[1:], have+8
		}
		if have < k+width {
			return false
		}
		at += zeros<<k + int(held&(1<<k-1)) + 1
		level := int(held >> k & (1<<width - 1))
		held, have = held>>(k+width), have-k-width
		if at >= dim {
			return false
		}
		fn(at, float32(level-top)*step)
	}
	return len(rest) == 0 && have < 8
}
