package cluster_test

import (
	"fmt"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/graph"
)

// everything names all n items as neighbours of each.
type everything int

func (n everything) Near(int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func ExampleEpisodes() {
	items := []cluster.Episode{
		{ID: "a", Vector: []float32{1, 0, 0}, Entities: []graph.ID{"boat", "mara"}},
		{ID: "b", Vector: []float32{0.6, 0.8, 0}, Entities: []graph.ID{"boat", "mara"}},
		{ID: "c", Vector: []float32{0, 0, 1}, Entities: []graph.ID{"boat", "mara"}},
	}
	for _, g := range cluster.Episodes(items, everything(len(items)), cluster.EpisodeDefaults()) {
		fmt.Println(g.Members)
	}
	// c names the same entities but has another topic.

	// Output: [0 1]
}
