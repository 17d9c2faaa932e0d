//go:build !amd64 || purego

package umap

import "unsafe"

// dot16 is the sum of a[i]·b[i] over n entries.
func dot16(a, b *int16, n int) int32 { return dotGo(unsafe.Slice(a, n), unsafe.Slice(b, n)) }
