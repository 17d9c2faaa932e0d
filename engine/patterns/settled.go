package patterns

import (
	"cmp"
	"context"
	"slices"

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

// ClustersOf returns the clusters that most of the sources of a pattern are members of, ascending: the fewest that have more than half of
// them together; none if no clusters do.
func ClustersOf(all []Cluster, sources []graph.ID) (out []graph.ID) {
	count := map[graph.ID]int{}
	for _, c := range all {
		for _, id := range c.Members {
			if slices.Contains(sources, id) {
				count[c.ID]++
			}
		}
	}
	for id := range count {
		out = append(out, id)
	}
	slices.SortFunc(out, func(a, b graph.ID) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	in := 0
	for i, id := range out {
		if in += count[id]; 2*in > len(sources) && i < graph.MaxPatternClusters {
			out = out[:i+1]
			slices.Sort(out)
			return out
		}
	}
	return nil
}
