package grouping

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// View shows the clusters of a tenant to a caller. It is safe for concurrent use. Memories may join
// between two calls.
type View struct {
	svc         *Service
	t           *tenant
	scope       graph.Scope
	settledOnly bool // members that joined by day are not shown
	now         time.Time
}

// Cluster is a cluster as the caller of a view sees it.
type Cluster struct {
	ID        graph.ID
	Owner     Owner
	Size      int       // visible members
	Density   float64   // of all members at the last sleep, [0,1]
	CreatedAt time.Time // when it was born
	UpdatedAt time.Time // when a sleep changed it last
	Medoid    graph.ID  // the most central visible member
}

// Version changes whenever a settlement does. It is empty before the first one.
func (v *View) Version() string {
	b := v.t.book
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.version
}

// Clusters lists the clusters of owners that pass, the largest first. nil: all.
func (v *View) Clusters(pass func(Owner) bool) []Cluster {
	var out []Cluster
	for _, g := range v.groups(pass) {
		if c, ok := v.show(g); ok {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b Cluster) int { return cmp.Or(b.Size-a.Size, cmp.Compare(a.ID, b.ID)) })
	return out
}

// groups returns the clusters of visible owners that pass.
func (v *View) groups(pass func(Owner) bool) []*group {
	var out []*group
	for _, c := range v.circles(pass) {
		out = append(out, c.groups...)
	}
	return out
}

// Cluster returns a cluster; false if there is none that the caller sees.
func (v *View) Cluster(id graph.ID) (Cluster, bool) {
	b := v.t.book
	b.mu.RLock()
	g := b.clusters[id]
	b.mu.RUnlock()
	if g == nil || !v.scope.Sight.Owner(g.circle.owner.Namespace, g.circle.owner.User) {
		return Cluster{}, false
	}
	return v.show(g)
}

// Shows reports whether the caller sees a cluster. It is cheaper than Cluster.
func (v *View) Shows(id graph.ID) bool {
	g := v.group(id)
	return g != nil && v.enough(g)
}

// show returns a cluster if enough of its members are visible.
func (v *View) show(g *group) (Cluster, bool) {
	c := Cluster{ID: g.ID, Owner: g.circle.owner, Density: g.Density, CreatedAt: g.CreatedAt, UpdatedAt: g.UpdatedAt}
	for m := range v.each(g) {
		if c.Size++; c.Medoid == "" || m.ID == g.Medoid {
			c.Medoid = m.ID
		}
	}
	return c, c.Size >= MinVisible
}

// each yields the visible members of a cluster: the settled ones, the strongest first, then those
// that joined, in their order.
func (v *View) each(g *group) func(yield func(Member, *index.Doc) bool) {
	b := v.t.book
	b.mu.RLock()
	joined := g.joined
	b.mu.RUnlock()
	if v.settledOnly {
		joined = nil
	}
	return func(yield func(Member, *index.Doc) bool) {
		for _, list := range [2][]Member{g.Members, joined} {
			for _, m := range list {
				if d, ok := v.svc.alive(v.scope, m.ID, v.now); ok && !yield(m, d) {
					return
				}
			}
		}
	}
}

// Members lists the visible members of a cluster, the strongest first, at most limit; 0: all.
func (v *View) Members(id graph.ID, limit int) []Member {
	g := v.group(id)
	if g == nil {
		return nil
	}
	var out []Member
	for m := range v.each(g) {
		out = append(out, m)
	}
	slices.SortStableFunc(out, func(a, b Member) int { return cmp.Compare(b.Strength, a.Strength) })
	if limit > 0 {
		out = out[:min(limit, len(out))]
	}
	return out
}

// Docs lists the visible members of a cluster as the index has them.
func (v *View) Docs(id graph.ID) []*index.Doc {
	g := v.group(id)
	if g == nil {
		return nil
	}
	var out []*index.Doc
	for _, d := range v.each(g) {
		out = append(out, d)
	}
	return out
}

