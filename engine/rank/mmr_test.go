package rank

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

// along is a unit vector in the plane at an angle in degrees.
func along(degrees float64) []float32 {
	s, c := math.Sincos(degrees * math.Pi / 180)
	return []float32{float32(c), float32(s)}
}

func TestMMROrders(t *testing.T) {
	ids := []graph.ID{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	for name, c := range map[string]struct {
		items []Item
		d     Diversity
		k     int
		want  []int
	}{
		"nothing":                  {nil, Overlapping, 5, []int{}},
		"fewer than k":             {[]Item{{Score: 1}}, Overlapping, 5, []int{0}},
		"k 0":                      {[]Item{{Score: 1}}, Overlapping, 0, []int{}},
		"without vectors":          {[]Item{{Score: 0.9}, {Score: 0.8}, {Score: 0.7}}, Overlapping, 2, []int{0, 1}},
		"a twin waits":             {[]Item{{0.9, along(0), nil, ""}, {0.89, along(0), nil, ""}, {0.6, along(90), nil, ""}}, Overlapping, 3, []int{0, 2, 1}},
		"not without weight":       {[]Item{{0.9, along(0), nil, ""}, {0.89, along(0), nil, ""}, {0.6, along(90), nil, ""}}, Diversity{}, 3, []int{0, 1, 2}},
		"half alike, not repeated": {[]Item{{0.9, along(0), nil, ""}, {0.8, []float32{0.8, 0.6}, nil, ""}, {0.7, []float32{0, -1}, nil, ""}}, Repeated, 3, []int{0, 1, 2}},
		"a repeated twin waits":    {[]Item{{0.9, along(0), nil, ""}, {0.89, along(0), nil, ""}, {0.6, along(90), nil, ""}}, Repeated, 3, []int{0, 2, 1}},
		"another group first":      {[]Item{{0.9, nil, nil, "a"}, {0.8, nil, nil, "a"}, {0.79, nil, nil, "b"}, {0.6, nil, nil, "c"}}, Diversity{}, 4, []int{0, 2, 1, 3}},
		"three of a group count":   {[]Item{{0.9, nil, nil, "a"}, {0.899, nil, nil, "a"}, {0.898, nil, nil, "a"}, {0.897, nil, nil, "a"}, {0.896, nil, nil, "a"}, {0.838, nil, nil, "b"}}, Diversity{}, 6, []int{0, 1, 2, 3, 4, 5}},
		"no group, no penalty":     {[]Item{{0.9, nil, nil, ""}, {0.8, nil, nil, ""}, {0.79, nil, nil, "b"}}, Diversity{}, 3, []int{0, 1, 2}},
		"ties keep the order":      {[]Item{{0.5, along(0), nil, ""}, {0.5, along(90), nil, ""}, {0.5, along(90), nil, ""}}, Overlapping, 3, []int{0, 1, 2}},
		// Similarity (0.8 − 0.5)/0.5 = 0.6: 0.7·0.89 − 0.3·0.6 = 0.44 against 0.7·0.56 = 0.39,
		// and with weight 0.4: 0.29 against 0.33. It is no repetition.
		"a little alike":            {[]Item{{0.9, along(0), nil, ""}, {0.8, []float32{0.8, 0.6}, nil, ""}, {0.5, []float32{0, -1}, nil, ""}}, Overlapping, 2, []int{0, 1}},
		"more apart":                {[]Item{{0.9, along(0), nil, ""}, {0.8, []float32{0.8, 0.6}, nil, ""}, {0.5, []float32{0, -1}, nil, ""}}, Diversity{0.4, 0.5}, 2, []int{0, 2}},
		"on one subject is no twin": {[]Item{{0.9, along(0), ids[:2], ""}, {0.8, along(61), ids[:2], ""}, {0.75, along(-90), nil, ""}}, Overlapping, 3, []int{0, 1, 2}},
		"same entities, half alike": {[]Item{{0.9, along(0), ids[:2], ""}, {0.8, []float32{0.8, 0.6}, ids[:2], ""}, {0.55, along(-90), nil, ""}}, Overlapping, 3, []int{0, 2, 1}},
		"same entities":             {[]Item{{Score: 0.9, Entities: ids[:2]}, {Score: 0.8, Entities: ids[:2]}, {Score: 0.7, Entities: ids[2:4]}}, Overlapping, 3, []int{0, 2, 1}},
		"4 of 5 is not above 0.8":   {[]Item{{Score: 0.9, Entities: ids[:5]}, {Score: 0.8, Entities: ids[:4]}, {Score: 0.7}}, Overlapping, 3, []int{0, 1, 2}},
		"9 of 10 is":                {[]Item{{Score: 0.9, Entities: ids}, {Score: 0.8, Entities: ids[:9]}, {Score: 0.7}}, Overlapping, 3, []int{0, 2, 1}},
		"other dimensions":          {[]Item{{0.9, along(0), nil, ""}, {0.8, []float32{1}, nil, ""}, {0.7, along(90), nil, ""}}, Overlapping, 3, []int{0, 1, 2}},
	} {
		if got := MMR(c.items, c.d, c.k); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The result has min(k, n) distinct indices, the best item first, and the result for a smaller
// k is a prefix.
func TestMMRIsASelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		items := make([]Item, n)
		for i := range items {
			items[i] = Item{
				Score: 1 - float64(i)/50, Vector: along(rapid.Float64Range(0, 360).Draw(t, "angle")),
				Entities: rapid.SliceOfNDistinct(rapid.SampledFrom([]graph.ID{"a", "b", "c"}), 0, 3, rapid.ID[graph.ID]).Draw(t, "entities"),
			}
		}
		k := rapid.IntRange(0, 50).Draw(t, "k")
		weight := rapid.Float64Range(0, 1).Draw(t, "weight")
		d := Diversity{weight, 0.5}
		got := MMR(items, d, k)
		if len(got) != min(k, n) {
			t.Fatalf("%d places of %d items for k %d", len(got), n, k)
		}
		if len(got) > 0 && got[0] != 0 && weight < 1 {
			t.Fatalf("the best hit is not first: %v", got)
		}
		sorted := slices.Clone(got)
		slices.Sort(sorted)
		if len(slices.Compact(sorted)) != len(got) {
			t.Fatalf("a place twice: %v", got)
		}
		if half := MMR(items, d, k/2); !slices.Equal(half, got[:len(half)]) {
			t.Fatalf("%v does not begin %v", half, got)
		}
	})
}

// With weight 0 and no common entities MMR keeps the order.
func TestMMRWithoutWeightKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := make([]Item, rapid.IntRange(0, 30).Draw(t, "n"))
		for i := range items {
			items[i] = Item{Score: 1 - float64(i)/50, Vector: along(rapid.Float64Range(0, 360).Draw(t, "angle"))}
		}
		if got := MMR(items, Diversity{}, len(items)); !slices.IsSorted(got) {
			t.Fatalf("%v", got)
		}
	})
}
