package decay

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got != want && !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestHalfLife(t *testing.T) {
	for class, want := range map[graph.DecayClass]float64{
		graph.DecaySlow: 90, graph.DecayMedium: 14, graph.DecayFast: 2, graph.DecayNone: math.Inf(1), "": math.Inf(1), "OTHER": math.Inf(1),
	} {
		near(t, "half-life of "+string(class), HalfLife(class), want)
	}
}

func TestStability(t *testing.T) {
	for _, c := range []struct {
		usage      int
		important  bool
		confidence float64
		want       float64
	}{
		{0, false, 0.5, 1}, {0, false, 0, 2.0 / 3}, {0, false, 1, 4.0 / 3}, {0, true, 0.5, 2},
		{1, false, 0.5, 1.2079441541679836}, {9, true, 0.8, 4.057861266955713}, {-3, false, 0.5, 1},
	} {
		near(t, "stability", Stability(c.usage, c.important, c.confidence), c.want)
	}
}

func TestRate(t *testing.T) {
	near(t, "base", Rate(Memory{Class: graph.DecayMedium, Confidence: 0.5}), math.Ln2/14)
	near(t, "stretched", Rate(Memory{Class: graph.DecayFast, Important: true, Confidence: 0.5}), math.Ln2/4)
	near(t, "none", Rate(Memory{Class: graph.DecayNone, Usage: 5, Important: true, Confidence: 1}), 0)
	near(t, "own k is not stretched", Rate(Memory{Class: graph.DecaySlow, K: 0.25, Usage: 100, Important: true, Confidence: 1}), 0.25)
	near(t, "own k on none", Rate(Memory{Class: graph.DecayNone, K: 0.25}), 0.25)
}

func TestRetention(t *testing.T) {
	for _, c := range []struct{ k, days, want float64 }{
		{math.Ln2, 1, 0.5}, {math.Ln2, 2, 0.25}, {0, 1e9, 1}, {1, 0, 1}, {1, -4, 1}, {1, math.Inf(1), 0}, {24, 1.0 / 24, math.Exp(-1)},
	} {
		near(t, "retention", Retention(c.k, c.days), c.want)
	}
}

// More use, an important mark and more confidence each slow decay down.
func TestStabilityIsMonotonic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Memory{
			Class: rapid.SampledFrom([]graph.DecayClass{graph.DecaySlow, graph.DecayMedium, graph.DecayFast}).Draw(t, "class"),
			Usage: rapid.IntRange(0, 1e6).Draw(t, "usage"), Confidence: rapid.Float64Range(0, 0.99).Draw(t, "confidence"),
		}
		k := Rate(m)
		used, sure, marked := m, m, m
		used.Usage++
		sure.Confidence += 0.01
		marked.Important = true
		if got := Rate(used); got >= k {
			t.Errorf("one use more: k %v, before %v", got, k)
		}
		if got := Rate(sure); got >= k {
			t.Errorf("more confidence: k %v, before %v", got, k)
		}
		if got := Rate(marked); math.Abs(2*got-k) > 1e-12 {
			t.Errorf("important: k %v is not half of %v", got, k)
		}
	})
}

// Decay is memoryless: to decay for a and then for b is to decay for a+b.
func TestDecayIsMemoryless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.Float64Range(1e-4, 2).Draw(t, "k")
		a := rapid.Float64Range(0, 100).Draw(t, "a")
		b := rapid.Float64Range(0, 100).Draw(t, "b")
		if got, want := Retention(k, a)*Retention(k, b), Retention(k, a+b); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v then %v: %v, at once %v", a, b, got, want)
		}
	})
}
