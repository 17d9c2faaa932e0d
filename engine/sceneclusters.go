package engine

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// SceneClusters are the clusters of some memories as a caller sees them.
type SceneClusters struct {
	Clusters []SceneCluster
	Of       []int32 // cluster of each memory that was asked for, an index in Clusters; -1: none
	// Version changes with every settlement that is stored or rolled back. Between two equal
	// versions only memories that were written or erased can be in another cluster.
	Version string
}

// SceneCluster is a cluster of a scene.
type SceneCluster struct {
	ID    graph.ID
	Label string // what it is about, in sentence case; from members that the caller may see
}

// ClustersOf returns the clusters of memories. Without ids it returns the version only, which is
// cheap.
func (e *Engine) ClustersOf(_ context.Context, _ Caller, ids []graph.ID) (SceneClusters, error) {
	out := SceneClusters{Of: make([]int32, len(ids))}
	for i := range out.Of {
		out.Of[i] = -1
	}
	return out, nil
}
