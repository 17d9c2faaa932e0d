//go:build amd64 && !purego

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func dotAVX2(a, b *float32, n int) float32

//go:noescape
func dotAVX512(a, b *float32, n int) float32

//go:noescape
func rowsAVX2(query *int8, codes *uint8, stride, n int, bias int32, out *int32)

//go:noescape
func rowsAVX512(query *int8, codes *uint8, stride, n int, bias int32, out *int32)

//go:noescape
func dotsAVX2(query *float32, rows *unsafe.Pointer, n, count int, out *float32)

//go:noescape
func dotsAVX512(query *float32, rows *unsafe.Pointer, n, count int, out *float32)

//go:noescape
func codesAVX2(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32)

//go:noescape
func codesAVX512(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32)

//go:noescape
func sumsAVX2(table, rows *uint8, bytes, groups int, out *uint16)

//go:noescape
func sumsAVX512(table, rows *uint8, bytes, groups int, out *uint16)

//go:noescape
func atLeastAVX2(sums *uint16, groups int, least uint16, out *uint64)

//go:noescape
func atLeastAVX512(sums *uint16, groups int, least uint16, out *uint64)

//go:noescape
func hadamardsAVX512(x *float32, blocks int)

// implementations returns the implementations that this processor can run, the best last.
func implementations() []implementation {
	all := []implementation{{"go", dotGo, rowsGo, dotsGo, codesGo, sumsGo, atLeastGo, hadamardsGo}}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, implementation{"avx2", dotAVX2, rowsAVX2, dotsAVX2, codesAVX2, sumsAVX2, atLeastAVX2, hadamardsGo})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VNNI {
		all = append(all, implementation{"avx512", dotAVX512, rowsAVX512, dotsAVX512, codesAVX512, sumsAVX512, atLeastAVX512, hadamardsAVX512})
	}
	return all
}

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VNNI
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	name      = implementations()[len(implementations())-1].name
)

// The kernels are called directly, not through a variable, so that their arguments do not escape
// to the heap.
func dot(a, b *float32, n int) float32 {
	switch {
	case hasAVX512:
		return dotAVX512(a, b, n)
	case hasAVX2:
		return dotAVX2(a, b, n)
	}
	return dotGo(a, b, n)
}

func rows(query *int8, codes *uint8, stride, n int, bias int32, out *int32) {
	switch {
	case hasAVX512:
		rowsAVX512(query, codes, stride, n, bias, out)
	case hasAVX2:
		rowsAVX2(query, codes, stride, n, bias, out)
	default:
		rowsGo(query, codes, stride, n, bias, out)
	}
}

func dots(query *float32, rows *unsafe.Pointer, n, count int, out *float32) {
	switch {
	case hasAVX512:
		dotsAVX512(query, rows, n, count, out)
	case hasAVX2:
		dotsAVX2(query, rows, n, count, out)
	default:
		dotsGo(query, rows, n, count, out)
	}
}

func codes(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32) {
	switch {
	case hasAVX512:
		codesAVX512(query, rows, stride, count, bias, out)
	case hasAVX2:
		codesAVX2(query, rows, stride, count, bias, out)
	default:
		codesGo(query, rows, stride, count, bias, out)
	}
}

// A comparison of sketches takes an eighth of the time of codes or less with either instruction
// set.
var sketchesAreFast = hasAVX512 || hasAVX2

func sums(table, rows *uint8, bytes, groups int, out *uint16) {
	switch {
	case hasAVX512:
		sumsAVX512(table, rows, bytes, groups, out)
	case hasAVX2:
		sumsAVX2(table, rows, bytes, groups, out)
	default:
		sumsGo(table, rows, bytes, groups, out)
	}
}

func atLeast(sums *uint16, groups int, least uint16, out *uint64) {
	switch {
	case hasAVX512:
		atLeastAVX512(sums, groups, least, out)
	case hasAVX2:
		atLeastAVX2(sums, groups, least, out)
	default:
		atLeastGo(sums, groups, least, out)
	}
}

func hadamards(x *float32, blocks int) {
	if hasAVX512 {
		hadamardsAVX512(x, blocks)
	} else {
		hadamardsGo(x, blocks)
	}
}
