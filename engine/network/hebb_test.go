package network

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

const day = 24 * time.Hour

var epoch = time.Date(2026, 2, 19, 0, 0, 0, 0, time.UTC)

func at(days float64) time.Time { return epoch.Add(time.Duration(days * float64(day))) }

func TestHebb(t *testing.T) {
	for _, c := range []struct {
		name          string
		strength, sim float64
		now           float64 // days since the anchor
		want          float64
		anchor        float64
	}{
		{"at once", 1, 0.8, 0, 1.008, 0},
		{"after a half-life", 1, 1, 90, 0.51, 90},
		{"after two", 3, 0.5, 180, 0.755, 180},
		{"from nothing", 0, 1, 12, 0.01, 12},
		{"unlike ends", 1, -0.4, 90, 0.5, 90},
		{"a cosine just above 1", 1, 1.0000001, 0, 1.01, 0},
		{"no number", 1, math.NaN(), 0, 1, 0},
		{"from before the anchor", 1, 1, -90, 1.005, 0},
	} {
		got, anchor := Hebb(c.strength, epoch, c.sim, at(c.now))
		near(t, c.name, got, c.want, 1e-12)
		if !anchor.Equal(at(c.anchor)) {
			t.Errorf("%s: anchored at %v, want %v", c.name, anchor, at(c.anchor))
		}
	}
}

type raise struct {
	gain float64
	day  float64
}

func drawRaises(t *rapid.T, latest float64) []raise {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) raise {
		return raise{rapid.Float64Range(0, 2).Draw(t, "gain"), rapid.Float64Range(0, latest).Draw(t, "day")}
	}), 1, 12).Draw(t, "raises")
}

func apply(raises []raise) (float64, time.Time) {
	strength, anchor := 1.0, epoch
	for _, r := range raises {
		strength, anchor = Raise(strength, anchor, r.gain, at(r.day))
	}
	return strength, anchor
}

// The order of raises does not matter, at one instant or across several, and the strength is
// the sum of the remaining gains.
func TestOrderOfRaisesDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raises := drawRaises(t, rapid.SampledFrom([]float64{0, 400}).Draw(t, "latest"))
		a, anchorA := apply(raises)
		b, anchorB := apply(rapid.Permutation(raises).Draw(t, "order"))
		if math.Abs(a-b) > 1e-12*a || !anchorA.Equal(anchorB) {
			t.Fatalf("%v at %v, in another order %v at %v", a, anchorA, b, anchorB)
		}
		later := rapid.Float64Range(400, 800).Draw(t, "later")
		sum := math.Exp2(-later / 90)
		for _, r := range raises {
			sum += r.gain * math.Exp2(-(later-r.day)/90)
		}
		got := Strength(&graph.Relation{Strength: a, StrengthAt: anchorA}, at(later))
		if math.Abs(got-sum) > 1e-9*sum {
			t.Fatalf("strength %v, want the sum of the remaining gains, %v", got, sum)
		}
	})
}

// A raise of 0 moves the anchor but keeps the curve.
func TestRaiseOfZeroKeepsTheCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := graph.Relation{Strength: rapid.Float64Range(0, 50).Draw(t, "strength"), StrengthAt: epoch}
		want := Strength(&r, at(500))
		for _, d := range []float64{3, 40, 40, 300} {
			r.Strength, r.StrengthAt = Raise(r.Strength, r.StrengthAt, 0, at(d))
		}
		if got := Strength(&r, at(500)); math.Abs(got-want) > 1e-12*want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestStrengthBeforeItsAnchor(t *testing.T) {
	near(t, "before", Strength(&graph.Relation{Strength: 2, StrengthAt: at(90)}, at(0)), 2, 0)
}

func TestWeights(t *testing.T) {
	rs := []*graph.Relation{
		{Strength: 1, StrengthAt: at(90)},
		{Strength: 2, StrengthAt: at(0)}, // 1 remains
		{Strength: 2, StrengthAt: at(90)},
	}
	for i, want := range []float64{.25, .25, .5} {
		near(t, fmt.Sprint("weight ", i), Weights(rs, at(90))[i], want, 1e-12)
	}
	// All strengths fade at the same rate, so the shares stay.
	for i, w := range Weights(rs, at(1000)) {
		near(t, fmt.Sprint("later, weight ", i), w, Weights(rs, at(90))[i], 1e-12)
	}
	if got := Weights([]*graph.Relation{{}, {}}, epoch); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("of nothing: %v", got)
	}
	if got := Weights(nil, epoch); len(got) != 0 {
		t.Errorf("of none: %v", got)
	}
}

func TestWeakest(t *testing.T) {
	rs := []*graph.Relation{
		{ID: "d", Strength: 3, StrengthAt: at(0)}, // 0.75 remains, although the stored strength is the highest
		{ID: "c", Strength: 0.9, StrengthAt: at(180)},
		{ID: "b", Strength: 0.75, StrengthAt: at(180)},
		{ID: "a", Strength: 1, StrengthAt: at(180)},
	}
	if got := Weakest(rs, at(180)); rs[got].ID != "b" {
		t.Errorf("of equals %s made room, want the oldest", rs[got].ID)
	}
	if got := Weakest(rs, at(0)); rs[got].ID != "b" {
		t.Errorf("%s was dropped", rs[got].ID)
	}
	if got := Weakest(rs[:2], at(180)); rs[got].ID != "d" {
		t.Errorf("%s was dropped, want the weakest", rs[got].ID)
	}
	if Weakest(nil, epoch) != -1 {
		t.Error("no candidates gave a result")
	}
}

func ExampleHebb() {
	// Two entities are replayed together, then not mentioned for half a year.
	strength, anchor := Hebb(1, epoch, 0.9, epoch)
	fmt.Printf("%.4f\n", strength)
	strength, _ = Hebb(strength, anchor, 0.9, epoch.Add(180*day))
	fmt.Printf("%.5f\n", strength)
	// Output:
	// 1.0090
	// 0.26125
}
