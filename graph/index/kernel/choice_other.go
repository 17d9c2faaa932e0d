//go:build !amd64 || purego

package kernel

import "unsafe"

const name = "go"

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

// variant is one implementation of the kernels.
type variant struct {
	name string
	dot  func(a, b *float32, n int) float32
	rows func(query *int8, codes *uint8, stride, n int, bias int32, out *int32)

	dots  func(query *float32, rows *unsafe.Pointer, n, count int, out *float32)
	codes func(query *int8, rows *unsafe.Pointer, stride, count int, bias int32, out *int32)
}

func variants() []variant { return []variant{{"go", dotGo, rowsGo, dotsGo, codesGo}} }
