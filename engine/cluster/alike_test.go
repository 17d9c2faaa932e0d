package cluster

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

func middle(id graph.ID, degrees float64, members int) Centroid {
	return Centroid{ID: id, Vector: along(degrees), Members: members}
}

func TestStands(t *testing.T) {
	for members, want := range []bool{false, false, false, true, true} {
		if Stands(members) != want {
			t.Errorf("%d members: want %v", members, want)
		}
	}
}

func TestNearest(t *testing.T) {
	all := []Centroid{middle("b", 0, 3), middle("c", 90, 3), middle("a", 0, 3)}
	if at, cos := Nearest(along(30), all); at != 2 || cos < 0.866 || cos > 0.8661 {
		t.Errorf("%d, %v", at, cos)
	}
	if at, _ := Nearest(along(80), all); at != 1 {
		t.Errorf("%d", at)
	}
	if at, cos := Nearest(along(200), all[:1]); at != 0 || cos > -0.9 {
		t.Errorf("far away: %d, %v", at, cos)
	}
	if at, cos := Nearest(along(0), nil); at != -1 || cos != 0 {
		t.Errorf("none: %d, %v", at, cos)
	}
}

// 41.4 degrees is a cosine of 0.75.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name     string
		clusters []Centroid
		want     [][]int
		members  []int
	}{
		{"nothing", nil, nil, nil},
		{"alone", []Centroid{middle("a", 0, 5)}, nil, nil},
		{"alike", []Centroid{middle("a", 0, 5), middle("b", 41, 9)}, [][]int{{1, 0}}, []int{14}},
		{"equals keep the older", []Centroid{middle("b", 0, 5), middle("a", 41, 5)}, [][]int{{1, 0}}, []int{10}},
		{"not alike", []Centroid{middle("a", 0, 5), middle("b", 42, 9)}, nil, nil},
		// a and b meet in the middle, 55 degrees from c.
		{"the new middle counts", []Centroid{middle("a", 0, 5), middle("b", 30, 5), middle("c", 70, 5)}, [][]int{{0, 1}}, []int{10}},
		{"again", []Centroid{middle("a", 0, 5), middle("b", 20, 5), middle("c", 45, 5), middle("d", 150, 4)}, [][]int{{0, 1, 2}}, []int{15}},
		{"two", []Centroid{middle("a", 0, 5), middle("b", 100, 7), middle("c", 20, 5), middle("d", 120, 9)}, [][]int{{0, 2}, {3, 1}}, []int{10, 16}},
	} {
		var got [][]int
		var members []int
		for _, u := range Merge(c.clusters) {
			got, members = append(got, u.Clusters), append(members, u.Members)
		}
		if !reflect.DeepEqual(got, c.want) || !slices.Equal(members, c.members) {
			t.Errorf("%s: %v of %v, want %v of %v", c.name, got, members, c.want, c.members)
		}
	}
	u := Merge([]Centroid{middle("a", 0, 3), middle("b", 40, 1)})
	// 3·(1,0) + (cos 40°, sin 40°): 9.69 degrees.
	close(t, "the middle by members", Cosine(u[0].Centroid, along(9.687)), 1, 1e-6)
}

// After a merge nothing is left to merge, no member is lost, and the order of the
// input does not count.
func TestMergeEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 6))
		clusters := make([]Centroid, rapid.IntRange(0, 20).Draw(t, "n"))
		total := 0
		for i := range clusters {
			clusters[i] = Centroid{ID: name(i), Vector: direction(r, 3), Members: 1 + r.IntN(9)}
			total += clusters[i].Members
		}
		left := slices.Clone(clusters)
		gone := map[int]bool{}
		want := Merge(clusters)
		for _, u := range want {
			for _, c := range u.Clusters[1:] {
				gone[c] = true
			}
			left[u.Clusters[0]].Vector, left[u.Clusters[0]].Members = u.Centroid, u.Members
		}
		var rest []Centroid
		for i, c := range left {
			if !gone[i] {
				rest = append(rest, c)
				total -= c.Members
			}
		}
		if total != 0 {
			t.Fatalf("%d members too few", total)
		}
		if again := Merge(rest); len(again) > 0 {
			t.Fatalf("%v could still merge", again)
		}
		turn := shuffled(t, len(clusters))
		moved := make([]Centroid, len(clusters))
		for i, p := range turn {
			moved[i] = clusters[p]
		}
		got := Merge(moved)
		for _, u := range got {
			for i, c := range u.Clusters {
				u.Clusters[i] = turn[c]
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
