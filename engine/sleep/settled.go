package sleep

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

// UseClusters replaces the clusters of package grouping as the source of patterns. Call it before the
// first sleep.
func (svc *Service) UseClusters(c Clusters) { svc.clusters = c }

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
		out[i] = clusterOf(x.Owner, x.Stored)
	}
	return out, nil
}

func clusterOf(o grouping.Owner, s grouping.Stored) Cluster {
	c := Cluster{ID: s.ID, Namespace: o.Namespace, User: o.User, Density: s.Density, Members: make([]graph.ID, len(s.Members))}
	for i, m := range s.Members {
		c.Members[i] = m.ID
	}
	return c
}

// SettledClusters returns the clusters in force by id, with all members, whoever may see them.
func (svc *Service) SettledClusters(ctx context.Context, t *workspace.Tenant) ([]Cluster, error) {
	return svc.clusters.Settled(ctx, t)
}

// settledClusters returns the clusters in force; in a dry run with those that it found.
func (run *sleepRun) settledClusters(ctx context.Context) ([]Cluster, error) {
	all, err := run.svc.SettledClusters(ctx, run.t.Tenant)
	if err != nil || !run.dryRun {
		return all, err
	}
	for _, s := range run.settled {
		all = slices.DeleteFunc(all, func(c Cluster) bool { return c.Namespace == s.Namespace && c.User == s.User })
		for _, c := range s.Clusters {
			all = append(all, clusterOf(grouping.Owner{Namespace: s.Namespace, User: s.User}, c))
		}
	}
	slices.SortFunc(all, func(a, b Cluster) int { return cmp.Compare(a.ID, b.ID) })
	return all, nil
}

// smallCluster is the number of members below which the members of a cluster are not archived:
// too few say what they say.
const smallCluster = 5

// readSmallClusters reads the members of clusters with fewer than smallCluster members.
func (run *sleepRun) readSmallClusters(ctx context.Context) error {
	all, err := run.svc.SettledClusters(ctx, run.t.Tenant)
	if err != nil {
		return err
	}
	run.small = map[graph.ID]bool{}
	for _, c := range all {
		if len(c.Members) >= smallCluster {
			continue
		}
		for _, id := range c.Members {
			run.small[id] = true
		}
	}
	return nil
}
