package cluster

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/graph"
)

var noon = time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)

func episode(id graph.ID, degrees float64, entities ...graph.ID) Episode {
	return Episode{ID: id, Vector: along(degrees), Entities: entities, At: noon}
}

func membersOf(groups []EpisodeGroup) [][]int {
	var out [][]int
	for _, g := range groups {
		out = append(out, g.Members)
	}
	return out
}

func vectorsOf(items []Episode) [][]float32 {
	out := make([][]float32, len(items))
	for i, e := range items {
		out[i] = e.Vector
	}
	return out
}

// The cosine of 31.8 degrees is 0.85, that of 69.5 degrees 0.35.
func TestEpisodes(t *testing.T) {
	small := EpisodeDefaults()
	small.MaxSize = 2
	elsewhere := episode("b", 5)
	elsewhere.Owner = "other"
	later := episode("a", 5)
	later.At = noon.Add(time.Hour)
	for _, c := range []struct {
		name  string
		items []Episode
		o     EpisodeOptions
		want  [][]int
	}{
		{"nothing", nil, EpisodeDefaults(), nil},
		{"alone", []Episode{episode("a", 0)}, EpisodeDefaults(), nil},
		{"alike", []Episode{episode("a", 0), episode("b", 31)}, EpisodeDefaults(), [][]int{{0, 1}}},
		{"not alike", []Episode{episode("a", 0), episode("b", 33)}, EpisodeDefaults(), nil},
		{"other circles", []Episode{episode("a", 0), elsewhere}, EpisodeDefaults(), nil},
		{"by time", []Episode{later, episode("b", 0)}, EpisodeDefaults(), [][]int{{1, 0}}},
		{"two entities", []Episode{episode("a", 0, "x", "y"), episode("b", 60, "y", "x")}, EpisodeDefaults(), [][]int{{0, 1}}},
		{"an entity twice is one", []Episode{episode("a", 0, "x", "x"), episode("b", 60, "x", "x")}, EpisodeDefaults(), nil},
		{"one entity says little", []Episode{episode("a", 0, "x"), episode("b", 60, "x")}, EpisodeDefaults(), nil},
		{"too few of them", []Episode{episode("a", 0, "x", "y", "u"), episode("b", 60, "x", "y", "v", "w")}, EpisodeDefaults(), nil},
		{"half of them", []Episode{episode("a", 0, "x", "y", "u"), episode("b", 60, "x", "y", "v")}, EpisodeDefaults(), [][]int{{0, 1}}},
		{"the same two people on something else", []Episode{episode("a", 0, "x", "y"), episode("b", 71, "x", "y")}, EpisodeDefaults(), nil},
		{"a bound", []Episode{episode("a", 0), episode("b", 1), episode("c", 3), episode("d", 7)}, small, [][]int{{0, 1}, {2, 3}}},
		// Each is similar to the next one only: the chain is not joined as a whole.
		{"a chain", []Episode{episode("a", 0), episode("b", 30), episode("c", 60), episode("d", 90)}, EpisodeDefaults(), [][]int{{0, 1}, {2, 3}}},
		// d is similar to b and c, two of three: a story that develops.
		{"a story", []Episode{episode("a", 0), episode("b", 10), episode("c", 20), episode("d", 40)}, EpisodeDefaults(), [][]int{{0, 1, 2, 3}}},
	} {
		if got := membersOf(Episodes(c.items, exactNeighbours(vectorsOf(c.items), 3), c.o)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Episodes with rare entities in common are found without neighbour lists. Common entities find
// nothing.
func TestEntitiesFindCandidates(t *testing.T) {
	var items []Episode
	for i := range 300 {
		items = append(items, episode(name(i), 0, "everybody", "everywhere"))
	}
	items = append(items, episode("y", 0, "boat", "everybody", "harbour"), episode("z", 50, "boat", "everybody", "harbour"))
	if got, want := membersOf(Episodes(items, none{}, EpisodeDefaults())), [][]int{{300, 301}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCohesion(t *testing.T) {
	items := []Episode{episode("a", 0), episode("b", 10), episode("c", 20), episode("d", 40)}
	g := Episodes(items, exactNeighbours(vectorsOf(items), 3), EpisodeDefaults())
	// cos 10 three times (a–b, b–c … and none for a–d): 10, 20, 10, 30, 20 degrees and an unrelated pair.
	want := (0.98480775 + 0.93969262 + 0 + 0.98480775 + 0.86602540 + 0.93969262) / 6
	close(t, "cohesion", g[0].Cohesion, want, 1e-6)
	close(t, "centroid", Cosine(g[0].Centroid, along(17.5)), 1, 1e-3)
}

// episodeWorld draws episodes on several topics, each with a direction and entities.
func episodeWorld(t *rapid.T) []Episode {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
	matters := rapid.IntRange(1, 5).Draw(t, "matters")
	var items []Episode
	for m := range matters {
		for _, v := range blob(r, direction(r, 8), r.IntN(12), 0.2+r.Float64()) {
			e := Episode{ID: graph.ID(fmt.Sprintf("e%d-%d-%d", r.IntN(100), m, len(items))), Vector: v, At: noon.Add(time.Duration(r.IntN(5)) * time.Hour), Owner: []string{"one", "one", "two"}[r.IntN(3)]}
			for range r.IntN(4) {
				e.Entities = append(e.Entities, graph.ID(fmt.Sprintf("x%d", m*2+r.IntN(4))))
			}
			items = append(items, e)
		}
	}
	return items
}

// A group respects the maximum size and one owner, and most of its pairs are related. No
// episode is in two groups.
func TestEpisodeGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := episodeWorld(t)
		o := EpisodeDefaults()
		o.MaxSize = rapid.IntRange(2, 10).Draw(t, "size")
		seen := map[int]bool{}
		for _, g := range Episodes(items, exactNeighbours(vectorsOf(items), 4), o) {
			if len(g.Members) < 2 || len(g.Members) > o.MaxSize {
				t.Fatalf("a group of %d", len(g.Members))
			}
			if !slices.IsSortedFunc(g.Members, func(a, b int) int { return items[a].At.Compare(items[b].At) }) {
				t.Fatalf("not by time: %v", g.Members)
			}
			related, pairs := 0, 0
			e := &grouping{o: o, places: sequence(len(items)), items: items, entities: entitySets(items, sequence(len(items)))}
			for i, a := range g.Members {
				if seen[a] || items[a].Owner != items[g.Members[0]].Owner {
					t.Fatalf("%d does not belong here", a)
				}
				seen[a] = true
				for _, b := range g.Members[i+1:] {
					pairs++
					if e.pairStrength(a, b) > 0 {
						related++
					}
				}
			}
			if float64(related) < o.RelatedShare*float64(pairs) {
				t.Fatalf("%d of %d pairs are related", related, pairs)
			}
		}
	})
}

func TestEpisodesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := episodeWorld(t)
		near := exactNeighbours(vectorsOf(items), 4)
		turn := shuffled(t, len(items))
		back := make([]int, len(items))
		moved := make([]Episode, len(items))
		for i, p := range turn {
			moved[i], back[p] = items[p], i
			moved[i].Entities = slices.Clone(items[p].Entities)
			slices.Reverse(moved[i].Entities)
		}
		lists := make(listed, len(items))
		for i, p := range turn {
			for _, q := range near.Near(p) {
				lists[i] = append(lists[i], back[q])
			}
			slices.Sort(lists[i])
		}
		want, got := Episodes(items, near, EpisodeDefaults()), Episodes(moved, lists, EpisodeDefaults())
		if len(got) != len(want) {
			t.Fatalf("%d groups, want %d", len(got), len(want))
		}
		for i, g := range got {
			// Members at the same instant are ordered by id; indices follow the items.
			for k, m := range g.Members {
				if moved[m].ID != items[want[i].Members[k]].ID {
					t.Fatalf("group %d differs at %d", i, k)
				}
			}
			if g.Cohesion != want[i].Cohesion || !slices.Equal(g.Centroid, want[i].Centroid) {
				t.Fatalf("group %d differs in its numbers", i)
			}
		}
	})
}
