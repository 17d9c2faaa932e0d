package patterns

import (
	"context"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Cluster is a cluster of memories of one owner, from which patterns are drawn.
type Cluster struct {
	ID              graph.ID
	Namespace, User string
	Density         float64    // [0,1]
	Members         []graph.ID // the strongest first, then those that joined since the settlement
}

// Clusters gives the clusters of a tenant.
type Clusters interface {
	// Settled returns the clusters in force by id, with all members, whoever may see them.
	Settled(ctx context.Context, t *workspace.Tenant) ([]Cluster, error)
}

// Grouped returns the clusters of package grouping.
func Grouped(groups *grouping.Service) Clusters { return groupClusters{groups} }

// groupClusters are the clusters of package grouping.
type groupClusters struct{ groups *grouping.Service }

// Settled implements Clusters.
func (g groupClusters) Settled(ctx context.Context, t *workspace.Tenant) ([]Cluster, error) {
	all, err := g.groups.All(ctx, t)
	if err != nil {
		return nil, err
	}
	out := make([]Cluster, len(all))
	for i, x := range all {
		out[i] = ClusterOf(x.Owner, x.Stored)
	}
	return out, nil
}

// ClusterOf converts a cluster of package grouping.
func ClusterOf(o grouping.Owner, s grouping.Stored) Cluster {
	c := Cluster{ID: s.ID, Namespace: o.Namespace, User: o.User, Density: s.Density, Members: make([]graph.ID, len(s.Members))}
	for i, m := range s.Members {
		c.Members[i] = m.ID
	}
	return c
}
