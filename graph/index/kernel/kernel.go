// Package kernel computes the inner products of vector search: of float32 vectors, of 8-bit
// codes and of 1-bit sketches. Each kernel exists in plain Go and, on amd64, in assembly for
// AVX2 and for AVX-512. The package chooses the best one that the processor supports when the
// program starts. The build tag purego excludes the assembly.
package kernel

import "unsafe"

// Stride divides the length of every row of codes, in bytes.
const Stride = 64

// ZeroCode is the code of 0. A code is the value plus ZeroCode, so it is unsigned.
const ZeroCode = 128

// PaddedLength returns the length of a row of dim codes.
func PaddedLength(dim int) int { return (dim + Stride - 1) / Stride * Stride }

// Dot is the inner product of two vectors of equal length, in float32. Kernels add in different
// orders, so they agree to about 1e-6 of |a|·|b|.
func Dot(a, b []float32) float32 {
	if len(a) == 0 {
		return 0
	}
	b = b[:len(a)]
	return dot(&a[0], &b[0], len(a))
}

// CodeProducts writes the inner products of one query with consecutive rows of codes into out,
// one for each element of out. The query has the length of a row, a multiple of Stride; codes
// has at least len(out) rows. All kernels compute the same integers:
//
//	out[i] = Σ_j query[j] · (codes[i·len(query)+j] − ZeroCode)
//
// bias is −ZeroCode·Σ query, computed once for each query. Values of the query are in
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

// DotsAt is Dot of one query with rows anywhere in memory: each pointer is to len(query) values.
func DotsAt(query []float32, rows []unsafe.Pointer, out []float32) {
	if len(rows) == 0 || len(query) == 0 {
		clear(out[:len(rows)])
		return
	}
	out = out[:len(rows)]
	dots(&query[0], &rows[0], len(query), len(rows), &out[0])
}

// CodeProductsAt is CodeProducts for rows of codes anywhere in memory: each pointer is to
// len(query) codes.
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

// Name returns the name of the chosen kernel: avx512, avx2 or go.
func Name() string { return name }
