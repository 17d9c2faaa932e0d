// Package kernel holds the inner products that vector search is made of, each in plain
// Go and, on amd64, in assembly for AVX2 and for AVX-512. The best that the processor
// has is chosen when the program starts; the build tag purego leaves the assembly out.
package kernel

import "unsafe"

// Stride is what the length of a row of codes is a multiple of, in bytes.
const Stride = 64

// Zero is the code of 0: a code is the value plus Zero, so that it has no sign.
const ZeroCode = 128

// Padded is the length of a row that holds dim codes.
func PaddedLength(dim int) int { return (dim + Stride - 1) / Stride * Stride }

// Dot is the inner product of two vectors of one length, in float32. Kernels add in
// different orders, so that they agree to about 1e-6 of |a|·|b|.
func Dot(a, b []float32) float32 {
	if len(a) == 0 {
		return 0
	}
	b = b[:len(a)]
	return dot(&a[0], &b[0], len(a))
}

// Rows writes the inner products of one query with consecutive rows of codes into
// out, one for each place of it. The query has the length of a row, a multiple of
// Stride; rows holds at least len(out) rows. All kernels give the same integers:
//
//	out[i] = Σ_j query[j] · (rows[i·len(query)+j] − Zero)
//
// bias is −Zero·Σ query, computed once a query by [Bias]. Values of the query lie in
// [-127, 127].
func CodeProducts(query []int8, bias int32, codes []uint8, out []int32) {
	if len(out) == 0 || len(query) == 0 {
		return
	}
	if len(query)%Stride != 0 {
		panic("kernel: the length of a query is not a multiple of Stride")
	}
	codes = codes[:len(query)*len(out)]
	rows(&query[0], &codes[0], len(query), len(out), bias, &out[0])
}

// Dots is Dot of one query with rows that lie anywhere: each points at len(query) values.
func DotsAt(query []float32, rows []unsafe.Pointer, out []float32) {
	if len(rows) == 0 || len(query) == 0 {
		clear(out[:len(rows)])
		return
	}
	out = out[:len(rows)]
	dots(&query[0], &rows[0], len(query), len(rows), &out[0])
}

// Codes is Rows for rows of codes that lie anywhere: each points at len(query) codes.
func CodeProductsAt(query []int8, bias int32, rows []unsafe.Pointer, out []int32) {
	if len(rows) == 0 || len(query) == 0 {
		clear(out[:len(rows)])
		return
	}
	if len(query)%Stride != 0 {
		panic("kernel: the length of a query is not a multiple of Stride")
	}
	out = out[:len(rows)]
	codes(&query[0], &rows[0], len(query), len(rows), bias, &out[0])
}

// Bias is what Rows adds because codes are shifted by Zero.
func Bias(query []int8) int32 {
	var sum int32
	for _, q := range query {
		sum += int32(q)
	}
	return -ZeroCode * sum
}

// Name says which kernel was chosen: avx512, avx2 or go.
func Name() string { return name }
