package umap

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSmoothDistancesByHand(t *testing.T) {
	// k = 3: the weights sum to log₂ 3. The nearest has 1, so e^(−(2−1)/σ) = log₂ 3 − 1.
	want := -1 / math.Log(math.Log2(3)-1)
	rho, sigma := smoothDistances([]Neighbour{{1, 1}, {2, 2}}, 1)
	if rho != 1 || math.Abs(sigma-want) > 1e-4 {
		t.Errorf("ρ = %g, σ = %g, want 1 and %g", rho, sigma, want)
	}
	// A neighbour at the same position does not count for ρ.
	if rho, _ := smoothDistances([]Neighbour{{1, 0}, {2, 0.5}, {3, 1}}, 1); rho != 0.5 {
		t.Errorf("ρ = %g, want .5", rho)
	}
	// When a point is placed, ρ is 0.
	if rho, _ := smoothDistances([]Neighbour{{1, 1}, {2, 2}}, 0); rho != 0 {
		t.Errorf("ρ = %g, want 0", rho)
	}
}

func TestSmoothDistancesOfAnyNeighbourhood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		near := make([]Neighbour, n)
		var d float32
		for i := range near {
			d += float32(rapid.SampledFrom([]float64{0, 0, 1e-7, 0.01, 0.1, 1}).Draw(t, "step"))
			near[i] = Neighbour{int32(i), d}
		}
		rho, sigma := smoothDistances(near, 1)
		if math.IsNaN(sigma) || math.IsInf(sigma, 0) || sigma < 0 || math.IsNaN(rho) {
			t.Fatalf("ρ = %g, σ = %g of %v", rho, sigma, near)
		}
		before := float32(1)
		for _, e := range memberships(near, 1) {
			if !(e.weight >= 0) || e.weight > before {
				t.Fatalf("weights %v of %v", memberships(near, 1), near)
			}
			before = e.weight
		}
	})
}

func TestFuzzyGraphByHand(t *testing.T) {
	got := mergeEdges([]edge{{1, 0.5}, {4, 1}}, []edge{{0, 0.25}, {1, 0.5}, {7, 1}})
	want := []edge{{0, 0.25}, {1, 0.75}, {4, 1}, {7, 1}}
	for i, w := range want {
		if len(got) != len(want) || got[i] != w {
			t.Fatalf("the union is %v, want %v", got, want)
		}
	}
}

func TestFuzzyGraphIsSymmetric(t *testing.T) {
	v := quantised(t, mixture(300, 16, 3))
	c := newWorkerPool(t.Context(), 0)
	lists, err := v.exactNeighbours(c, 9)
	if err != nil {
		t.Fatal(err)
	}
	g, err := buildFuzzyGraph(c, v.neighbours(lists, 9), 200)
	if err != nil {
		t.Fatal(err)
	}
	weights := map[[2]int32]float32{}
	for i := range 300 {
		for _, e := range g.edgesOf(i) {
			weights[[2]int32{int32(i), e.to}] = e.weight
			if !(e.weight >= 1.0/200) || e.weight > 1 {
				t.Fatalf("an edge of weight %g", e.weight)
			}
		}
	}
	for k, w := range weights {
		if back, ok := weights[[2]int32{k[1], k[0]}]; !ok || back != w {
			t.Fatalf("%d to %d weighs %g, back %g", k[0], k[1], w, back)
		}
	}
}

func TestEdgesAreSampledByWeight(t *testing.T) {
	all := sampledEdges([]edge{{0, 1}, {1, 0.5}, {2, 0.1}}, 1)
	const epochs = 500
	for i, want := range []int{epochs, epochs / 2, epochs / 10} {
		drawn := 0
		for e := range epochs {
			at := advance([3]float32{1, 0, 0}, all[i:i+1], make([][3]float32, 3), e, 0.1, 1)
			if at != [3]float32{1, 0, 0} {
				drawn++
			}
		}
		if drawn < want-1 || drawn > want+1 {
			t.Errorf("edge %d is drawn on in %d of %d epochs, want %d", i, drawn, epochs, want)
		}
	}
}
