package loader

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// Cluster is one cluster and its batch. The zero value is no cluster.
type Cluster struct {
	View  *engine.Cluster
	batch *clusterBatch
}

// clusterBatch is the clusters of one read. It is safe for concurrent use and lives as long as its
// request.
type clusterBatch struct {
	src    Source
	caller engine.Caller
	views  []*engine.Cluster
	cache  sync.Map
}

// Clusters makes a batch of the views and returns its clusters in the same order. A nil view
// becomes the zero Cluster.
func Clusters(src Source, c engine.Caller, views []*engine.Cluster) []Cluster {
	b := &clusterBatch{src: src, caller: c}
	all := make([]Cluster, len(views))
	for i, v := range views {
		if v != nil {
			b.views = append(b.views, v)
			all[i] = Cluster{View: v, batch: b}
		}
	}
	return all
}

// nestedAccess is the access with which memories of clusters are read: whatever the sight shows.
var nestedAccess = engine.Access{IncludeImplicit: true}

// Member is a memory of a cluster.
type Member struct {
	Memory
	engine.ClusterMember
}

// Medoid is the most central member; the zero Memory if it is not visible any more.
func (c Cluster) Medoid(ctx context.Context) (Memory, error) {
	b := c.batch
	found, err := loadOnce(&b.cache, "medoid", func() (map[graph.ID]Memory, error) {
		ids := map[graph.ID]bool{}
		for _, v := range b.views {
			ids[v.Medoid] = true
		}
		return memoriesByID(ctx, b.src, b.caller, sorted(ids), nestedAccess)
	})
	return found[c.View.Medoid], err
}

// Members returns the members, the strongest first, at most first of them.
func (c Cluster) Members(ctx context.Context, first int) ([]Member, error) {
	b := c.batch
	type loaded struct {
		members map[graph.ID][]engine.ClusterMember
		found   map[graph.ID]Memory
	}
	l, err := loadOnce(&b.cache, fmt.Sprint("members ", first), func() (l loaded, err error) {
		l.members = make(map[graph.ID][]engine.ClusterMember, len(b.views))
		ids := map[graph.ID]bool{}
		for _, v := range b.views {
			l.members[v.ID] = v.Members(first)
			for _, m := range l.members[v.ID] {
				ids[m.ID] = true
			}
		}
		l.found, err = memoriesByID(ctx, b.src, b.caller, sorted(ids), nestedAccess)
		return l, err
	})
	if err != nil {
		return nil, err
	}
	var out []Member
	for _, m := range l.members[c.View.ID] {
		if memory, ok := l.found[m.ID]; ok {
			out = append(out, Member{memory, m})
		}
	}
	return out, nil
}

// KeyEntities returns the entities that most members mention, at most first of them.
func (c Cluster) KeyEntities(ctx context.Context, first int) ([]*engine.EntityView, error) {
	b := c.batch
	type loaded struct {
		ids   map[graph.ID][]graph.ID
		found map[graph.ID]*engine.EntityView
	}
	l, err := loadOnce(&b.cache, fmt.Sprint("keyEntities ", first), func() (l loaded, err error) {
		l.ids = make(map[graph.ID][]graph.ID, len(b.views))
		ids := map[graph.ID]bool{}
		for _, v := range b.views {
			l.ids[v.ID] = v.KeyEntities(first)
			for _, id := range l.ids[v.ID] {
				ids[id] = true
			}
		}
		if len(ids) == 0 {
			return l, nil
		}
		l.found, err = entitiesByID(ctx, b.src, b.caller, sorted(ids))
		return l, err
	})
	if err != nil {
		return nil, err
	}
	return inOrder(l.ids[c.View.ID], l.found), nil
}

// RelatedCluster is a cluster that is similar to another one.
type RelatedCluster struct {
	Cluster
	Cosine float64 // of the centroids, [0,1]
}

// Related returns the most similar clusters of the same owner, at most first of them. Those of the
// whole batch form a new batch.
func (c Cluster) Related(ctx context.Context, first int) ([]RelatedCluster, error) {
	b := c.batch
	all, err := loadOnce(&b.cache, fmt.Sprint("related ", first), func() (map[graph.ID][]RelatedCluster, error) {
		near, cosines := make([][]*engine.Cluster, len(b.views)), make([][]float64, len(b.views))
		for i, v := range b.views {
			var err error
			if near[i], cosines[i], err = v.Related(ctx, first); err != nil {
				return nil, err
			}
		}
		rest := Clusters(b.src, b.caller, slices.Concat(near...))
		out := make(map[graph.ID][]RelatedCluster, len(b.views))
		for i, v := range b.views {
			some := make([]RelatedCluster, len(near[i]))
			for k := range some {
				some[k] = RelatedCluster{rest[k], cosines[i][k]}
			}
			out[v.ID], rest = some, rest[len(some):]
		}
		return out, nil
	})
	return all[c.View.ID], err
}

// Cluster is the cluster that the memory is in; the zero Cluster if it is in none. Those of the
// whole batch form a batch.
func (m Memory) Cluster(ctx context.Context) (Cluster, error) {
	b := m.Batch
	all, err := loadOnce(&b.cache, "cluster", func() (map[*engine.View]Cluster, error) {
		ids := make([]graph.ID, len(b.views))
		for i, v := range b.views {
			ids[i] = v.ID
		}
		views, err := b.src.ClustersOfMemories(ctx, b.caller, ids)
		if err != nil {
			return nil, err
		}
		found := make(map[*engine.View]Cluster, len(views))
		for i, c := range Clusters(b.src, b.caller, views) {
			found[b.views[i]] = c
		}
		return found, nil
	})
	return all[m.View], err
}

// ClusterRef names a cluster in a batch of such names.
type ClusterRef struct {
	ID    graph.ID // empty: none
	batch *refBatch
}

// refBatch is the clusters that one read names.
type refBatch struct {
	src    Source
	caller engine.Caller
	ids    map[graph.ID]bool
	cache  sync.Map
}

// ClusterRefs makes a batch of the ids and returns them in the same order.
func ClusterRefs(src Source, c engine.Caller, ids []graph.ID) []ClusterRef {
	b := &refBatch{src: src, caller: c, ids: map[graph.ID]bool{}}
	all := make([]ClusterRef, len(ids))
	for i, id := range ids {
		all[i] = ClusterRef{ID: id, batch: b}
		if id != "" {
			b.ids[id] = true
		}
	}
	return all
}

// Cluster is the cluster as it is now; the zero Cluster if it is no more or not visible.
func (r ClusterRef) Cluster(ctx context.Context) (Cluster, error) {
	if r.ID == "" {
		return Cluster{}, nil
	}
	b := r.batch
	found, err := loadOnce(&b.cache, "clusters", func() (map[graph.ID]Cluster, error) {
		return clustersByID(ctx, b.src, b.caller, sorted(b.ids))
	})
	return found[r.ID], err
}

// clustersByID loads clusters, which form a batch. Those that are not visible are omitted.
func clustersByID(ctx context.Context, src Source, c engine.Caller, ids []graph.ID) (map[graph.ID]Cluster, error) {
	views, err := src.ClustersByID(ctx, c, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[graph.ID]Cluster, len(ids))
	for i, x := range Clusters(src, c, views) {
		if x.View != nil {
			found[ids[i]] = x
		}
	}
	return found, nil
}
