package umap

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestExpAndLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-690, 0).Draw(t, "x")
		if want := math.Exp(x); math.Abs(exp(x)/want-1) > 1e-13 {
			t.Errorf("exp(%g) = %g, want %g", x, exp(x), want)
		}
		y := math.Exp(rapid.Float64Range(-80, 80).Draw(t, "y"))
		if want := math.Log(y); math.Abs(log(y)-want) > 1e-14*math.Max(1, math.Abs(want)) {
			t.Errorf("log(%g) = %g, want %g", y, log(y), want)
		}
	})
	if exp(0) != 1 || exp(-1e9) != 0 || log(1) != 0 {
		t.Errorf("exp(0) = %g, exp(-1e9) = %g, log(1) = %g", exp(0), exp(-1e9), log(1))
	}
}

func TestForcesMatchThePaper(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d2 := float32(math.Exp(rapid.Float64Range(-16, 16).Draw(t, "ln d2")))
		x := float64(d2)
		power := math.Pow(x, curveB)
		attract := -2 * curveA * curveB * math.Pow(x, curveB-1) / (1 + curveA*power)
		repel := 2 * curveB / ((0.001 + x) * (1 + curveA*power))
		i := forceIndex(d2)
		if got := float64(attraction[i].at(d2)); math.Abs(got/attract-1) > 1e-3 {
			t.Errorf("attraction at %g: %g, want %g", x, got, attract)
		}
		if got := float64(repulsion[i].at(d2)); math.Abs(got/repel-1) > 1e-3 {
			t.Errorf("repulsion at %g: %g, want %g", x, got, repel)
		}
	})
	// The layout relies on this when it clips at 4.
	for d2 := 1e-8; d2 < 1e8; d2 *= 1.01 {
		attract, repel := force(d2)
		if -attract*math.Sqrt(d2) >= 4 {
			t.Errorf("a pull of %g at d² = %g", -attract*math.Sqrt(d2), d2)
		}
		if repel*math.Sqrt(d2) >= 4 && d2 >= 0.13 {
			t.Errorf("a push of %g at d² = %g", repel*math.Sqrt(d2), d2)
		}
	}
	for _, d2 := range []float32{0, 1e-30, 1e30, math.MaxFloat32} {
		i := forceIndex(d2)
		if a, r := attraction[i].at(d2), repulsion[i].at(d2); a != a || r != r || math.IsInf(float64(a), 0) || math.IsInf(float64(r), 0) {
			t.Errorf("forces at %g: %g, %g", d2, a, r)
		}
	}
}
