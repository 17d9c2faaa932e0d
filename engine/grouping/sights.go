package grouping

import (
	"context"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// centroidCache keeps the centroids of what limited sights show, until a settlement or an erasure.
type centroidCache struct {
	mu sync.Mutex
	of map[sightOwner]*seenCentroids
}

// seenCentroids are the centroids of one settlement of an owner, as one sight shows it.
type seenCentroids struct {
	of        *circle
	centroids *cluster.Centroids
	members   [][]graph.ID // by cluster: the visible members
}

func (c *centroidCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of = nil
}

// sightCentroids returns the centroids of the settled members that a limited sight shows, in the order of
// the clusters. A cluster that is not shown has none. They are computed again if other members are visible.
func (svc *Service) sightCentroids(ctx context.Context, v *View, c *circle) (*cluster.Centroids, error) {
	members := make([][]graph.ID, len(c.groups))
	docs := make([][]*index.Doc, len(c.groups))
	for i, g := range c.groups {
		for m, d := range v.each(g) {
			members[i], docs[i] = append(members[i], m.ID), append(docs[i], d)
		}
		if len(members[i]) < MinVisible {
			docs[i] = nil
		}
	}
	cache := &v.t.centroids
	cache.mu.Lock()
	defer cache.mu.Unlock()
	key := sightOwner{v.scope.Sight.Key(), c.owner}
	if x := cache.of[key]; x != nil && x.of == c && slices.EqualFunc(x.members, members, slices.Equal[[]graph.ID]) {
		return x.centroids, nil
	}
	found, err := svc.centroidsOf(ctx, v.scope, docs)
	if err != nil {
		return nil, err
	}
	if cache.of == nil || len(cache.of) >= maxSights*max(1, len(v.t.book.ownerList())) {
		cache.of = map[sightOwner]*seenCentroids{}
	}
	cache.of[key] = &seenCentroids{c, found, members}
	return found, nil
}

// centroidsOf computes the centroids of clusters, each from at most about centroidOf members that are spread
// over its list; nil if there are no vectors.
func (svc *Service) centroidsOf(ctx context.Context, scope graph.Scope, clusters [][]*index.Doc) (*cluster.Centroids, error) {
	all := make([][][]float32, len(clusters))
	dim := 0
	for i, members := range clusters {
		var docs []*index.Doc
		for k := 0; k < len(members); k += max(1, len(members)/centroidOf) {
			if members[k] != nil && members[k].Embedded {
				docs = append(docs, members[k])
			}
		}
		vectors, err := svc.Index.Vectors(ctx, scope, docs)
		if err != nil {
			return nil, err
		}
		all[i] = slices.DeleteFunc(vectors, func(v []float32) bool { return v == nil })
		if len(all[i]) > 0 && dim == 0 {
			dim = len(all[i][0])
		}
	}
	if len(clusters) == 0 {
		return nil, nil
	}
	out := cluster.NewCentroids(dim)
	for _, vectors := range all {
		out.Add(vectors)
	}
	return out, nil
}
