package engine

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/sleep"
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

// ClusterEvents streams the changes of clusters that the caller sees, of every sleep that ends on any
// server, until ctx ends: from now on, or, unless after is zero, those after a change that was received. Those of
// a sleep come together, in the reverse order of ClusterEvolution. If the changes of a sleep can't be read, the
// stream ends.
func (e *Engine) ClusterEvents(ctx context.Context, c Caller, namespaces []string, after ClusterEventPlace) (_ <-chan ClusterEvent, err error) {
	begun, end := e.ws.Begin(ctx, c, "clusterEvents")
	defer end(&err)
	if _, err := c.AllowedNamespaces(namespaces); err != nil {
		return nil, err
	}
	sleeps, err := e.sleep.SleepsEnded(begun, c, after.Note.Time()) // the id of a note has the instant of its sleep
	if err != nil {
		return nil, err
	}
	out := make(chan ClusterEvent)
	go func() {
		defer close(out)
		for s := range sleeps {
			all, err := e.clusterEventsOf(ctx, c, namespaces, s)
			if err != nil {
				return
			}
			for _, x := range slices.Backward(all) {
				if after.Note != "" && !x.Follows(after) {
					continue
				}
				select {
				case out <- x:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return out, nil
}

// clusterEventsOf reads the changes of a sleep, newest first.
func (e *Engine) clusterEventsOf(ctx context.Context, c Caller, namespaces []string, s sleep.Ended) (all []ClusterEvent, err error) {
	f := ClusterEventFilter{Namespaces: namespaces, Sleep: s.Sleep, Since: s.StartedAt, Until: s.StartedAt}
	for after, more := (ClusterEventPlace{}), true; more; {
		var page []ClusterEvent
		if page, more, err = e.groups.Events(ctx, c, f, after, graph.MaxPage); err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) > 0 {
			last := page[len(page)-1]
			after = ClusterEventPlace{Note: last.ID, Number: last.Number}
		}
	}
	return all, nil
}
