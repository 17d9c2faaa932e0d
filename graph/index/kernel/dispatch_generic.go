//go:build !amd64 || purego

package kernel

import "unsafe"

const name = "go"

var sketchesAreFast = false

func dot(a, b *float32, n int) float32 { return dotGo(a, b, n) }

func rows(query *int8, codes *uint8, stride, n int, bias int32, out *int32) {
	rowsGo(query, codes, stride, n, bias, out)
}

func dots(query *float32, rows *unsafe.Pointer, n, count int, out *float32) {
	dotsGo(query, rows, n, count, out)
}

func codes(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32) {
	codesGo(query, rows, stride, count, bias, out)
}

func implementations() []implementation {
	return []implementation{{"go", dotGo, rowsGo, dotsGo, codesGo, sumsGo, atLeastGo, hadamardsGo}}
}

func sums(table, rows *uint8, bytes, groups int, out *uint16) {
	sumsGo(table, rows, bytes, groups, out)
}

func atLeast(sums *uint16, groups int, least uint16, out *uint64) {
	atLeastGo(sums, groups, least, out)
}

func hadamards(x *float32, blocks int) { hadamardsGo(x, blocks) }
