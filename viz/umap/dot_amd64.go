//go:build amd64 && !purego

package umap

// dot16 is the sum of a[i]·b[i] over n entries; n is a multiple of 16. SSE2, which
// every amd64 processor has.
//
//go:noescape
func dot16(a, b *int16, n int) int32