// group returns a cluster of a visible owner.
func (v *View) group(id graph.ID) *group {
	b := v.t.book
	b.mu.RLock()
	defer b.mu.RUnlock()
	if g := b.clusters[id]; g != nil && v.scope.Sight.Owner(g.circle.owner.Namespace, g.circle.owner.User) {
		return g
	}
	return nil
}

// Of returns the cluster of a memory and its place in it; false if it is in none that the caller
// sees. It does not test whether the memory itself is visible.
func (v *View) Of(memory graph.ID) (cluster graph.ID, m Member, ok bool) {
	b := v.t.book
	b.mu.RLock()
	in, there := b.members[memory]
	b.mu.RUnlock()
	if !there || v.settledOnly && !in.Settled {
		return "", Member{}, false
	}
	if _, shown := v.svc.alive(v.scope, memory, v.now); !shown || !v.enough(in.in) {
		return "", Member{}, false
	}
	return in.in.ID, in.Member, true
}

// Filed returns the cluster that a visible memory is in; empty: none. Unlike Of it does not test whether
// the caller sees enough of the cluster, so it is fast, and only for comparing with clusters that are
// shown.
func (v *View) Filed(memory graph.ID) graph.ID {
	b := v.t.book
	b.mu.RLock()
	defer b.mu.RUnlock()
	if in, there := b.members[memory]; there && (in.Settled || !v.settledOnly) {
		return in.in.ID
	}
	return ""
}

// enough reports whether enough members of a cluster are visible.
func (v *View) enough(g *group) bool {
	n := 0
	for range v.each(g) {
		if n++; n >= MinVisible {
			return true
		}
	}
	return false
}

// Near is a cluster and the cosine of its centroid to a vector.
type Near struct {
	ID     graph.ID
	Cosine float64 // [−1,1]
}

// Nearest returns the k clusters of owners that pass (nil: all) whose centroids are nearest to a
// unit vector, the nearest first. For a sight that limits consent or sensitivity the centroids are
// those of the members that it sees. If their vectors are not available, it returns none.
func (v *View) Nearest(ctx context.Context, vector []float32, pass func(Owner) bool, k int) []Near {
	var out []Near
	for _, c := range v.circles(pass) {
		if centroids := v.centroids(ctx, c); centroids != nil {
			for _, x := range centroids.Nearest(vector, k) {
				out = append(out, Near{c.groups[x.Cluster].ID, x.Cosine})
			}
		}
	}
	slices.SortFunc(out, func(a, b Near) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID)) })
	return out[:min(k, len(out))]
}

// Related returns the k clusters of the same owner whose centroids are most similar to that of a
// cluster, the most similar first; see Nearest.
func (v *View) Related(ctx context.Context, id graph.ID, k int) []Near {
	g := v.group(id)
	if g == nil {
		return nil
	}
	c := g.circle
	at := slices.Index(c.groups, g)
	centroids := v.centroids(ctx, c)
	if centroids == nil || at < 0 {
		return nil
	}
	var out []Near
	for _, x := range centroids.Related(at, k) {
		out = append(out, Near{c.groups[x.Cluster].ID, x.Cosine})
	}
	return out
}

// circles returns the visible owners that pass.
func (v *View) circles(pass func(Owner) bool) []*circle {
	b := v.t.book
	b.mu.RLock()
	defer b.mu.RUnlock()
	var out []*circle
	for o, c := range b.owners {
		if v.scope.Sight.Owner(o.Namespace, o.User) && (pass == nil || pass(o)) {
			out = append(out, c)
		}
	}
	return out
}

// centroids returns the centroids of the clusters of an owner, in their order; nil if there are none.
func (v *View) centroids(ctx context.Context, c *circle) *cluster.Centroids {
	if !v.settledOnly {
		return c.centroids
	}
	found, err := v.svc.sightCentroids(ctx, v, c)
	if err != nil {
		if ctx.Err() == nil {
			v.svc.Log.Warn("[READ] vectors are not available; related clusters may be missing", "error", err)
		}
		return nil
	}
	return found
}
