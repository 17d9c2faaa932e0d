package scene

import (
	"context"
	"fmt"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
	"github.com/somnograph/somnograph/viz/frame"
)

// maxClusterRegions is the largest number of clusters that name a part of the map.
const maxClusterRegions = 28

// clustersChanged reports whether the clusters of the last frame are out of date although no
// memory has changed: a sleep has settled them again, or was rolled back.
func (s *Server) clustersChanged(ctx context.Context) (bool, error) {
	now, err := s.Source.ClustersOf(ctx, s.Caller, nil)
	return now.Version != s.clusters, err
}

// cluster puts the nodes of a frame into their clusters. It returns the version of the clusters.
func (s *Server) cluster(ctx context.Context, scene *engine.Scene, f *frame.Frame) (string, error) {
	ids := make([]graph.ID, len(scene.Nodes))
	for i, d := range scene.Nodes {
		ids[i] = d.ID
	}
	found, err := s.Source.ClustersOf(ctx, s.Caller, ids)
	if err != nil || len(found.Clusters) == 0 {
		return found.Version, err
	}
	owners := make([]owner, len(found.Clusters))
	for i, k := range found.Of {
		if k >= 0 {
			f.Nodes[i].Cluster = found.Clusters[k].ID
			owners[k] = owner{scene.Nodes[i].Namespace, scene.Nodes[i].User}
		}
	}
	f.Clusters = frame.NewClusters(f.Nodes, distinctLabels(found.Clusters, owners))
	return found.Version, nil
}

// owner is a user in a namespace, or nobody if user is empty.
type owner struct{ namespace, user string }

func (o owner) String() string {
	if o.user == "" {
		return o.namespace
	}
	return o.user + " in " + o.namespace
}

// distinctLabels returns the labels of clusters. The labels of an owner are computed alone: one that clusters of several
// owners have gets the owner after it.
func distinctLabels(clusters []engine.SceneCluster, owners []owner) map[graph.ID]string {
	of := map[string]owner{}
	shared := map[string]bool{}
	for k, c := range clusters {
		if o, known := of[c.Label]; known && o != owners[k] {
			shared[c.Label] = true
		}
		of[c.Label] = owners[k]
	}
	labels := make(map[graph.ID]string, len(clusters))
	for k, c := range clusters {
		labels[c.ID] = c.Label
		if shared[c.Label] {
			labels[c.ID] = fmt.Sprintf("%s (%s)", c.Label, owners[k])
		}
	}
	return labels
}

// mapRegions returns the named parts of the whole map: the largest clusters, otherwise the
// regions of the frame.
func mapRegions(f *frame.Frame) []resolvers.Region {
	var out []resolvers.Region
	if len(f.Clusters) == 0 {
		for _, r := range f.Regions {
			out = append(out, resolvers.Region(r))
		}
		return out
	}
	for _, c := range f.Clusters[:min(len(f.Clusters), maxClusterRegions)] {
		out = append(out, resolvers.Region{Centre: c.Centre, Radius: c.Radius, Count: c.Count, Name: c.Label})
	}
	return out
}
