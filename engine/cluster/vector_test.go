package cluster

import (
	"slices"
	"testing"
)

func TestCosine(t *testing.T) {
	close(t, "itself", Cosine(along(30), along(30)), 1, 1e-6)
	close(t, "60 degrees", Cosine(along(0), along(60)), 0.5, 1e-6)
	close(t, "opposite", Cosine(along(0), along(180)), -1, 1e-6)
	close(t, "another length", Cosine(along(0), []float32{1}), 0, 0)
	close(t, "nothing", Cosine(nil, nil), 0, 0)
	// Nine entries: two groups of four and a remainder.
	a := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	b := slices.Clone(a)
	for i := range a {
		a[i], b[i] = a[i]/20, b[i]/20
	}
	close(t, "nine places", Cosine(a, b), 285.0/400, 1e-6)
}
