package grouping

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// ListInput selects clusters.
type ListInput struct {
	Namespaces []string // any of; empty: all that the caller sees
	User       string   // of this user and of nobody; empty: of all that the caller sees
	First      int      // 1 to 1,000; 0: 50
	After      graph.ID // the last one of the page before; empty: the first page
}

// ClusterView is a cluster with what belongs to it, as one caller sees it.
type ClusterView struct {
	Cluster
	Label Label
	view  *View
}

// List lists clusters, the largest first, and reports whether there are more.
func (svc *Service) List(ctx context.Context, c workspace.Caller, in ListInput) (page []*ClusterView, more bool, err error) {
	first, err := workspace.PageSize("first", in.First, 50)
	if err != nil {
		return nil, false, err
	}
	pass, err := passes(c, in.Namespaces, in.User)
	if err != nil {
		return nil, false, err
	}
	v, err := svc.viewOf(ctx, c)
	if err != nil {
		return nil, false, err
	}
	all := v.Clusters(pass)
	if in.After != "" {
		at := slices.IndexFunc(all, func(x Cluster) bool { return x.ID == in.After })
		if at < 0 {
			return nil, false, graph.FieldError(graph.CodeInvalidRequest, "after", "names no cluster of the list any more; begin again")
		}
		all = all[at+1:]
	}
	more = len(all) > first
	page, err = v.labelled(ctx, all[:min(first, len(all))])
	return page, more, err
}

// passes returns the filter of owners for namespaces and a user.
func passes(c workspace.Caller, namespaces []string, user string) (func(Owner) bool, error) {
	spaces, err := c.AllowedNamespaces(namespaces)
	if err != nil {
		return nil, err
	}
	users, err := c.AllowedUsers(user)
	if err != nil {
		return nil, err
	}
	if len(users) == 1 {
		users = append(users, "") // what belongs to nobody is for every user
	}
	return func(o Owner) bool {
		return (len(spaces) == 0 || slices.Contains(spaces, o.Namespace)) && (users == nil || slices.Contains(users, o.User))
	}, nil
}

// viewOf opens the view of a caller.
func (svc *Service) viewOf(ctx context.Context, c workspace.Caller) (*View, error) {
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	v, err := svc.View(ctx, t)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return v, nil
}

// ByID returns clusters in the order of ids; nil for one that the caller does not see.
func (svc *Service) ByID(ctx context.Context, c workspace.Caller, ids []graph.ID) ([]*ClusterView, error) {
	v, err := svc.viewOf(ctx, c)
	if err != nil {
		return nil, err
	}
	return v.byID(ctx, ids)
}

func (v *View) byID(ctx context.Context, ids []graph.ID) ([]*ClusterView, error) {
	var found []Cluster
	at := make([]int, len(ids))
	for i, id := range ids {
		c, ok := v.Cluster(id)
		if at[i] = -1; ok {
			at[i] = len(found)
			found = append(found, c)
		}
	}
	views, err := v.labelled(ctx, found)
	if err != nil {
		return nil, err
	}
	out := make([]*ClusterView, len(ids))
	for i, k := range at {
		if k >= 0 {
			out[i] = views[k]
		}
	}
	return out, nil
}

// OfMemories returns the cluster of each memory, nil for one that is in none.
func (svc *Service) OfMemories(ctx context.Context, c workspace.Caller, ids []graph.ID) ([]*ClusterView, error) {
	v, err := svc.viewOf(ctx, c)
	if err != nil {
		return nil, err
	}
	in := make([]graph.ID, len(ids))
	distinct := map[graph.ID]*ClusterView{}
	for i, id := range ids {
		if at, _, ok := v.Of(id); ok {
			in[i], distinct[at] = at, nil
		}
	}
	sorted := slices.Sorted(maps.Keys(distinct))
	views, err := v.byID(ctx, sorted)
	if err != nil {
		return nil, err
	}
	for i, id := range sorted {
		distinct[id] = views[i]
	}
	out := make([]*ClusterView, len(ids))
	for i, id := range in {
		out[i] = distinct[id]
	}
	return out, nil
}

// Name is the label of a cluster, or its id if the caller does not see it or the label can't be read.
func (v *View) Name(ctx context.Context, id graph.ID) string {
	if c, ok := v.Cluster(id); ok {
		if found, err := v.labelled(ctx, []Cluster{c}); err == nil && found[0].Label.Text != "" {
			return found[0].Label.Text
		}
	}
	return string(id)
}

