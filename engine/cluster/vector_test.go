package cluster

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCosine(t *testing.T) {
	close(t, "itself", Cosine(along(30), along(30)), 1, 1e-6)
	close(t, "60 degrees", Cosine(along(0), along(60)), 0.5, 1e-6)
	close(t, "opposite", Cosine(along(0), along(180)), -1, 1e-6)
	close(t, "another length", Cosine(along(0), []float32{1}), 0, 0)
	close(t, "nothing", Cosine(nil, nil), 0, 0)
	// Nine places: the sums of four and the rest.
	a := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}
	b := slices.Clone(a)
	for i := range a {
		a[i], b[i] = a[i]/20, b[i]/20
	}
	close(t, "nine places", Cosine(a, b), 285.0/400, 1e-6)
}

func TestExactNeighbours(t *testing.T) {
	near := Exact([][]float32{along(0), along(10), along(25), along(90)}, 2)
	for i, want := range [][]int{{1, 2}, {0, 2}, {1, 0}, {2, 1}} {
		if got := near.Near(i); !slices.Equal(got, want) {
			t.Errorf("near %d: %v, want %v", i, got, want)
		}
	}
	if got := Exact([][]float32{along(0)}, 5).Near(0); len(got) != 0 {
		t.Errorf("alone: %v", got)
	}
}

// The k nearest are as like as the k best of a full sort.
func TestExactIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		vectors := blob(r, direction(r, 5), rapid.IntRange(1, 30).Draw(t, "n"), 2)
		k := rapid.IntRange(1, 8).Draw(t, "k")
		near := Exact(vectors, k)
		for i := range vectors {
			var all []float64
			for j := range vectors {
				if j != i {
					all = append(all, Cosine(vectors[i], vectors[j]))
				}
			}
			slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
			got := near.Near(i)
			if len(got) != min(k, len(all)) {
				t.Fatalf("%d neighbours of %d", len(got), len(all))
			}
			for n, j := range got {
				if cos := Cosine(vectors[i], vectors[j]); cos != all[n] {
					t.Fatalf("neighbour %d of %d has %v, want %v", n, i, cos, all[n])
				}
			}
		}
	})
}
