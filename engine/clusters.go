package engine

import (
	"context"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/graph"
)

// Types of package grouping.
type (
	ClusterListInput   = grouping.ListInput
	Cluster            = grouping.ClusterView
	ClusterLabel       = grouping.Label
	ClusterMember      = grouping.Member
	ClusterActivity    = grouping.Activity
	ClusterOwner       = grouping.Owner
	ClusterEvent       = grouping.EventView
	ClusterEventFilter = grouping.EventFilter
	ClusterEventPlace  = grouping.Position
	SceneClusters      = grouping.Scene
	SceneCluster       = grouping.SceneCluster
)

// ClusterChanges lists what can become of a cluster in a sleep, in the order of the API.
var ClusterChanges = cluster.EventKinds

// Clusters lists clusters, the largest first, and reports whether there are more.
func (e *Engine) Clusters(ctx context.Context, c Caller, in ClusterListInput) (_ []*Cluster, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "clusters")
	defer end(&err)
	return e.groups.List(ctx, c, in)
}

// ClustersByID returns clusters in the order of ids; nil for one that the caller does not see.
func (e *Engine) ClustersByID(ctx context.Context, c Caller, ids []graph.ID) (_ []*Cluster, err error) {
	ctx, end := e.ws.Begin(ctx, c, "cluster")
	defer end(&err)
	return e.groups.ByID(ctx, c, ids)
}

// ClustersOfMemories returns the cluster of each memory; nil for one that is in none.
func (e *Engine) ClustersOfMemories(ctx context.Context, c Caller, ids []graph.ID) (_ []*Cluster, err error) {
	ctx, end := e.ws.Begin(ctx, c, "cluster")
	defer end(&err)
	return e.groups.OfMemories(ctx, c, ids)
}

// ClusterEvolution lists births, merges, splits and deaths of clusters, newest first, after a place
// in the list, at most first (0: 50), and reports whether there are more.
func (e *Engine) ClusterEvolution(ctx context.Context, c Caller, f ClusterEventFilter, after ClusterEventPlace, first int) (_ []ClusterEvent, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "clusterEvolution")
	defer end(&err)
	return e.groups.Events(ctx, c, f, after, first)
}

// ReloadClusters reads the clusters again after an import wrote some.
func (e *Engine) ReloadClusters(ctx context.Context, c Caller) error { return e.groups.Reload(ctx, c) }

// ClustersOf returns the clusters of memories, for the explorer. Without ids it returns the version
// only, which is cheap. Like SceneAfter it is no call in the audit.
func (e *Engine) ClustersOf(ctx context.Context, c Caller, ids []graph.ID) (SceneClusters, error) {
	if err := e.MayCall(c.Tenant, "vizGraph"); err != nil {
		return SceneClusters{}, err
	}
	return e.groups.Scene(ctx, c, ids)
}