// labelled adds the labels of clusters.
func (v *View) labelled(ctx context.Context, all []Cluster) ([]*ClusterView, error) {
	labels, err := v.svc.labels(ctx, v, all)
	if err != nil {
		return nil, v.svc.PublicError(err)
	}
	out := make([]*ClusterView, len(all))
	for i, c := range all {
		out[i] = &ClusterView{c, labels[i], v}
	}
	return out, nil
}

// Members lists the members, the strongest first, at most limit.
func (c *ClusterView) Members(limit int) []Member { return c.view.Members(c.ID, limit) }

// Related lists the clusters of the same owner that are most similar, the most similar first, with
// the cosine of the centroids.
func (c *ClusterView) Related(ctx context.Context, limit int) ([]*ClusterView, []float64, error) {
	near := c.view.Related(ctx, c.ID, limit)
	ids := make([]graph.ID, len(near))
	for i, x := range near {
		ids[i] = x.ID
	}
	found, err := c.view.byID(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	var out []*ClusterView
	var cosines []float64
	for i, x := range found {
		if x != nil {
			out, cosines = append(out, x), append(cosines, max(0, near[i].Cosine))
		}
	}
	return out, cosines, nil
}

// KeyEntities lists the entities that two members or more mention, at most limit, those of most
// members first.
func (c *ClusterView) KeyEntities(limit int) []graph.ID {
	count := map[graph.ID]int{}
	for _, d := range c.view.Docs(c.ID) {
		for _, e := range d.Entities {
			count[e]++
		}
	}
	maps.DeleteFunc(count, func(_ graph.ID, n int) bool { return n < 2 })
	return mostFrequent(count, limit)
}

// Activity is the number of members whose event lies in an interval.
type Activity struct {
	From, To time.Time // To is excluded, except in the last interval
	Count    int
}

// Activity divides the time of the members' events into equal intervals, at most buckets, oldest
// first, and counts the members in each. If all happened at one instant, there is one interval.
func (c *ClusterView) Activity(buckets int) []Activity {
	docs := c.view.Docs(c.ID)
	if len(docs) == 0 {
		return nil
	}
	slices.SortFunc(docs, func(a, b *index.Doc) int { return a.OccurredAt.Compare(b.OccurredAt) })
	first, last := docs[0].OccurredAt, docs[len(docs)-1].OccurredAt
	width := last.Sub(first).Milliseconds()
	buckets = max(1, min(buckets, int(min(width, 1<<30))))
	out := make([]Activity, buckets)
	for i := range out {
		out[i].From = first.Add(time.Duration(width*int64(i)/int64(buckets)) * time.Millisecond)
		out[i].To = first.Add(time.Duration(width*int64(i+1)/int64(buckets)) * time.Millisecond)
	}
	for _, d := range docs {
		at := buckets - 1
		if d.OccurredAt.Before(last) {
			at = int(d.OccurredAt.Sub(first).Milliseconds() * int64(buckets) / width)
		}
		out[at].Count++
	}
	return out
}

// Scene says in which clusters memories are, for the explorer.
type Scene struct {
	Version  string // changes whenever a settlement does
	Clusters []SceneCluster
	Of       []int32 // by memory: the index of its cluster, −1 for none
}

// SceneCluster is a cluster of a scene.
type SceneCluster struct {
	ID    graph.ID
	Label string
}

// Scene returns the clusters of memories, of all that are committed: a frame of the map may be drawn before a write is acknowledged, and is
// not drawn again until the next change.
func (svc *Service) Scene(ctx context.Context, c workspace.Caller, ids []graph.ID) (Scene, error) {
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return Scene{}, err
	}
	v, err := svc.View(ctx, t)
	if err == nil && len(ids) > 0 {
		err = svc.joinCommitted(ctx, v.t)
	}
	if err != nil {
		return Scene{}, svc.PublicError(err)
	}
	out := Scene{Version: v.Version(), Of: make([]int32, len(ids))}
	place := map[graph.ID]int32{}
	var in []graph.ID
	for i, id := range ids {
		out.Of[i] = -1
		at, _, ok := v.Of(id)
		if !ok {
			continue
		}
		k, known := place[at]
		if !known {
			k = int32(len(in))
			place[at] = k
			in = append(in, at)
		}
		out.Of[i] = k
	}
	views, err := v.byID(ctx, in)
	if err != nil {
		return Scene{}, err
	}
	for i, x := range views {
		s := SceneCluster{ID: in[i]}
		if x != nil {
			s.Label = x.Label.Text
		}
		out.Clusters = append(out.Clusters, s)
	}
	return out, nil
}
