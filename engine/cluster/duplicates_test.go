package cluster

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func fact(id graph.ID, degrees, confidence float64) Item {
	return Item{ID: id, Vector: along(degrees), Confidence: confidence, Owner: "work/ana", Trust: graph.Trust{Authority: 0.8, Consent: graph.ConsentExplicit, Sensitivity: graph.Internal}, Type: graph.Semantic}
}

func trusted(i Item, authority float64) Item { i.Trust.Authority = authority; return i }

func always(int, int) bool { return true }

func allPairs(n int) [][2]int {
	var out [][2]int
	for i := range n {
		for j := range i {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

func TestMergeable(t *testing.T) {
	base := fact("a", 0, 0.5)
	episode := base
	episode.Type, episode.Session, episode.At = graph.Episodic, "s1", time.Date(2026, 3, 3, 23, 0, 0, 0, time.UTC)
	with := func(i Item, change func(*Item)) Item { change(&i); return i }
	for _, c := range []struct {
		name string
		a, b Item
		want bool
	}{
		{"the same", base, base, true},
		{"another circle", base, with(base, func(i *Item) { i.Owner = "work/bo" }), false},
		{"another type", base, with(base, func(i *Item) { i.Type = graph.Procedural }), false},
		{"explicit and implicit", base, with(base, func(i *Item) { i.Trust.Consent = graph.ConsentImplicit }), true},
		{"two implicit", with(base, func(i *Item) { i.Trust.Consent = graph.ConsentImplicit }), with(base, func(i *Item) { i.Trust.Consent = graph.ConsentImplicit }), false},
		{"none", base, with(base, func(i *Item) { i.Trust.Consent = graph.ConsentNone }), false},
		{"two none", with(base, func(i *Item) { i.Trust.Consent = graph.ConsentNone }), with(base, func(i *Item) { i.Trust.Consent = graph.ConsentNone }), false},
		{"less authority", base, with(base, func(i *Item) { i.Trust.Authority = 0.05 }), true},
		{"more sensitive", base, with(base, func(i *Item) { i.Trust.Sensitivity = graph.Restricted }), true},
		{"more authority and weaker consent", base, with(base, func(i *Item) { i.Trust.Authority, i.Trust.Consent = 0.9, graph.ConsentImplicit }), false},
		{"facts of two days", base, with(base, func(i *Item) { i.At = episode.At }), true},
		{"episodes of one day", episode, with(episode, func(i *Item) { i.At = i.At.Add(-20 * time.Hour) }), true},
		{"episodes of two days", episode, with(episode, func(i *Item) { i.At = i.At.Add(2 * time.Hour) }), false},
		{"the same day elsewhere", episode, with(episode, func(i *Item) { i.At = i.At.In(time.FixedZone("", 3*3600)) }), true},
		{"episodes of two sessions", episode, with(episode, func(i *Item) { i.Session = "s2" }), false},
		{"around 1970", with(episode, func(i *Item) { i.At = time.Unix(-1, 0) }), with(episode, func(i *Item) { i.At = time.Unix(1, 0) }), false},
	} {
		if Mergeable(c.a, c.b) != c.want || Mergeable(c.b, c.a) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}

// The cosine of 23.07 degrees is 0.92.
func TestDuplicates(t *testing.T) {
	for _, c := range []struct {
		name       string
		items      []Item
		compatible func(a, b int) bool
		want       [][]int // members
		kept       []int
	}{
		{"nothing", nil, always, nil, nil},
		{"alone", []Item{fact("a", 0, 1)}, always, nil, nil},
		{"two", []Item{fact("a", 0, 0.4), fact("b", 5, 0.9)}, always, [][]int{{0, 1}}, []int{1}},
		{"equal confidence keeps the older", []Item{fact("b", 0, 0.4), fact("a", 5, 0.4)}, always, [][]int{{1, 0}}, []int{1}},
		{"too unlike", []Item{fact("a", 0, 0.4), fact("b", 24, 0.9)}, always, nil, nil},
		// b is near a and c, which are not near each other: the more similar pair merges.
		{"no chain", []Item{fact("a", 0, 0.4), fact("b", 20, 0.5), fact("c", 38, 0.6)}, always, [][]int{{1, 2}}, []int{2}},
		{"ties by id", []Item{fact("c", 40, 0.4), fact("b", 20, 0.5), fact("a", 0, 0.6)}, always, [][]int{{2, 1}}, []int{2}},
		{"the greatest trust", []Item{fact("a", 0, 0.9), trusted(fact("b", 2, 0.4), 0.95), fact("c", 4, 0.9)}, always, [][]int{{0, 1, 2}}, []int{1}},
		{"two groups", []Item{fact("a", 0, 0.4), fact("b", 90, 0.5), fact("c", 3, 0.3), fact("d", 93, 0.6)}, always, [][]int{{0, 2}, {1, 3}}, []int{0, 3}},
		{"incompatible", []Item{fact("a", 0, 0.4), fact("b", 1, 0.9)}, func(int, int) bool { return false }, nil, nil},
		{"incompatible with one of three", []Item{fact("a", 0, 0.4), fact("b", 1, 0.9), fact("c", 3, 0.9)},
			func(a, b int) bool { return a+b != 2 }, [][]int{{0, 1}}, []int{1}},
	} {
		got := Duplicates(c.items, allPairs(len(c.items)), c.compatible)
		var members [][]int
		var kept []int
		for _, g := range got {
			members, kept = append(members, g.Members), append(kept, g.Survivor)
		}
		if !reflect.DeepEqual(members, c.want) || !slices.Equal(kept, c.kept) {
			t.Errorf("%s: %v kept %v, want %v kept %v", c.name, members, kept, c.want, c.kept)
		}
	}
}

func TestCentroidIsWeightedByConfidence(t *testing.T) {
	g := Duplicates([]Item{fact("a", 0, 0.9), fact("b", 20, 0.1)}, allPairs(2), always)
	// 0.9·(1,0) + 0.1·(cos 20°, sin 20°) points to atan2(0.0342, 0.99397).
	close(t, "x", float64(g[0].Centroid[0]), 0.9994084, 1e-6)
	close(t, "y", float64(g[0].Centroid[1]), 0.0343890, 1e-6)
	if g = Duplicates([]Item{trusted(fact("a", 0, 0.1), 0.95), fact("b", 20, 0.9)}, allPairs(2), always); !slices.Equal(g[0].Centroid, along(0)) {
		t.Errorf("the centroid includes a vector of less trust: %v", g[0].Centroid)
	}
	if g = Duplicates([]Item{fact("a", 0, 0), fact("b", 20, 0)}, allPairs(2), always); !slices.Equal(g[0].Centroid, along(0)) {
		t.Errorf("without confidence: %v", g[0].Centroid)
	}
}

// duplicateWorld draws facts around a few directions. Some of them are incompatible.
func duplicateWorld(t *rapid.T) ([]Item, func(a, b graph.ID) bool) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
	items := make([]Item, rapid.IntRange(0, 30).Draw(t, "n"))
	stance := map[graph.ID]int{}
	for i := range items {
		items[i] = fact(name(i), float64(r.IntN(4)*60+r.IntN(40)), float64(r.IntN(5))/4)
		items[i].Owner = []string{"one", "two"}[r.IntN(2)]
		items[i].Trust = graph.Trust{Authority: float64(r.IntN(2)), Consent: graph.Consents[r.IntN(3)], Sensitivity: graph.Sensitivities[r.IntN(2)]}
		stance[items[i].ID] = r.IntN(5)
	}
	return items, func(a, b graph.ID) bool { return stance[a]+stance[b] != 7 }
}

// Every two members of a group may merge. An item without a group could not join one. No item
// is in two groups.
func TestDuplicateGroupsAreCliques(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items, agree := duplicateWorld(t)
		passes := func(a, b int) bool {
			return Cosine(items[a].Vector, items[b].Vector) > DuplicateAbove && Mergeable(items[a], items[b]) && agree(items[a].ID, items[b].ID)
		}
		asked := map[[2]int]int{}
		groups := Duplicates(items, allPairs(len(items)), func(a, b int) bool {
			asked[[2]int{min(a, b), max(a, b)}]++
			return agree(items[a].ID, items[b].ID)
		})
		for pair, n := range asked {
			if n > 1 {
				t.Fatalf("%v was asked for %d times", pair, n)
			}
		}
		of := map[int]int{}
		sets := [][]int{}
		for _, g := range groups {
			if !slices.Contains(g.Members, g.Survivor) || len(g.Members) < 2 {
				t.Fatalf("%+v", g)
			}
			for _, m := range g.Members {
				if _, twice := of[m]; twice {
					t.Fatalf("%d is in two groups", m)
				}
				of[m] = len(sets)
				kept := items[g.Survivor]
				if !kept.Trust.AtLeast(items[m].Trust) || items[m].Trust == kept.Trust && items[m].Confidence > kept.Confidence {
					t.Fatalf("%d is trusted more, or equally and is more confident, than the one kept", m)
				}
			}
			sets = append(sets, g.Members)
		}
		for i := range items {
			if _, grouped := of[i]; !grouped {
				sets = append(sets, []int{i})
			}
		}
		for i, a := range sets {
			for j, b := range sets {
				whole := true
				for _, x := range a {
					for _, y := range b {
						whole = whole && (x == y || passes(x, y))
					}
				}
				if whole != (i == j) {
					t.Fatalf("%v and %v: every pair passes %v", a, b, whole)
				}
			}
		}
	})
}

func TestDuplicatesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items, agree := duplicateWorld(t)
		ids := func(items []Item, pairs [][2]int) (out [][]graph.ID, centroids [][]float32) {
			for _, g := range Duplicates(items, pairs, func(a, b int) bool { return agree(items[a].ID, items[b].ID) }) {
				members := []graph.ID{items[g.Survivor].ID}
				for _, m := range g.Members {
					members = append(members, items[m].ID)
				}
				out, centroids = append(out, members), append(centroids, g.Centroid)
			}
			return out, centroids
		}
		pairs := allPairs(len(items))
		want, middle := ids(items, pairs)
		moved := make([]Item, len(items))
		for i, p := range shuffled(t, len(items)) {
			moved[i] = items[p]
		}
		again := make([][2]int, len(pairs))
		for i, p := range shuffled(t, len(pairs)) {
			again[i] = [2]int{pairs[p][1], pairs[p][0]}
		}
		got, other := ids(moved, again)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(other, middle) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// A pair of groups that may not merge is not compared again.
func TestIncompatiblePairsAreComparedOnce(t *testing.T) {
	items := make([]Item, 150)
	for i := range items {
		items[i] = fact(name(i), float64(i%3)/10, 0.5)
	}
	asked := 0
	groups := Duplicates(items, allPairs(len(items)), func(a, b int) bool { asked++; return a%2 == b%2 })
	if len(groups) != 2 || asked > 150*149/2 {
		t.Errorf("%d groups after %d questions", len(groups), asked)
	}
}
