package cluster

import (
	"cmp"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

const (
	// AlikeAbove is the cosine of two centroids above which their clusters are one (SPEC
	// section 10).
	AlikeAbove = 0.75
	// MinMembers is how many members a cluster keeps standing with; with fewer it
	// dissolves.
	MinMembers = 3
)

// Stands reports whether a cluster of so many members goes on; else it dissolves.
func Stands(members int) bool { return members >= MinMembers }

// Centroid is a cluster as its middle.
type Centroid struct {
	ID      graph.ID
	Vector  []float32 // unit length
	Members int       // how many
}

// Nearest answers the place of the centroid most like a vector and the cosine; of equally
// alike ones the lower id. The place is −1 where there is none.
func Nearest(v []float32, centroids []Centroid) (place int, cosine float64) {
	place = -1
	for i, c := range centroids {
		cos := Cosine(v, c.Vector)
		if place < 0 || cos > cosine || cos == cosine && c.ID < centroids[place].ID {
			place, cosine = i, cos
		}
	}
	return place, cosine
}

// Union is a set of clusters that became one.
type Union struct {
	Clusters []int     // places; the first one goes on: the largest, the lower id of equals
	Centroid []float32 // of the clusters by members, unit length
	Members  int
}

// Merge joins clusters whose centroids are above AlikeAbove alike: the most alike two
// first, ties by id, and again with the centroid of both, until no two are left that
// are. It answers only what was joined, by the id of the one that goes on.
func Merge(clusters []Centroid) []Union {
	places, rank := order(len(clusters), func(i int) graph.ID { return clusters[i].ID })
	type node struct {
		Centroid
		of    []int // ranks
		alive bool
	}
	type pair struct {
		a, b int
		cos  float64
	}
	nodes := make([]node, 0, 2*len(clusters))
	var pairs []pair
	add := func(n node) {
		n.alive = true
		for i, other := range nodes {
			if !other.alive {
				continue
			}
			if cos := Cosine(n.Vector, other.Vector); cos > AlikeAbove {
				pairs = append(pairs, pair{i, len(nodes), cos})
			}
		}
		nodes = append(nodes, n)
	}
	for r, p := range places {
		add(node{Centroid: clusters[p], of: []int{r}})
	}
	for {
		best := -1
		for i, p := range pairs {
			if nodes[p.a].alive && nodes[p.b].alive && (best < 0 || p.cos > pairs[best].cos) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		a, b := &nodes[pairs[best].a], &nodes[pairs[best].b]
		a.alive, b.alive = false, false
		pairs = slices.DeleteFunc(pairs, func(p pair) bool { return !nodes[p.a].alive || !nodes[p.b].alive })
		var m mean
		m.add(a.Vector, float64(max(1, a.Members)))
		m.add(b.Vector, float64(max(1, b.Members)))
		of := slices.Concat(a.of, b.of)
		slices.Sort(of)
		add(node{Centroid: Centroid{Vector: m.unit(), Members: a.Members + b.Members}, of: of})
	}
	var out []Union
	for _, n := range nodes {
		if !n.alive || len(n.of) < 2 {
			continue
		}
		u := Union{Centroid: n.Vector, Members: n.Members}
		for _, r := range n.of {
			u.Clusters = append(u.Clusters, places[r])
		}
		slices.SortStableFunc(u.Clusters, func(x, y int) int { return cmp.Compare(clusters[y].Members, clusters[x].Members) })
		out = append(out, u)
	}
	slices.SortFunc(out, func(x, y Union) int { return cmp.Compare(rank[x.Clusters[0]], rank[y.Clusters[0]]) })
	return out
}
