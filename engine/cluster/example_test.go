package cluster_test

import (
	"fmt"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/graph"
)

func ExampleEpisodes() {
	items := []cluster.Episode{
		{ID: "a", Vector: []float32{1, 0, 0}, Entities: []graph.ID{"boat", "mara"}},
		{ID: "b", Vector: []float32{0.6, 0.8, 0}, Entities: []graph.ID{"boat", "mara"}},
		{ID: "c", Vector: []float32{0, 0, 1}, Entities: []graph.ID{"boat", "mara"}},
	}
	var vectors [][]float32
	for _, e := range items {
		vectors = append(vectors, e.Vector)
	}
	for _, g := range cluster.Episodes(items, cluster.Exact(vectors, 2), cluster.EpisodeDefaults()) {
		fmt.Println(g.Members)
	}
	// c names the same two, but is about something else.

	// Output: [0 1]
}
