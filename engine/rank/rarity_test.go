package rank

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestEntityRarity(t *testing.T) {
	for _, c := range []struct {
		mentions, memories int
		want               float64
	}{
		{0, 0, 1}, {0, 1000, 1}, {1100, 1000, 0}, {9999, 10, 0},
		{32, 989, math.Log(1090./33) / math.Log(1090)},
	} {
		if got := EntityRarity(c.mentions, c.memories); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%d of %d: %v, want %v", c.mentions, c.memories, got, c.want)
		}
	}
}

func TestWeightedJaccard(t *testing.T) {
	rare := map[string]float64{"Ada": 0.1, "Graz": 0.9}
	for _, c := range []struct {
		entities []string
		want     float64
	}{
		{nil, 0},
		{[]string{"Bo"}, 0},
		{[]string{"Ada"}, 0.1 / 2},
		{[]string{"Graz", "Bo"}, 0.9 / 3},
		{[]string{"Ada", "Graz"}, 0.5},
	} {
		if got := WeightedJaccard(rare, c.entities); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.entities, got, c.want)
		}
	}
	if got := WeightedJaccard(nil, []string{"Ada"}); got != 0 {
		t.Errorf("nothing asked: %v", got)
	}
}

// If every weight is 1 it equals the Jaccard index, and it is never larger.
func TestWeightedJaccardIsAtMostJaccard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := rapid.SliceOfDistinct(rapid.IntRange(0, 9), rapid.ID[int])
		asked, entities := set.Draw(t, "asked"), set.Draw(t, "entities")
		all, some := map[int]float64{}, map[int]float64{}
		for _, id := range asked {
			all[id], some[id] = 1, rapid.Float64Range(0, 1).Draw(t, "weight")
		}
		want := Jaccard(asked, entities)
		if got := WeightedJaccard(all, entities); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%v, Jaccard %v", got, want)
		}
		if got := WeightedJaccard(some, entities); got < 0 || got > want+1e-12 {
			t.Fatalf("%v, Jaccard %v", got, want)
		}
	})
}
